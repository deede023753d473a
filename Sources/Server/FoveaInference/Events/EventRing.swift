// SPDX-License-Identifier: Apache-2.0
#if Server

/// The newest lines of a journal in memory, by number.
struct EventRing: Sendable {
  private let capacity: Int
  private var lines: [String] = []
  /// The number of the first line that was ever added.
  private let start: Int
  /// The number of the oldest line; `next` if there is none.
  private(set) var first: Int
  /// The number of the next line.
  private(set) var next: Int

  /// Creates a ring without lines.
  init(capacity: Int, next: Int) {
    self.capacity = capacity
    start = next
    first = next
    self.next = next
  }

  /// Adds the next line; the oldest goes if the ring is full.
  mutating func append(_ line: String) {
    if lines.count < capacity { lines.append(line) } else { lines[(next - start) % capacity] = line }
    next += 1
    first = max(first, next - capacity)
  }

  /// Removes the lines before a number.
  mutating func remove(before number: Int) {
    while first < min(number, next) {
      lines[(first - start) % capacity] = ""
      first += 1
    }
  }

  /// Returns the line with a number from `first` to `next - 1`.
  subscript(number: Int) -> String { lines[(number - start) % capacity] }
}
#endif
