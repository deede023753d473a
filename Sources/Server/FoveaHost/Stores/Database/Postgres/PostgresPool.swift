// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Connections that are opened when they are needed, and lent to one call each, in the order of arrival.
final class PostgresPool: Sendable {
  private struct State {
    /// The number of calls that may start now.
    var free: Int
    var idle: [PostgresConnection] = []
    var waiting = WaiterQueue<CheckedContinuation<Bool, Never>>()
    /// The last failure to connect; calls fail with it at once for a while, instead of waiting one by one.
    var failure: (error: any Error, end: ContinuousClock.Instant)?
    var isClosed = false
  }

  /// The time for which a call waits for a connection.
  private static let patience = Duration.seconds(2)
  /// The time until the next attempt to connect.
  private static let pause = Duration.milliseconds(500)

  /// The longest wait for an answer in milliseconds, longer than the server's own limit on a statement.
  private static let answer: Int32 = 7_000

  private let servers: PostgresServers
  private let node: Int64
  private let prepare: @Sendable (PostgresConnection) throws -> Void
  private let state: Mutex<State>

  /// - Parameters:
  ///   - servers: The servers of the database.
  ///   - count: The maximum number of connections.
  ///   - node: The number of the host.
  ///   - prepare: Called with each new connection.
  init(
    _ servers: PostgresServers, count: Int, node: Int64,
    prepare: @escaping @Sendable (PostgresConnection) throws -> Void = { _ in }
  ) {
    (self.servers, self.node, self.prepare) = (servers, node, prepare)
    state = Mutex(State(free: count))
  }

  /// Runs a transaction on its own thread, and again after a conflict or, once, on another connection.
  func run<Value: Sendable>(
    _ kind: PostgresTransaction, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    let arrival = ContinuousClock.now
    guard await enter() else { throw CancellationError() }
    defer { leave() }
    guard ContinuousClock.now - arrival < Self.patience else {
      throw PostgresError(code: "57014", message: "too many calls are waiting", place: servers.address.text)
    }
    return try await BlockingWork.run { (_) throws(any Error) in try self.perform(kind, body) }
  }

  /// Runs a transaction on the calling thread.
  func perform<Value>(
    _ kind: PostgresTransaction, _ body: (any SQLConnection) throws -> Value
  ) throws -> Value {
    var (conflicts, losses) = (0, 0)
    while true {
      let connection = try take()
      defer { give(connection) }
      do { return try connection.transaction(kind, body) } catch let error as PostgresError {
        if error.isLost || error.isPlanOutdated, !error.isInDoubt, losses < 1 {
          losses += 1
        } else if error.isConflict, conflicts < 5 {
          conflicts += 1
          usleep(UInt32.random(in: 1_000...10_000 << conflicts))
        } else {
          throw error
        }
      }
    }
  }

  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(idle) {}
  }

  private func take() throws -> PostgresConnection {
    let idle = try state.withLock { state -> PostgresConnection? in
      guard !state.isClosed else {
        throw PostgresError(code: "08003", message: "the database is closed", place: servers.address.text)
      }
      if let idle = state.idle.popLast() { return idle }
      if let failure = state.failure, ContinuousClock.now < failure.end { throw failure.error }
      return nil
    }
    if let idle { return idle }
    do {
      let made = try servers.connect(node: node, patience: Self.answer)
      try prepare(made)
      state.withLock { $0.failure = nil }
      return made
    } catch {
      state.withLock { $0.failure = (error, ContinuousClock.now + Self.pause) }
      throw error
    }
  }

  private func give(_ connection: PostgresConnection) {
    // Released after the lock: closing a connection may take a while.
    let closed = state.withLock { state -> [PostgresConnection] in
      guard connection.isLost || state.isClosed else {
        state.idle.append(connection)
        return []
      }
      // The others have most likely ended for the same reason.
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(closed) {}
  }

  /// Waits for a turn; false if the task was cancelled.
  private func enter() async -> Bool {
    await WaitTicket.wait(cancelled: false) { ticket, waiter in
      self.state.withLock { state -> Bool? in
        guard state.free > 0 else {
          state.waiting.append(waiter, ticket)
          return nil
        }
        state.free -= 1
        return true
      }
    } leave: { ticket in
      self.state.withLock { $0.waiting.remove(ticket) }
    }
  }

  private func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume(returning: true)
  }
}
#endif
