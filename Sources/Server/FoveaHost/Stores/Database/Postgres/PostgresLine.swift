// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// The connection on which a node hears of the changes of others.
///
/// It holds the locks that show that the node is alive, and whether it leads; the server releases them when
/// the connection ends.
struct PostgresLine: Sendable {
  /// A message from a node.
  enum Message: Sendable, Equatable {
    /// A node has stored a change, which was the one of this number.
    case change(generation: Int64, node: Int64)

    /// - Parameter text: The text of a notification; nil for one of an unknown kind, which a newer host sends.
    init?(_ text: String) {
      let words = text.split(separator: " ").map { String($0) }
      switch words.first {
      case "change" where words.count == 3:
        guard let generation = Int64(words[1]), let node = Int64(words[2]) else { return nil }
        self = .change(generation: generation, node: node)
      default: return nil
      }
    }
  }

  /// The first part of the keys of the locks of nodes; the second is the number of the node, 0 for the leader.
  private static let locks: Int64 = 0x666F_7665
  private static let lock = "SELECT pg_try_advisory_lock(CAST(? AS INT), CAST(? AS INT))"

  private let connection: PostgresConnection

  /// Connects, and listens from now on.
  init(_ database: PostgresDatabase) throws {
    connection = try PostgresConnection(database.address, node: database.node)
    _ = try connection.value(Bool.self, Self.lock, [Self.locks, database.node])
    try connection.execute("LISTEN fovea")
  }

  /// Waits for a notification, of any kind.
  /// - Parameters:
  ///   - milliseconds: The longest wait.
  ///   - isStopped: Ends the wait within a quarter of a second once it returns true.
  /// - Returns: The notification; nil if none arrives in that time.
  /// - Throws: `PostgresError` if the connection has ended.
  func message(within milliseconds: Int32, isStopped: () -> Bool) throws -> Message? {
    var rest = milliseconds
    while !isStopped(), rest > 0 {
      if let text = try connection.notification(within: min(rest, 250)) { return Message(text) }
      rest -= 250
    }
    return nil
  }

  /// Returns the number of the last change, which also shows that the server answers.
  func generation() throws -> Int64 { try PostgresNodes.generation(connection) }

  /// Becomes the leader if no other node is.
  /// - Returns: The number of this leadership; nil if another node leads.
  func lead() throws -> Int64? {
    guard try connection.value(Bool.self, Self.lock, [Self.locks, 0]) == true else { return nil }
    return try connection.value(Int64.self, "UPDATE leader SET epoch = epoch + 1 RETURNING epoch")
  }
}
#endif
