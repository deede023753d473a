// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// The calls that have or wait for a slot of a ``Scheduler``.
struct SchedulerState {
  typealias Turn = Result<Void, any Error>

  /// A waiting call.
  struct Waiter {
    let id: Int
    let continuation: CheckedContinuation<Turn, Never>
  }

  /// A call that has a slot or had one: the slot of an overdue or slow call may be passed to others.
  private struct Run {
    let client: String
    let begin: ContinuousClock.Instant
    /// Whether its time has expired.
    var isOverdue = false
    /// Whether its slot was passed to others.
    var isPassedOver = false
  }

  private let slots: Int
  private let places: Int
  private let patience: Duration
  private var free: Int
  private var runs: [Int: Run] = [:]
  private var lines: [String: [Waiter]] = [:]
  /// The waiting clients; among those with equally few calls, the first is served next.
  private var turns: [String] = []
  private(set) var waiting = 0
  private var nextID = 0
  /// The running mean of a call's duration, in seconds; 0 before the first.
  private var mean = 0.0
  private(set) var busySeconds = 0.0
  var cuts: [Scheduler.Cut: Int] = [:]
  /// The next time a timer checks for slow calls; nil for none.
  private var look: ContinuousClock.Instant?

  init(slots: Int, places: Int, patience: Duration) {
    self.slots = slots
    self.places = places
    self.patience = patience
    free = slots
  }

  /// The number of running calls, including overdue ones.
  var running: Int { runs.count }

  /// Returns the time a call got its slot; nil if it has none.
  func begin(of id: Int) -> ContinuousClock.Instant? { runs[id]?.begin }

  /// Returns whether every slot, and every replacement, has worked on the same call since before a time.
  func isStuck(since moment: ContinuousClock.Instant) -> Bool {
    runs.values.count { $0.begin < moment } >= 2 * slots
  }

  mutating func newNumber() -> Int {
    nextID += 1
    return nextID
  }

  // MARK: Arrival

  /// The outcome of a new call.
  enum Arrival {
    case begins
    /// It waits; the call that lost its place to it is refused.
    case waits(inPlaceOf: Waiter?)
    case refused(any Error)
  }

  mutating func arrive(_ waiter: Waiter, _ client: String, within limit: Duration, hasPlace: Bool)
    -> Arrival
  {
    if hasShareOverdue(client) { return .refused(SchedulerState.shareOverdue) }
    let now = ContinuousClock.now
    let had = had
    if canBegin(client, had, at: now) {
      if free == 0, let slow = slowRun(had, at: now) { passOver(slow) }
      begin(waiter.id, of: client, at: now)
      return .begins
    }
    if !hasPlace, let refusal = fullRefusal(client, within: limit) { return .refused(refusal) }
    let loser = !hasPlace && waiting >= places ? greedy(besides: client).flatMap { removeLast(of: $0) } : nil
    if lines[client] == nil { turns.append(client) }
    lines[client, default: []].append(waiter)
    waiting += 1
    return .waits(inPlaceOf: loser)
  }

  /// Returns the reason a client's call may not wait now; nil if it may.
  func refusal(for client: String, within limit: Duration) -> Refusal? {
    if hasShareOverdue(client) { return SchedulerState.shareOverdue }
    return canBegin(client, had, at: .now) ? nil : fullRefusal(client, within: limit)
  }

  /// Returns whether a client's call would get a slot at once.
  private func canBegin(_ client: String, _ had: [String: Int], at now: ContinuousClock.Instant) -> Bool {
    let own = had[client] ?? 0
    return free > 0 ? own < slots : own == 0 && slowRun(had, at: now) != nil
  }

  /// Returns whether a client has its share of overdue calls: they use processor time even after their slots
  /// are passed to others.
  private func hasShareOverdue(_ client: String) -> Bool {
    runs.values.count { $0.isOverdue && $0.client == client } >= max(1, slots / 2)
  }

  /// The refusal of a client with its share of overdue calls.
  static let shareOverdue = Refusal(
    .tooManyRequests, "share-used", "Images of this client are still being processed after their deadline",
    remedy: "Wait until they are done, and send smaller images"
  ).retrying(after: 1)

  private func fullRefusal(_ client: String, within limit: Duration) -> Refusal? {
    let own = lines[client]?.count ?? 0
    if waiting > own, own >= half {
      return Refusal(
        .tooManyRequests, "share-used", "This client has half of the queue",
        remedy: "Wait for answers before sending more"
      ).retrying(after: 1)
    }
    // Queues are served in turn, so at most as many calls of another queue go first as wait in this client's
    // queue.
    let ahead = lines.reduce(own) { sum, line in
      line.key == client ? sum : sum + min(line.value.count, own + 1)
    }
    // A client without a slot does not wait for slow calls of a client with several.
    let had = had
    let isNext = own == 0 && had[client] == nil && !candidates(had).isEmpty
    let turn = Double(ahead + 1) / Double(slots) * mean
    let wait = isNext ? min(turn, patience.seconds) : turn
    guard waiting < places || greedy(besides: client) != nil, wait <= limit.seconds else {
      return Refusal(
        .serviceUnavailable, "server-busy", "All slots are busy and \(waiting) calls wait",
        remedy: "Retry later, or use another server"
      ).retrying(after: max(1, Int(wait.rounded(.up))))
    }
    return nil
  }

  private var half: Int { max(1, places / 2) }

  /// Returns a client with more than half of the queue, which a single client may fill; nil if there is none.
  private func greedy(besides client: String) -> String? {
    turns.first { $0 != client && lines[$0]?.count ?? 0 > half }
  }

