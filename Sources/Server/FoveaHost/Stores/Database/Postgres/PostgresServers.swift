// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The servers of a database, of which one is the primary.
///
/// libpq would wait for a server that hangs until the whole attempt ends. It would also accept an old primary
/// that was started again after a standby took over. Such a server has missed changes, and its timeline has a
/// lower number than that of the new primary.
final class PostgresServers: Sendable {
  private struct State {
    /// The server that is tried first.
    var first = 0
    /// The highest timeline of a server that was used, in hexadecimal digits; nil before the first one.
    var timeline: String?
  }

  /// The longest wait for a connection to one of several servers, in milliseconds.
  private static let patience: Int32 = 2_000

  let address: PostgresAddress
  private let servers: [PostgresAddress]
  private let state = Mutex(State())

  init(_ address: PostgresAddress) {
    self.address = address
    servers = address.servers
  }

  /// Connects to the primary.
  ///
  /// The first connection tries all servers, and the later ones stop at the first suitable one.
  /// - Parameters:
  ///   - node: The number of the host.
  ///   - patience: The longest wait for an answer, in milliseconds.
  /// - Returns: A connection to the server of several that can be written and has the highest timeline.
  /// - Throws: The errors of `PostgresConnection`; `PostgresError` if each server is out of reach, can only
  ///   be read, or has a lower timeline than one that was used before.
  func connect(node: Int64, patience: Int32) throws -> PostgresConnection {
    guard servers.count > 1 else {
      return try PostgresConnection(address, node: node, patience: patience)
    }
    let before = state.withLock { $0 }
    var best: (connection: PostgresConnection, index: Int, timeline: String)?
    var failures: [any Error] = []
    for index in servers.indices.map({ ($0 + before.first) % servers.count }) {
      do {
        let found = try PostgresConnection(
          servers[index], node: node, patience: patience, connecting: Self.patience)
        let timeline = found.timeline()
        try Self.check(timeline, since: before.timeline, at: servers[index])
        if best.map({ $0.timeline < timeline }) ?? true { best = (found, index, timeline) }
        if before.timeline != nil { break }
      } catch {
        failures.append(error)
      }
    }
    guard let best else { throw Self.cause(of: failures) }
    state.withLock { state in
      state.first = best.index
      state.timeline = max(state.timeline ?? "", best.timeline)
    }
    return best.connection
  }

  /// - Throws: `PostgresError` if a timeline is lower than an earlier one.
  static func check(_ timeline: String, since before: String?, at server: PostgresAddress) throws {
    guard let before, timeline < before else { return }
    throw PostgresError(
      code: PostgresError.outdated, message: "timeline \(timeline), after \(before)", place: server.text)
  }

  /// Returns the failure of several to report: that a standby can only be read is usual.
  static func cause(of failures: [any Error]) -> any Error {
    failures.first { ($0 as? PostgresError)?.code != "25006" } ?? failures.first ?? CancellationError()
  }
}

extension PostgresConnection {
  /// Returns the timeline of a primary, as eight hexadecimal digits; empty if the server does not know it.
  fileprivate func timeline() -> String {
    let sql = "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
    return (try? value(String.self, sql)) ?? ""
  }
}
#endif
