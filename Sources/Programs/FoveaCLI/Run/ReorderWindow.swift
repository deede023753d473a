// SPDX-License-Identifier: Apache-2.0

/// Restores the input order of results that finish in any order, holding back a bounded number of them.
struct ReorderWindow<Element> {
  private let capacity: Int
  private let isOrdered: Bool
  private var waiting: [Int: Element] = [:]
  private var ready: [Element] = []
  private var head = 0

  /// Creates a window; the newest work may run up to `capacity` ahead of the oldest unfinished work.
  ///
  /// Without order, elements are returned as they come.
  init(capacity: Int, isOrdered: Bool) {
    precondition(capacity > 0, "a window needs room for one element")
    self.capacity = capacity
    self.isOrdered = isOrdered
  }

  /// Whether work number `sequence` may start now.
  func accepts(_ sequence: Int) -> Bool { !isOrdered || sequence < head + capacity }

  mutating func insert(_ element: Element, at sequence: Int) {
    guard isOrdered else { return ready.append(element) }
    waiting[sequence] = element
  }

  /// Removes and returns the elements that are next in order.
  mutating func takeReady() -> [Element] {
    while let element = waiting.removeValue(forKey: head) {
      ready.append(element)
      head += 1
    }
    defer { ready.removeAll(keepingCapacity: true) }
    return ready
  }

  /// The number of elements held back.
  var heldBack: Int { waiting.count }
}
