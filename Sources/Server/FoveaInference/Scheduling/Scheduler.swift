// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Synchronization

/// Gives the machine's slots to the calls of many clients, in turn.
///
/// A slot is a core's worth of work: however many models there are, no more calls run at a time than there are slots. Calls
/// that wait stand in one line for each client. A slot that becomes free goes to a client that has fewest, and among those
/// in turn, so that a client with many calls does not keep others waiting. What cannot be answered within its deadline is
/// refused before it waits.
///
/// Nor does a client that has no slot wait for the slow calls of one that has several: it gets the slot of one of these,
/// which goes on next to it. To keep a slot empty for those who may come would help them no sooner, and waste it.
///
/// At its deadline a call is answered whatever its work does. Work that goes on after it, as the decoding of an image does that
/// cannot be stopped, keeps its client from further calls, and others get its slot.
package final class Scheduler: Sendable {
  /// How many calls run at a time, and how many may wait.
  package let slots: Int
  package let places: Int

  private let state: Mutex<SchedulerState>

  /// How long work that is cancelled may take to end before its call is answered without it: usually the model's next
  /// operator.
  private static let grace = Duration.milliseconds(100)

  /// Makes a scheduler.
  /// - Parameters:
  ///   - slots: How many calls run at a time.
  ///   - places: How many may wait; nil for sixteen times the slots.
  ///   - patience: How long a call runs before its slot is open to a client that has none. Longer makes those with quick
  ///     images wait several times as long as these take; shorter makes further sessions of models for quick ones, too.
  package init(slots: Int, places: Int? = nil, patience: Duration = .milliseconds(10)) {
    self.slots = max(1, slots)
    self.places = places ?? 16 * max(1, slots)
    state = Mutex(SchedulerState(slots: self.slots, places: self.places, patience: patience))
  }

  /// How many calls wait, how many run, and the seconds that slots were busy.
  package var counts: (waiting: Int, running: Int, busySeconds: Double) {
    state.withLock { ($0.waiting, $0.running, $0.busySeconds) }
  }

  /// A call that ended before its answer was ready.
  struct Cut: Hashable, Sendable {
    enum Phase: String, CaseIterable, Sendable { case waiting, running }
    /// Because its client left, or because its time was up.
    enum Reason: String, CaseIterable, Sendable { case client, deadline }

    let phase: Phase
    let reason: Reason

    static let all = Phase.allCases.flatMap { phase in Reason.allCases.map { Cut(phase: phase, reason: $0) }
    }
  }

  /// How many calls were cut short.
  func count(of cut: Cut) -> Int { state.withLock { $0.cuts[cut] ?? 0 } }

  /// Whether the time of a call is up: the call and its timer share it.
  final class Expiry: Sendable { let hasCome = Atomic(false) }

  /// Whether all slots, and all that stand in for them, have worked on one call for so long.
  func isStuck(for duration: Duration) -> Bool {
    state.withLock { $0.isStuck(since: .now - duration) }
  }

  /// The refusal of a call whose deadline has passed.
  static func late(_ limit: Duration) -> Refusal {
    Refusal(
      .gatewayTimeout, "deadline-exceeded",
      "The answer was not ready within \(DecimalText.short(limit.milliseconds, places: 3)) ms",
      remedy: "Send a smaller image, or allow more time")
  }

  /// Why a call of a client may not wait now; nil where it may.
  ///
  /// For the gate, which can refuse before a body is read.
  func refusal(for client: String, within limit: Duration) -> Refusal? {
    state.withLock { $0.refusal(for: client, within: limit) }
  }

  /// A number for a call that comes.
  func newNumber() -> Int { state.withLock { $0.newNumber() } }

  /// Waits for a slot and runs `body` in it.
  /// - Parameters:
  ///   - id: The number of the call.
  ///   - client: Whose line it waits in.
  ///   - limit: The time that the call has from its begin.
  ///   - start: When the call began to wait.
  ///   - expiry: Whether the time of the call is up.
  ///   - hasPlace: Whether the call has a place in the line already, and is not refused for want of one.
  ///   - begun: Called when the slot is there.
  ///   - body: What to do.
  /// - Returns: What `body` returns, and how long the call waited.
  /// - Throws: A refusal where there is no place; `CancellationError`; what `body` throws.
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

  /// Counts a call that is cut short.
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
    "This client had more than half of all calls that may wait, and others came",
    remedy: "Wait for answers before you send more"
  ).retrying(after: 1)

  /// Lets the calls go on that have got slots.
  private func pass(_ change: (inout SchedulerState) -> [SchedulerState.Waiter]) {
    for waiter in state.withLock({ change(&$0) }) { waiter.continuation.resume(returning: .success(())) }
    lookForSlowCalls()
  }

  /// Gives slots of calls that are slow at a moment to clients that wait without any.
  func passSlowCalls(at moment: ContinuousClock.Instant) { pass { $0.giveSlots(at: moment) } }

  /// Does so when the next call becomes slow.
  private func lookForSlowCalls() {
    guard let time = state.withLock({ $0.nextLook() }) else { return }
    // Detached: it must not keep what the task holds that calls this.
    Task.detached { [weak self] in
      try? await Task.sleep(until: time)
      self?.passSlowCalls(at: .now)
    }
  }

  /// Cancels the work of calls that no one waits for, and lets it end in a moment.
  ///
  /// What has not ended when its time is up is passed over.
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
    // A caller that is cancelled waits as well.
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
