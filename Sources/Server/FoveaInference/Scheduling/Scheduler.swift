// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Synchronization

/// Assigns the machine's slots to the calls of many clients, in turn.
///
/// A slot is one core's worth of work: however many models there are, at most as many calls run as there are
/// slots. Waiting calls are queued per client. A free slot goes to the client with the fewest slots, in turn
/// if several have equally few, so that a client with many calls does not delay others. A call that cannot be
/// answered within its deadline is refused before it waits.
///
/// A client without a slot does not wait for the slow calls of a client with several slots either: it gets
/// the slot of one of these calls, which keeps running alongside. A slot kept free for new clients would not
/// serve them sooner, and would be wasted.
///
/// At its deadline a call is answered even if its work continues. Such work, for example an image decoder
/// that cannot be stopped, blocks further calls of its client, while other clients get its slot.
package final class Scheduler: Sendable {
  /// The number of calls that may run at a time, and that may wait.
  package let slots: Int
  package let places: Int

  private let state: Mutex<SchedulerState>

  /// The time that cancelled work has to end before its call is answered without it; usually it ends at the
  /// model's next operator.
  private static let grace = Duration.milliseconds(100)

  /// Creates a scheduler.
  /// - Parameters:
  ///   - slots: The number of calls that may run at a time.
  ///   - places: The number of calls that may wait; nil for sixteen times the slots.
  ///   - patience: The time a call runs before a client without a slot may take its slot. A longer time makes
  ///     clients with fast images wait several times as long as their images take; a shorter one creates more
  ///     model sessions even for fast images.
  package init(slots: Int, places: Int? = nil, patience: Duration = .milliseconds(10)) {
    self.slots = max(1, slots)
    self.places = places ?? 16 * max(1, slots)
    state = Mutex(SchedulerState(slots: self.slots, places: self.places, patience: patience))
  }

  /// The number of waiting and running calls, and the seconds that slots were busy.
  package var counts: (waiting: Int, running: Int, busySeconds: Double) {
    state.withLock { ($0.waiting, $0.running, $0.busySeconds) }
  }

  /// A call that ended before its answer was ready.
  struct Cut: Hashable, Sendable {
    enum Phase: String, CaseIterable, Sendable { case waiting, running }
    /// The reason: its client disconnected, or its time expired.
    enum Reason: String, CaseIterable, Sendable { case client, deadline }

    let phase: Phase
    let reason: Reason

    static let all = Phase.allCases.flatMap { phase in Reason.allCases.map { Cut(phase: phase, reason: $0) }
    }
  }

  /// Returns the number of calls that were cut short.
  func count(of cut: Cut) -> Int { state.withLock { $0.cuts[cut] ?? 0 } }

  /// Whether a call's time has expired, shared by the call and its timer.
  final class Expiry: Sendable { let hasCome = Atomic(false) }

  /// Returns whether all slots, and their replacements, have worked on the same calls for a duration.
  func isStuck(for duration: Duration) -> Bool {
    state.withLock { $0.isStuck(since: .now - duration) }
  }

  /// Returns the refusal of a call whose deadline has passed.
  static func late(_ limit: Duration) -> Refusal {
    Refusal(
      .gatewayTimeout, "deadline-exceeded",
      "The answer was not ready within \(DecimalText.short(limit.milliseconds, places: 3)) ms",
      remedy: "Send a smaller image, or allow more time")
  }

  /// Returns the reason a client's call may not wait now; nil if it may.
  ///
  /// Used by the gate, which can refuse a request before its body is read.
  func refusal(for client: String, within limit: Duration) -> Refusal? {
    state.withLock { $0.refusal(for: client, within: limit) }
  }

  /// Returns a number for a new call.
  func newNumber() -> Int { state.withLock { $0.newNumber() } }

  /// Waits for a slot and runs `body` in it.
  /// - Parameters:
  ///   - id: The call's number.
  ///   - client: The client whose queue it waits in.
  ///   - limit: The call's time limit, counted from its start.
  ///   - start: The time the call started to wait.
  ///   - expiry: Whether the call's time has expired.
  ///   - hasPlace: Whether the call already has a place in the queue and cannot be refused for lack of one.
  ///   - begun: Called when the call has got its slot.
  ///   - body: The work.
  /// - Returns: The result of `body`, and the time the call waited.
  /// - Throws: A refusal if the queue is full; `CancellationError`; the errors of `body`.
  func inSlot<R: Sendable>(
    _ id: Int, for client: String, within limit: Duration, since start: ContinuousClock.Instant,
    _ expiry: Expiry, hasPlace: Bool = false, begun: @Sendable () -> Void = {},
    _ body: @Sendable () async throws -> R
  ) async throws -> (R, Duration) {
    do { try await enter(id, client, within: limit, hasPlace: hasPlace) } catch {
      countCut(.waiting, expiry)
      throw error
    }
    let begin = state.withLock { $0.begin(of: id) } ?? .now
    defer {
      countCut(.running, expiry)
      pass { $0.leave(id, isWhole: !Task.isCancelled) }
    }
    begun()
    return (try await body(), begin - start)
  }

  /// Counts a call that was cut short.
  private func countCut(_ phase: Cut.Phase, _ expiry: Expiry) {
    guard Task.isCancelled else { return }
    let reason = expiry.hasCome.load(ordering: .acquiring) ? Cut.Reason.deadline : .client
    state.withLock { $0.cuts[Cut(phase: phase, reason: reason), default: 0] += 1 }
  }

  private func enter(_ id: Int, _ client: String, within limit: Duration, hasPlace: Bool) async throws {
    let turn: SchedulerState.Turn = await WaitTicket.wait(cancelled: .failure(CancellationError())) {
      _, continuation in
      let waiter = SchedulerState.Waiter(id: id, continuation: continuation)
      switch state.withLock({ $0.arrive(waiter, client, within: limit, hasPlace: hasPlace) }) {
      case .begins: return .success(())
      case .refused(let refusal): return .failure(refusal)
      case .waits(let loser):
        loser?.continuation.resume(returning: .failure(Scheduler.placeLost))
        lookForSlowCalls()
        return nil
      }
    } leave: { _ in
      state.withLock { $0.cancel(id, client) }?.continuation
    }
    try turn.get()
  }

  private static let placeLost = Refusal(
    .tooManyRequests, "share-used",
    "This client had more than half of the queue when other clients' calls arrived",
    remedy: "Wait for answers before sending more"
  ).retrying(after: 1)

  /// Resumes the calls that have got slots.
  private func pass(_ change: (inout SchedulerState) -> [SchedulerState.Waiter]) {
    for waiter in state.withLock({ change(&$0) }) { waiter.continuation.resume(returning: .success(())) }
    lookForSlowCalls()
  }

  /// Passes the slots of slow calls to clients that wait without a slot.
  func passSlowCalls(at moment: ContinuousClock.Instant) { pass { $0.giveSlots(at: moment) } }

  /// Schedules that for when the next call becomes slow.
  private func lookForSlowCalls() {
    guard let time = state.withLock({ $0.nextLook() }) else { return }
    // Detached: it must not retain the values of the calling task.
    Task.detached { [weak self] in
      try? await Task.sleep(until: time)
      self?.passSlowCalls(at: .now)
    }
  }

  /// Cancels the work of calls that nothing waits for, and gives it a moment to end.
  ///
  /// Work still running when its time has expired is passed over.
  func abandon(_ work: [Int: Task<Void, Never>], end: ContinuousClock.Instant) async {
    for task in work.values { task.cancel() }
    let (ends, report) = AsyncStream.makeStream(of: Never.self)
    Task {
      for task in work.values { await task.value }
      report.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: Scheduler.grace)
      report.finish()
    }
    // A cancelled caller waits too.
    await Task { for await _ in ends {} }.value
    timer.cancel()
    let rest = state.withLock { state in work.keys.filter { state.begin(of: $0) != nil } }
    guard !rest.isEmpty else { return }
    Task {
      try? await Task.sleep(until: end + Scheduler.grace)
      for id in rest { expire(id) }
    }
  }

  private func expire(_ id: Int) {
    var refused: [SchedulerState.Waiter] = []
    pass { state in
      let change = state.expire(id)
      refused = change.refused
      return change.next
    }
    for waiter in refused {
      waiter.continuation.resume(returning: .failure(SchedulerState.shareOverdue))
    }
  }
}
#endif
