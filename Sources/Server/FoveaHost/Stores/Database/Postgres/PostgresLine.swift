// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB
import Synchronization

/// The connection on which a node hears of the changes of others.
///
/// It holds the locks that show that the node is alive, and whether it leads; the server releases them when
/// the connection ends.
final class PostgresLine: Sendable {
  /// A message from a node.
  enum Message: Sendable, Equatable {
    /// A node has stored a change, which was the one of this number.
    case change(generation: Int64, node: Int64)
    /// A node has read every change up to the one of this number.
    case have(generation: Int64, node: Int64)
    /// Someone waits for a publish.
    case ask(operation: String)
    /// A publish is to be cancelled.
    case cancel(operation: String)

    /// - Parameter text: The text of a notification; nil for one of an unknown kind, from a newer host.
    init?(_ text: String) {
      let words = text.split(separator: " ").map { String($0) }
      switch words.first {
      case "change" where words.count == 3:
        guard let generation = Int64(words[1]), let node = Int64(words[2]) else { return nil }
        self = .change(generation: generation, node: node)
      case "have" where words.count == 3:
        guard let generation = Int64(words[1]), let node = Int64(words[2]) else { return nil }
        self = .have(generation: generation, node: node)
      case "ask" where words.count == 2: self = .ask(operation: words[1])
      case "cancel" where words.count == 2: self = .cancel(operation: words[1])
      default: return nil
      }
    }

    /// The text of the notification.
    var text: String {
      switch self {
      case .change(let generation, let node): "change \(generation) \(node)"
      case .have(let generation, let node): "have \(generation) \(node)"
      case .ask(let operation): "ask \(operation)"
      case .cancel(let operation): "cancel \(operation)"
      }
    }
  }

  /// The first part of the keys of the locks of nodes; the second is the number of the node, or 0 for the
  /// leader.
  static let locks: Int64 = 0x666F_7665
  /// The longest wait for an answer, in milliseconds; with the interval of comparisons, it limits the time
  /// for which a node does not know that it hears nothing.
  private static let patience: Int32 = 3_000
  private static let lock = "SELECT pg_try_advisory_lock(CAST(? AS INT), CAST(? AS INT))"

  private let connection: PostgresConnection
  private let node: Int64
  /// True once it has the lock that shows that the node is alive.
  private let isShown = Mutex(false)

  private init(_ connection: PostgresConnection, node: Int64) {
    self.connection = connection
    self.node = node
  }

  /// Connects, and listens from now on.
  // Not a designated initializer that throws: Swift 6.3.1 crashes when it optimizes one with a mutex.
  convenience init(_ database: PostgresDatabase) throws {
    self.init(
      try database.servers.connect(node: database.node, patience: Self.patience), node: database.node)
    try connection.execute("LISTEN fovea")
    try show()
  }

  /// Acquires the lock that shows that the node is alive, unless an earlier connection still has it.
  private func show() throws {
    guard !isShown.withLock({ $0 }) else { return }
    let hasLock = try connection.value(Bool.self, Self.lock, [Self.locks, node]) == true
    isShown.withLock { $0 = hasLock }
  }

  /// Waits for a notification, of any kind.
  /// - Parameters:
  ///   - milliseconds: The longest wait.
  ///   - isStopped: Ends the wait within a quarter of a second once it returns true.
  /// - Returns: The notification and those that have arrived with it, in their order, without those of
  ///   unknown kinds; none if none arrives in that time.
  /// - Throws: `PostgresError` if the connection has ended.
  func messages(within milliseconds: Int32, isStopped: () -> Bool) throws -> [Message] {
    var rest = milliseconds
    while !isStopped(), rest > 0 {
      var texts: [String] = []
      while let text = try connection.notification(within: texts.isEmpty ? min(rest, 250) : 0) {
        texts.append(text)
      }
      guard texts.isEmpty else { return texts.compactMap { Message($0) } }
      rest -= 250
    }
    return []
  }

  /// Returns the number of the last change, which also shows that the server answers.
  func generation() throws -> Int64 {
    try show()
    return try PostgresNodes.generation(connection)
  }

  /// Returns the time of the server's clock.
  func time() throws -> Timestamp {
    let sql = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    return Timestamp(milliseconds: try connection.value(Int64.self, sql) ?? 0)
  }

  /// Announces that this node has read every change up to the one of this number.
  func announce(_ generation: Int64) throws {
    let text = Message.have(generation: generation, node: node).text
    try connection.execute("SELECT pg_notify('fovea', CAST(? AS TEXT))", [text])
  }

  /// Becomes the leader if no other node is.
  /// - Returns: The right to lead; nil if another node leads.
  /// - Throws: `PostgresError` if the connection has ended.
  func lead() throws -> Leadership? {
    guard try connection.value(Bool.self, Self.lock, [Self.locks, 0]) == true else { return nil }
    return try connection.value(Int64.self, "UPDATE leader SET epoch = epoch + 1 RETURNING epoch").map {
      Leadership(epoch: $0)
    }
  }
}
#endif
