// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Synchronization

  /// Gives the machine's slots to the calls of many clients, in turn.
  ///
  /// A slot is a core's worth of work: however many models there are, no more calls run at a time than there are slots. Calls
  /// that wait stand in one line for each client, and the lines are served in turn, so that a client with many calls
  /// does not keep others waiting. What cannot be answered within its deadline is refused before it waits.
  package final class Scheduler: Sendable {
    /// How many calls run at a time, and how many may wait.
    package let slots: Int
    package let places: Int

    private struct Waiter {
      let id: Int
      let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
      var free: Int
      var lines: [String: [Waiter]] = [:]
      /// The clients that wait; the first is served next.
      var turns: [String] = []
      var waiting = 0
      var nextID = 0
      /// Calls that have a number and do not wait yet.
      var arriving: Set<Int> = []
      /// A running mean of the time of a call, in seconds; 0 before the first.
      var mean = 0.0
      var busySeconds = 0.0
      /// When the calls that run have begun.
      var begins: [Int: ContinuousClock.Instant] = [:]
      var cuts: [Cut: Int] = [:]
    }

    private let state: Mutex<State>

    package init(slots: Int, places: Int? = nil) {
      self.slots = max(1, slots)
      self.places = places ?? 16 * max(1, slots)
      state = Mutex(State(free: max(1, slots)))
    }

    /// How many calls wait, how many run, and the seconds that slots were busy.
    package var counts: (waiting: Int, running: Int, busySeconds: Double) {
      state.withLock { ($0.waiting, slots - $0.free, $0.busySeconds) }
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

    /// How long the call has run that began first; zero where none runs.
    package var longestRun: Duration {
      let first = state.withLock { $0.begins.values.min() }
      return first.map { ContinuousClock.now - $0 } ?? .zero
    }

    /// Runs `body` in a slot, and ends it at the deadline.
    /// - Returns: What `body` returns, and how long the call waited.
    /// - Throws: A refusal where there is no place or the deadline has passed; `CancellationError`; what `body` throws.
    package func run<R: Sendable>(
      for client: String, within limit: Duration, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> (value: R, waited: Duration) {
      let expiry = Expiry()
      return try await withThrowingTaskGroup(of: (R, Duration)?.self) { group in
        group.addTask { [self] in
          try await inSlot(for: client, within: limit, since: .now, expiry, body)
        }
        group.addTask {
          try await Task.sleep(for: limit)
          expiry.hasCome.store(true, ordering: .releasing)
          return nil
        }
        defer { group.cancelAll() }
        guard let done = try await group.next() ?? nil else { throw Scheduler.late(limit) }
        return done
      }
    }

    /// The refusal of a call whose deadline has passed.
    static func late(_ limit: Duration) -> Refusal {
      Refusal(
        .gatewayTimeout, "deadline-exceeded",
        "The answer was not ready within \(DecimalText.short(limit.milliseconds, places: 3)) ms",
        remedy: "Send a smaller image, or allow more time")
    }

    /// Waits for a slot and runs `body` in it.
    /// - Parameters:
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
      for client: String, within limit: Duration, since start: ContinuousClock.Instant, _ expiry: Expiry,
      hasPlace: Bool = false, begun: @Sendable () -> Void = {}, _ body: @Sendable () async throws -> R
    ) async throws -> (R, Duration) {
      let id: Int
      do { id = try await enter(client, within: limit, hasPlace: hasPlace) } catch {
        countCut(.waiting, expiry)
        throw error
      }
      let begin = ContinuousClock.now
      state.withLock { $0.begins[id] = begin }
      defer {
        countCut(.running, expiry)
        leave(id, after: ContinuousClock.now - begin, isWhole: !Task.isCancelled)
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

    /// Waits for a slot.
    /// - Returns: The number of the call.
    private func enter(
      _ client: String, within limit: Duration, hasPlace: Bool
    ) async throws -> Int {
      let id = state.withLock { state in
        state.nextID += 1
        state.arriving.insert(state.nextID)
        return state.nextID
      }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          let answer: Result<Void, any Error>? = state.withLock { state in
            guard state.arriving.remove(id) != nil else { return .failure(CancellationError()) }
            if state.free > 0 {
              state.free -= 1
              return .success(())
            }
            if !hasPlace, let refusal = full(client, within: limit, state) { return .failure(refusal) }
            if state.lines[client] == nil { state.turns.append(client) }
            state.lines[client, default: []].append(Waiter(id: id, continuation: continuation))
            state.waiting += 1
            return nil
          }
          if let answer { continuation.resume(with: answer) }
        }
      } onCancel: {
        cancel(id, client)
      }
      return id
    }

    /// Why a call may not wait; nil where it may.
    private func full(_ client: String, within limit: Duration, _ state: State) -> Refusal? {
      let own = state.lines[client]?.count ?? 0
      if state.waiting > own, own >= max(1, places / 2) {
        return Refusal(
          .tooManyRequests, "share-used", "This client has half of all calls that may wait",
          remedy: "Wait for answers before you send more"
        ).retrying(after: 1)
      }
      return busy(within: limit, state)
    }

    /// Why a call of a client may not wait now; nil where it may.
    ///
    /// For the gate, which can refuse before a body is read.
    func refusal(for client: String, within limit: Duration) -> Refusal? {
      state.withLock { state in state.free > 0 ? nil : full(client, within: limit, state) }
    }

    private func busy(within limit: Duration, _ state: State) -> Refusal? {
      let wait = Double(state.waiting + 1) / Double(slots) * state.mean
      guard state.waiting < places, wait <= limit.seconds else {
        return Refusal(
          .serviceUnavailable, "server-busy", "All slots are busy and \(state.waiting) calls wait",
          remedy: "Send it again later, or to another server"
        ).retrying(after: max(1, Int(wait.rounded(.up))))
      }
      return nil
    }

    private func cancel(_ id: Int, _ client: String) {
      let waiter: Waiter? = state.withLock { state in
        state.arriving.remove(id)
        guard let index = state.lines[client]?.firstIndex(where: { $0.id == id }) else { return nil }
        let waiter = state.lines[client]?.remove(at: index)
        state.waiting -= 1
        if state.lines[client]?.isEmpty == true {
          state.lines[client] = nil
          state.turns.removeAll { $0 == client }
        }
        return waiter
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }

    /// Gives the slot to the next in turn; a call that was cut short shows only that calls take no less.
    private func leave(_ id: Int, after duration: Duration, isWhole: Bool) {
      let next: Waiter? = state.withLock { state in
        state.begins[id] = nil
        let seconds = duration.seconds
        state.busySeconds += seconds
        if isWhole || seconds > state.mean {
          state.mean = state.mean == 0 ? seconds : 0.9 * state.mean + 0.1 * seconds
        }
        guard let client = state.turns.first, let waiter = state.lines[client]?.first else {
          state.free += 1
          return nil
        }
        state.turns.removeFirst()
        state.lines[client]?.removeFirst()
        state.waiting -= 1
        if state.lines[client]?.isEmpty == true {
          state.lines[client] = nil
        } else {
          state.turns.append(client)
        }
        return waiter
      }
      next?.continuation.resume()
    }
  }
#endif
