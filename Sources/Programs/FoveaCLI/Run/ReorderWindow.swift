// SPDX-License-Identifier: Apache-2.0

/// Puts what finishes in any order back into the order of the input, holding back a bounded number of results.
struct ReorderWindow<Element> {
  private let capacity: Int
  private let isOrdered: Bool
  private var waiting: [Int: Element] = [:]
  private var ready: [Element] = []
  private var head = 0

  /// `capacity` is how far the newest work may run ahead of the oldest unfinished one; without order, elements are
  /// handed out as they come.
  init(capacity: Int, isOrdered: Bool) {
    precondition(capacity > 0, "a window needs room for one element")
    self.capacity = capacity
    self.isOrdered = isOrdered
  }

  /// Whether work number `sequence` may begin now.
  func accepts(_ sequence: Int) -> Bool { !isOrdered || sequence < head + capacity }

  mutating func insert(_ element: Element, at sequence: Int) {
    guard isOrdered else { return ready.append(element) }
    waiting[sequence] = element
  }

  /// The elements whose turn has come, each once.
  mutating func takeReady() -> [Element] {
    while let element = waiting.removeValue(forKey: head) {
      ready.append(element)
      head += 1
    }
    defer { ready.removeAll(keepingCapacity: true) }
    return ready
  }

  /// How many elements are held back.
  var heldBack: Int { waiting.count }
}
