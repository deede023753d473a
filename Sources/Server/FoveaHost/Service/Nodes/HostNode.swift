// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// A host among those on one database, its nodes: keeps its memory like the database that others change.
///
/// It hears of a change at once. The number of changes is also compared every few seconds, because a
/// notification is lost while no connection listens.
package final class HostNode: Sendable {
  /// The database, or what a test has in its place.
  package struct Source: Sendable {
    /// Returns the number of the last change.
    var generation: @Sendable () async throws(HostError) -> Int64
    /// Reads into memory what has changed, and returns the error of what cannot be decoded; nil if everything
    /// is in memory.
    var reload: @Sendable () async throws(HostError) -> HostError?
    /// Called with the error of what cannot be decoded, once until it is another one.
    var report: @Sendable (HostError) -> Void = { _ in }
    /// The clock.
    var now: @Sendable () -> Freshness.Instant = { ContinuousClock.now }
  }

  /// The part of a node in the work that one of them does for all.
  package enum Role: Sendable, Equatable {
    case leader(Leadership)
    case follower
  }

  /// The changes that another node has in memory, and the time at which it announced that.
  private struct Peer {
    var generation: Int64
    var heard: Freshness.Instant
  }

  /// The time after which a node that is not heard of counts as gone, longer than two intervals of
  /// comparisons.
  private static let peerPatience = Duration.seconds(5)

  private struct State {
    var freshness: Freshness
    var peers: [Int64: Peer] = [:]
    var role = Role.follower
    var clockError = 0.0
    var fault: HostError?
    /// The comparison that runs, or was the last, and the one that starts after it.
    var present: Task<Void, Never>?
    var next: Task<Void, Never>?
  }

  private let source: Source
  /// The longest time for which requests are answered from memory without the database, in seconds.
  package let limit: Double
  private let state: Mutex<State>

  /// - Parameters:
  ///   - source: The database.
  ///   - limit: The longest time for which requests are answered from memory without it, in seconds.
  package init(_ source: Source, limit: Double) {
    (self.source, self.limit) = (source, limit)
    state = Mutex(State(freshness: Freshness(at: source.now())))
  }

  /// Reads everything into memory at the start.
  /// - Throws: Any error of `read` and of the database.
  func start(_ read: () async throws(HostError) -> Void) async throws(HostError) {
    let began = source.now()
    // First, so that a change made meanwhile is read again.
    let generation = try await source.generation()
    try await read()
    state.withLock { $0.freshness.confirm(generation, at: began, doubts: 0) }
  }

  /// The time in seconds by which the memory may be out of date; nil if it is not, but for changes of this
  /// moment.
  package var age: Int? {
    let now = source.now()
    return state.withLock { $0.freshness.age(at: now) }
  }

  package var role: Role { state.withLock { $0.role } }

  /// The seconds by which the host's clock is ahead of the database's; 0 until they were compared.
  package var clockError: Double { state.withLock { $0.clockError } }

  /// The error of what the database has and this node cannot decode; nil if there is nothing.
  package var fault: HostError? { state.withLock { $0.fault } }

  func setClock(error: Double) { state.withLock { $0.clockError = error } }

  func lead(by leadership: Leadership) { state.withLock { $0.role = .leader(leadership) } }

  // MARK: Changes

  /// Records that the node hears of changes, or does so no more, and leads no more.
  func setConnected(_ isConnected: Bool) {
    state.withLock { state in
      state.role = .follower
      state.freshness.isConnected = isConnected
    }
  }

  /// Records the number of the last change, as the server has it.
  func confirm(_ generation: Int64, at time: Freshness.Instant) async {
    let isNew = state.withLock { state in
      guard state.freshness.generation == generation else { return true }
      state.freshness.confirm(generation, at: time, doubts: state.freshness.doubts)
      return false
    }
    if isNew { await compare() }
  }

  /// Records a change that a node has announced, and reads it unless this node has made it.
  func hear(_ generation: Int64, isOwn: Bool) async {
    if state.withLock({ $0.freshness.hear(generation, isOwn: isOwn) }) { await compare() }
  }

  /// Records the number of the last change that another node has in memory.
  func hear(peer: Int64, has generation: Int64) {
    let now = source.now()
    state.withLock { $0.peers[peer] = Peer(generation: generation, heard: now) }
  }

  /// The number of the last change in memory; nil if everything is to be compared.
  var generation: Int64? { state.withLock { $0.freshness.generation } }

  /// Waits until all other nodes have the changes of this moment, so that a caller whose change was answered
  /// finds it at each of them; at most half a second, because one of them may have ended.
  /// - Returns: True if all of them have the changes.
  @discardableResult
  func settle() async -> Bool {
    if haveOthers(.max) { return true }
    guard let generation = try? await source.generation() else { return false }
    for _ in 0..<100 where !haveOthers(generation) { try? await Task.sleep(for: .milliseconds(5)) }
    return haveOthers(generation)
  }

  /// Returns whether all other nodes have the change of that number; true without other nodes.
  private func haveOthers(_ generation: Int64) -> Bool {
    let now = source.now()
    return state.withLock { state in
      state.peers = state.peers.filter { now - $0.value.heard < Self.peerPatience }
      return state.peers.values.allSatisfy { $0.generation >= generation }
    }
  }

  /// Records that the database may have stored something that is not in memory.
  func doubt() { state.withLock { $0.freshness.doubt() } }

  /// Compares the memory with the database, and reads what has changed, so that it has everything stored
  /// before the call.
  ///
  /// Does nothing while the database is known to be out of reach.
  package func catchUp() async {
    guard state.withLock({ $0.freshness.isConnected }) else { return }
    await compare()
  }

  /// Compares once more; concurrent calls share a comparison that has not begun.
  func compare() async {
    let task = state.withLock { state -> Task<Void, Never> in
      if let next = state.next { return next }
      let before = state.present
      let task = Task {
        await before?.value
        self.begin()
        await self.read()
      }
      state.next = task
      return task
    }
    await task.value
  }

  private func begin() {
    state.withLock { state in
      state.present = state.next
      state.next = nil
    }
  }

  /// Reads what has changed.
  private func read() async {
    let began = source.now()
    let before = state.withLock { $0.freshness }
    // After an error the memory stays the same, and grows old.
    guard let generation = try? await source.generation() else { return }
    if before.generation != generation {
      let fault: HostError?
      do throws(HostError) { fault = try await source.reload() } catch { return doubt() }
      note(fault)
      guard fault == nil else { return doubt() }
    }
    state.withLock { $0.freshness.confirm(generation, at: began, doubts: before.doubts) }
  }

  private func note(_ fault: HostError?) {
    let isNew = state.withLock { state in
      defer { state.fault = fault }
      return state.fault?.message != fault?.message
    }
    if isNew, let fault { source.report(fault) }
  }
}
#endif