  // MARK: Departure

  /// Removes a waiting call.
  /// - Returns: The call; nil if it is not waiting.
  mutating func cancel(_ id: Int, _ client: String) -> Waiter? {
    guard let index = lines[client]?.firstIndex(where: { $0.id == id }) else { return nil }
    return remove(at: index, of: client)
  }

  private mutating func removeLast(of client: String) -> Waiter? {
    lines[client].flatMap { remove(at: $0.count - 1, of: client) }
  }

  private mutating func remove(at index: Int, of client: String) -> Waiter? {
    let waiter = lines[client]?.remove(at: index)
    waiting -= 1
    if lines[client]?.isEmpty == true {
      lines[client] = nil
      turns.removeAll { $0 == client }
    }
    return waiter
  }

  private mutating func removeAll(of client: String) -> [Waiter] {
    let waiters = lines.removeValue(forKey: client) ?? []
    waiting -= waiters.count
    turns.removeAll { $0 == client }
    return waiters
  }

  /// Removes a call that has run; a call cut short only shows that calls take at least as long.
  /// - Returns: The calls that have got slots.
  mutating func leave(_ id: Int, isWhole: Bool) -> [Waiter] {
    guard let run = runs.removeValue(forKey: id) else { return [] }
    let now = ContinuousClock.now
    let seconds = (now - run.begin).seconds
    busySeconds += seconds
    if !run.isOverdue, isWhole || seconds > mean { mean = mean == 0 ? seconds : 0.9 * mean + 0.1 * seconds }
    if !run.isPassedOver {
      free += 1
    } else if let next = runs.first(where: { $0.value.isOverdue && !$0.value.isPassedOver }) {
      // Another overdue call may be passed over now.
      passOver(next.key)
    }
    return giveSlots(at: now)
  }

  /// Marks a call as overdue, and passes its slot to others until it ends.
  ///
  /// The number of passed-over calls is at most the number of slots. The waiting calls of a client with its
  /// share of overdue calls are refused: they would take the replacement slots from others.
  /// - Returns: The calls that have got slots, and the calls that are refused.
  mutating func expire(_ id: Int) -> (next: [Waiter], refused: [Waiter]) {
    guard let run = runs[id], !run.isOverdue else { return ([], []) }
    runs[id]?.isOverdue = true
    let refused = hasShareOverdue(run.client) ? removeAll(of: run.client) : []
    if !run.isPassedOver, canPassOver { passOver(id) }
    return (giveSlots(at: .now), refused)
  }

  // MARK: Slots

  /// The number of running calls of each client, including overdue ones.
  private var had: [String: Int] {
    runs.values.reduce(into: [:]) { had, run in had[run.client, default: 0] += 1 }
  }

  private var canPassOver: Bool { runs.values.count(where: \.isPassedOver) < slots }

  /// Passes a call's slot to others.
  private mutating func passOver(_ id: Int) {
    runs[id]?.isPassedOver = true
    free += 1
  }

  private mutating func begin(_ id: Int, of client: String, at now: ContinuousClock.Instant) {
    free -= 1
    runs[id] = Run(client: client, begin: now)
  }

  /// Returns the calls whose slots may be passed on after they have run for `patience`: the calls of clients
  /// that have several.
  private func candidates(_ had: [String: Int]) -> [Int: Run] {
    guard canPassOver else { return [:] }
    return runs.filter { !$0.value.isPassedOver && had[$0.value.client] ?? 0 > 1 }
  }

  /// Returns the call to pass over for a client without a slot: the oldest call of the client with the most
  /// calls; nil if there is none.
  private func slowRun(_ had: [String: Int], at now: ContinuousClock.Instant) -> Int? {
    let slow = candidates(had).filter { now - $0.value.begin >= patience }
    return slow.min { one, other in
      let (ones, others) = (had[one.value.client] ?? 0, had[other.value.client] ?? 0)
      return ones == others ? one.value.begin < other.value.begin : ones > others
    }?.key
  }

  /// Assigns free slots to waiting calls: to the client with the fewest slots, in turn among equals.
  ///
  /// A client that has a call in every slot gets no more slots, so that it gains nothing from passed-over
  /// calls.
  mutating func giveSlots(at now: ContinuousClock.Instant) -> [Waiter] {
    if let time = look, time <= now { look = nil }
    var given: [Waiter] = []
    var had = had
    while let index = turns.indices.min(by: { had[turns[$0]] ?? 0 < had[turns[$1]] ?? 0 }) {
      let client = turns[index]
      let own = had[client] ?? 0
      if free == 0, own == 0, let slow = slowRun(had, at: now) { passOver(slow) }
      guard free > 0, own < slots, let waiter = lines[client]?.first else { break }
      turns.remove(at: index)
      lines[client]?.removeFirst()
      waiting -= 1
      if lines[client]?.isEmpty == true { lines[client] = nil } else { turns.append(client) }
      begin(waiter.id, of: client, at: now)
      had[client] = own + 1
      given.append(waiter)
    }
    return given
  }

  /// Returns the time to assign slots again because a call is slow by then; nil if a timer is set, or no
  /// client waits for it.
  mutating func nextLook() -> ContinuousClock.Instant? {
    let had = had
    guard turns.contains(where: { had[$0] == nil }),
      let begin = candidates(had).values.map(\.begin).min()
    else { return nil }
    let time = begin + patience
    if let look, look <= time { return nil }
    look = time
    return time
  }
}
#endif
