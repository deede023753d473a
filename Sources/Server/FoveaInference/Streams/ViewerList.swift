// SPDX-License-Identifier: Apache-2.0
#if Server
/// The viewers of a source or a journal, each with the number by which it leaves.
///
/// It is a value that its owner locks.
struct ViewerList {
  private var viewers: [Int: StreamViewer] = [:]
  private var last = 0
  /// True after the end: viewers that join then end at once.
  private(set) var isOver = false

  /// The viewers, in any order.
  var all: [StreamViewer] { Array(viewers.values) }
  var count: Int { viewers.count }
  var isEmpty: Bool { viewers.isEmpty }

  /// Adds a viewer.
  /// - Returns: The number with which to remove it; no other viewer has it.
  mutating func add(_ viewer: StreamViewer) -> Int {
    last += 1
    if isOver { viewer.end() } else { viewers[last] = viewer }
    return last
  }

  /// Removes a viewer, which gets no more events; does nothing if it has left.
  mutating func remove(_ id: Int) { viewers.removeValue(forKey: id)?.end() }

  /// Removes all viewers, without ending them.
  mutating func removeAll() -> [StreamViewer] {
    defer { viewers = [:] }
    return all
  }

  /// Removes all viewers for good, without ending them.
  mutating func end() -> [StreamViewer] {
    isOver = true
    return removeAll()
  }
}
#endif
