// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HummingbirdCore
package import Logging

/// Limits the number of connections, and logs when others wait: otherwise a blocked server looks like an idle
/// one.
package struct ConnectionLimit: AvailableConnectionsDelegate {
  private let most: Int
  private let reason: String
  private let logger: Logger
  private var count = 0
  /// The time of the latest log line.
  private var logged: ContinuousClock.Instant?
  /// The interval between log lines while the limit is reached.
  private static let pause = Duration.seconds(60)

  /// - Parameters:
  ///   - most: The maximum number of connections at a time.
  ///   - reason: The origin of the limit, for the log.
  ///   - logger: The logger.
  package init(_ most: Int, reason: String, logger: Logger) {
    self.most = most
    self.reason = reason
    self.logger = logger
  }

  /// Creates a limit from the options, or from the limit of open files.
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
      "The limit of open connections is reached: others wait",
      metadata: ["connections": "\(count)", "limit": "\(reason)"])
  }

  package mutating func connectionClosed() { count -= 1 }

  package func isAcceptingNewConnections() -> Bool { count < most }
}
#endif
