// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HummingbirdCore
package import Logging

/// Takes so many connections at a time, and says in the log when others wait: without it a server that stands still looks
/// like one that has nothing to do.
package struct ConnectionLimit: AvailableConnectionsDelegate {
  private let most: Int
  private let reason: String
  private let logger: Logger
  private var count = 0
  /// When the log had it last.
  private var logged: ContinuousClock.Instant?
  /// How often the log has it while it goes on.
  private static let pause = Duration.seconds(60)

  /// - Parameters:
  ///   - most: Connections at a time.
  ///   - reason: What sets the limit, for the log.
  ///   - logger: The log.
  package init(_ most: Int, reason: String, logger: Logger) {
    self.most = most
    self.reason = reason
    self.logger = logger
  }

  /// What the options say, else what the limit of open files allows.
  init(_ options: ServerOptions, logger: Logger) {
    let files = DescriptorLimit.present
    let reason =
      options.maximumConnections == nil
      ? "the process may have \(files) files open (ulimit -n)" : "\(program: .flag("max-connections"))"
    self.init(
      options.maximumConnections ?? DescriptorLimit.connections(within: files), reason: reason,
      logger: logger)
  }

  package mutating func connectionOpened() {
    count += 1
    guard count >= most else { return }
    let now = ContinuousClock.now
    if let logged, now - logged < Self.pause { return }
    logged = now
    logger.warning(
      "As many connections are open as may be: others wait",
      metadata: ["connections": "\(count)", "limit": "\(reason)"])
  }

  package mutating func connectionClosed() { count -= 1 }

  package func isAcceptingNewConnections() -> Bool { count < most }
}
#endif
