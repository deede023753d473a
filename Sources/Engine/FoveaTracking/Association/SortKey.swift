// SPDX-License-Identifier: Apache-2.0

/// A sort key and the index of its element.
struct SortKey: Sendable {
  var key: Double
  var index: Int
}

/// Sorts without allocating; the standard library's sort allocates a buffer for each call.
struct KeySorter: Sendable {
  private var buffer: [SortKey] = []

  /// Sorts by ascending key, then by ascending index.
  ///
  /// No key may be NaN. A merge sort that skips sorted runs, so that sorted input takes one pass per level.
  mutating func sort(_ keys: inout [SortKey]) {
    sort(&keys) { $0.key < $1.key || $0.key == $1.key && $0.index < $1.index }
  }

  /// Sorts by a strict order; equal elements keep their order.
  @inline(__always)
  mutating func sort(_ keys: inout [SortKey], by precedes: (SortKey, SortKey) -> Bool) {
    let run = 16
    var start = 0
    var span = keys.mutableSpan
    while start < span.count {
      let end = min(start + run, span.count)
      for unsorted in start + 1..<max(end, start + 1) {
        let element = span[unsorted]
        var place = unsorted
        while place > start, precedes(element, span[place - 1]) {
          span[place] = span[place - 1]
          place -= 1
        }
        span[place] = element
      }
      start = end
    }
    var width = run
    while width < keys.count {
      merge(&keys, width: width, by: precedes)
      width *= 2
    }
  }

  @inline(__always)
  private mutating func merge(_ keys: inout [SortKey], width: Int, by precedes: (SortKey, SortKey) -> Bool) {
    var start = 0
    while start + width < keys.count {
      let middle = start + width
      let end = min(middle + width, keys.count)
      if precedes(keys[middle], keys[middle - 1]) {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: keys[start..<middle])
        var left = 0
        var right = middle
        var place = start
        while left < buffer.count {
          if right < end, precedes(keys[right], buffer[left]) {
            keys[place] = keys[right]
            right += 1
          } else {
            keys[place] = buffer[left]
            left += 1
          }
          place += 1
        }
      }
      start = end
    }
  }
}
