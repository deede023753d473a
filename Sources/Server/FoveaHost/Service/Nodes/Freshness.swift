// SPDX-License-Identifier: Apache-2.0
#if Server

/// The changes of its database that a node has in memory, and since when.
struct Freshness: Sendable, Equatable {
  typealias Instant = ContinuousClock.Instant

  /// The time after which a node that has not heard from the database counts as out of date.
  static let patience = Duration.seconds(10)

  /// The number of the last change in memory; nil if everything is to be compared.
  private(set) var generation: Int64?
  /// The number of times that the memory was doubted.
  private(set) var doubts = 0
  /// The last time at which the memory was known to be that of the database.
  private var confirmed: Instant
  /// True while the node hears of each change.
  var isConnected = false

  /// - Parameter start: A time before anything was read.
  init(at start: Instant) { confirmed = start }

  /// Records that every change up to a number is in memory, and was the last one at a time, at which the
  /// memory had been doubted a number of times.
  mutating func confirm(_ generation: Int64, at time: Instant, doubts: Int) {
    self.generation = doubts == self.doubts ? generation : nil
    confirmed = max(confirmed, time)
  }

  /// Records a change that this node or another one has announced.
  /// - Returns: Whether it is to be read: another node made it, or earlier ones were not heard of.
  mutating func hear(_ generation: Int64, isOwn: Bool) -> Bool {
    guard let present = self.generation else { return true }
    guard generation > present else { return false }
    guard isOwn, generation == present + 1 else { return true }
    self.generation = generation
    return false
  }

  /// Records that the database may have changes that are not in memory, whatever their number.
  mutating func doubt() {
    generation = nil
    doubts += 1
  }

  /// Returns the time in seconds, at least 1, by which the memory may be behind the database; nil if it is
  /// not, but for changes that are on their way.
  func age(at time: Instant) -> Int? {
    let age = time - confirmed
    guard !isConnected || age > Self.patience else { return nil }
    return max(1, Int(age.components.seconds))
  }
}
#endif
