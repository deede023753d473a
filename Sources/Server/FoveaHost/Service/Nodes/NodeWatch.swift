// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging

/// The work of a node on its direct connection: hears of changes, and takes part in the choice of the leader.
struct NodeWatch: Sendable {
  /// The interval of comparisons, which find changes whose notification was lost, and a server that hangs.
  static let interval = Duration.seconds(2)
  /// The longest wait for a notification, in milliseconds.
  private static let wait: Int32 = 1_000

  let node: HostNode
  let database: PostgresDatabase
  let metadata: MetadataStore
  let operations: Operations
  let now: Now
  let logger: Logger

  /// Runs until its task is cancelled; connects again after each loss.
  func run() async {
    var isNoted = false
    while !Task.isCancelled {
      do {
        let line = try await BlockingWork.run { (_) throws(any Error) in try PostgresLine(database) }
        node.setConnected(true)
        // Notifications are lost while nobody listens.
        node.doubt()
        await node.compare()
        isNoted = false
        logger.info("Connected to the database", metadata: ["node": "\(database.node)"])
        defer { node.setConnected(false) }
        try await follow(line)
      } catch {
        guard !Task.isCancelled else { return }
        if !isNoted {
          logger.warning(
            "Not connected to the database", metadata: ["error.type": "\(HostError(database: error).code)"])
        }
        isNoted = true
        // Not all nodes at once.
        try? await Task.sleep(for: .milliseconds(Int.random(in: 50...1_000)))
      }
    }
  }

  /// - Throws: The error that has ended the connection.
  private func follow(_ line: PostgresLine) async throws {
    var compared: Freshness.Instant?
    var announced: Int64?
    while !Task.isCancelled {
      let now = ContinuousClock.now
      if compared.map({ now - $0 >= Self.interval }) ?? true {
        try await compare(line, at: now)
        (compared, announced) = (now, nil)
      }
      if metadata.takeOutage() {
        node.doubt()
        await node.compare()
      }
      if let generation = node.generation, generation != announced {
        try await BlockingWork.run { (_) throws(any Error) in try line.announce(generation) }
        announced = generation
      }
      let messages = try await BlockingWork.run { stop throws(any Error) in
        try line.messages(within: Self.wait) { stop.isSet }
      }
      await hear(messages)
    }
  }

  private func hear(_ messages: [PostgresLine.Message]) async {
    var changes: [(generation: Int64, author: Int64)] = []
    for message in messages {
      switch message {
      case .change(let generation, let author): changes.append((generation, author))
      case .have(let generation, let author):
        if author != database.node { node.hear(peer: author, has: generation) }
      case .ask(let operation): operations.ask(for: operation)
      case .cancel(let operation): operations.cancel(publish: operation)
      }
    }
    // Last, because reading a change takes a while; the first one that is read has those after it, too.
    for change in changes {
      await node.hear(change.generation, isOwn: change.author == database.node)
    }
  }

  /// Compares the memory with the database, and becomes the leader if no other node is.
  private func compare(_ line: PostgresLine, at time: Freshness.Instant) async throws {
    let isLeader = node.role != .follower
    let (generation, leadership, error) = try await BlockingWork.run { (_) throws(any Error) in
      (try line.generation(), try isLeader ? nil : line.lead(), try clockError(by: line))
    }
    node.setClock(error: error)
    await node.confirm(generation, at: time)
    guard let leadership else { return }
    node.lead(by: leadership)
    logger.info("Leads the nodes of the database", metadata: ["epoch": "\(leadership.epoch)"])
  }

  /// Returns the seconds by which the host's clock is ahead of the database's, to within half of the time
  /// that the answer takes.
  private func clockError(by line: PostgresLine) throws -> Double {
    let began = now().milliseconds
    let time = try line.time().milliseconds
    return Double(began - time + (now().milliseconds - began) / 2) / 1000
  }
}
#endif
