// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The right of a node to do the work that one node does for all, until another node leads.
///
/// A node that was paused does not know that it leads no more. So each transaction that removes something
/// compares the number of the leadership, which rises with each leader.
package struct Leadership: Sendable, Equatable {
  /// The number of times that a node of the database has become the leader.
  package let epoch: Int64

  /// Checks in a transaction that the node still leads.
  /// - Throws: `conflict` if another node leads now; errors of the database.
  func check(_ database: any SQLConnection) throws {
    let present = try database.value(Int64.self, "SELECT epoch FROM leader")
    guard present == epoch else { throw Self.ended(epoch, present ?? 0) }
  }

  private static func ended(_ epoch: Int64, _ present: Int64) -> HostError {
    HostError(
      .conflict, "This node led as number \(epoch), and number \(present) leads now",
      remedy: "Nothing to do: the other node does the work", cause: LeadershipEnd())
  }
}

/// The cause of the error of a node that leads no more.
struct LeadershipEnd: Error {}

extension MetadataStore {
  /// Checks that a node still leads.
  /// - Throws: `conflict` if another node leads now; `unavailable`.
  func check(_ leadership: Leadership) async throws(HostError) {
    try await read { try leadership.check($0) }
  }
}
#endif
