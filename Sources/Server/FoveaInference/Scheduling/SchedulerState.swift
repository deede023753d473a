// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// Who has a slot of a ``Scheduler``, and who waits for one.
struct SchedulerState {
  typealias Turn = Result<Void, any Error>

  /// A call that waits.
  struct Waiter {
    let id: Int
    let continuation: CheckedContinuation<Turn, Never>
  }

  /// A call that has a slot, or had one: others may have that of a call that is past its time, or slow.
  private struct Run {
    let client: String
    let begin: ContinuousClock.Instant
    /// Whether its time is up.
    var isOverdue = false
    /// Whether its slot was given to others.
    var isPassedOver = false
  }

  private let slots: Int
  private let places: Int
  private let patience: Duration
  private var free: Int
  private var runs: [Int: Run] = [:]
  private var lines: [String: [Waiter]] = [:]
  /// The clients that wait; of those that have as little as others, the first is served next.
  private var turns: [String] = []
  private(set) var waiting = 0
  private var nextID = 0
  /// A running mean of the time of a call, in seconds; 0 before the first.
  private var mean = 0.0
  private(set) var busySeconds = 0.0
  var cuts: [Scheduler.Cut: Int] = [:]
  /// When a timer looks for slow calls next; nil for none.
  private var look: ContinuousClock.Instant?

  init(slots: Int, places: Int, patience: Duration) {
    self.slots = slots
    self.places = places
    self.patience = patience
    free = slots
  }

  /// How many calls run, those past their time included.
  var running: Int { runs.count }

  /// When a call got its slot; nil for one that has none.
  func begin(of id: Int) -> ContinuousClock.Instant? { runs[id]?.begin }

  /// Whether every slot, and all that stand in for them, have worked on one call since before a moment.
  func isStuck(since moment: ContinuousClock.Instant) -> Bool {
    runs.values.count { $0.begin < moment } >= 2 * slots
  }

  mutating func newNumber() -> Int {
    nextID += 1
    return nextID
  }

  // MARK: Coming

  /// What becomes of a call that arrives.
  enum Arrival {
    case begins
    /// It waits; the call that has lost its place to it is refused.
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

  /// Why a call of a client may not come now; nil where it may.
  func refusal(for client: String, within limit: Duration) -> Refusal? {
    if hasShareOverdue(client) { return SchedulerState.shareOverdue }
    return canBegin(client, had, at: .now) ? nil : fullRefusal(client, within: limit)
  }

  /// Whether a call of a client gets a slot as soon as it comes.
  private func canBegin(_ client: String, _ had: [String: Int], at now: ContinuousClock.Instant) -> Bool {
    let own = had[client] ?? 0
    return free > 0 ? own < slots : own == 0 && slowRun(had, at: now) != nil
  }

  /// Calls whose time is up take the processor from others, also where their slots are given to others.
  private func hasShareOverdue(_ client: String) -> Bool {
    runs.values.count { $0.isOverdue && $0.client == client } >= max(1, slots / 2)
  }

  /// Why a client with its share of calls past their time has no further ones.
  static let shareOverdue = Refusal(
    .tooManyRequests, "share-used", "Images of this client are still worked on after their deadline",
    remedy: "Wait until they are done, and send smaller images"
  ).retrying(after: 1)

  private func fullRefusal(_ client: String, within limit: Duration) -> Refusal? {
    let own = lines[client]?.count ?? 0
    if waiting > own, own >= half {
      return Refusal(
        .tooManyRequests, "share-used", "This client has half of all calls that may wait",
        remedy: "Wait for answers before you send more"
      ).retrying(after: 1)
    }
    // Lines are served in turn: of a longer one, as many are before this call as are in its own.
    let ahead = lines.reduce(own) { sum, line in
      line.key == client ? sum : sum + min(line.value.count, own + 1)
    }
    // A client without a slot waits for no slow call of one that has several.
    let had = had
    let isNext = own == 0 && had[client] == nil && !candidates(had).isEmpty
    let turn = Double(ahead + 1) / Double(slots) * mean
    let wait = isNext ? min(turn, patience.seconds) : turn
    guard waiting < places || greedy(besides: client) != nil, wait <= limit.seconds else {
      return Refusal(
        .serviceUnavailable, "server-busy", "All slots are busy and \(waiting) calls wait",
        remedy: "Send it again later, or to another server"
      ).retrying(after: max(1, Int(wait.rounded(.up))))
    }
    return nil
  }

  private var half: Int { max(1, places / 2) }

  /// The client that has more than its half of the places, as one alone may; nil where none has.
  private func greedy(besides client: String) -> String? {
    turns.first { $0 != client && lines[$0]?.count ?? 0 > half }
  }

  // MARK: Leaving

  /// Takes a call out that waits.
  /// - Returns: The call; nil for one that does not wait.
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

  /// Takes a call out that has run; one that was cut short shows only that calls take no less.
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
      // One more may be passed over.
      passOver(next.key)
    }
    return giveSlots(at: now)
  }

  /// Notes that the time of a call is up, and gives its slot to others where the call does not end.
  ///
  /// As many calls at most are passed over as there are slots. A client that has its share of calls past their time leaves
  /// the line: what it sent before this one was known to be late would take the slots that stand in for others.
  /// - Returns: The calls that have got slots; the calls that have left the line.
  mutating func expire(_ id: Int) -> (next: [Waiter], refused: [Waiter]) {
    guard let run = runs[id], !run.isOverdue else { return ([], []) }
    runs[id]?.isOverdue = true
    let refused = hasShareOverdue(run.client) ? removeAll(of: run.client) : []
    if !run.isPassedOver, canPassOver { passOver(id) }
    return (giveSlots(at: .now), refused)
  }

  // MARK: Slots

  /// How many calls run of each client that has any, those past their time included.
  private var had: [String: Int] {
    runs.values.reduce(into: [:]) { had, run in had[run.client, default: 0] += 1 }
  }

  private var canPassOver: Bool { runs.values.count(where: \.isPassedOver) < slots }

  /// Leaves a call without its slot, which others may have.
  private mutating func passOver(_ id: Int) {
    runs[id]?.isPassedOver = true
    free += 1
  }

  private mutating func begin(_ id: Int, of client: String, at now: ContinuousClock.Instant) {
    free -= 1
    runs[id] = Run(client: client, begin: now)
  }

  /// The calls whose slots others may have once they have run for `patience`: those of clients that have several.
  private func candidates(_ had: [String: Int]) -> [Int: Run] {
    guard canPassOver else { return [:] }
    return runs.filter { !$0.value.isPassedOver && had[$0.value.client] ?? 0 > 1 }
  }

  /// The call to pass over for a client that has no slot: of the client that has most, the oldest; nil for none.
  private func slowRun(_ had: [String: Int], at now: ContinuousClock.Instant) -> Int? {
    let slow = candidates(had).filter { now - $0.value.begin >= patience }
    return slow.min { one, other in
      let (ones, others) = (had[one.value.client] ?? 0, had[other.value.client] ?? 0)
      return ones == others ? one.value.begin < other.value.begin : ones > others
    }?.key
  }

  /// Gives slots to those that wait: of the clients, to the one that has least, and of those to the first.
  ///
  /// A client that has as many calls as there are slots gets no further one: it gains nothing by those that are passed over.
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

  /// When to give slots again because a call is slow by then; nil where a timer does that, or no one waits for it.
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
