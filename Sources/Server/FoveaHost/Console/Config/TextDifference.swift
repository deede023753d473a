// SPDX-License-Identifier: Apache-2.0
#if Server
/// The differences between two strings, line by line.
struct TextDifference {
  /// A line for a page.
  struct Line: Equatable {
    enum Kind: Equatable {
      case kept, added, removed
      /// Represents omitted lines that are the same.
      case gap
    }

    let kind: Kind
    let text: String
  }

  /// The maximum number of differing lines: more take too long to compare, and no one reads them.
  static let most = 2_000
  /// The number of unchanged lines shown before and after each difference.
  private static let context = 3

  /// Nil if more than ``most`` lines differ.
  let lines: [Line]?

  init(from old: String, to new: String) {
    let before = old.split(separator: "\n", omittingEmptySubsequences: false)
    let after = new.split(separator: "\n", omittingEmptySubsequences: false)
    let head = zip(before, after).prefix { $0 == $1 }.count
    let most = min(before.count, after.count) - head
    let tail = zip(before.reversed(), after.reversed()).prefix(most).prefix { $0 == $1 }.count
    let (oldPart, newPart) = (before[head..<before.count - tail], after[head..<after.count - tail])
    guard max(oldPart.count, newPart.count) <= Self.most else {
      lines = nil
      return
    }
    var all = before[..<head].map { Line(kind: .kept, text: String($0)) }
    all += Self.merged(Array(oldPart), Array(newPart))
    all += after[(after.count - tail)...].map { Line(kind: .kept, text: String($0)) }
    lines = Self.shortened(all)
  }

  private static func merged(_ old: [Substring], _ new: [Substring]) -> [Line] {
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .insert(let offset, _, _): added.insert(offset)
      case .remove(let offset, _, _): removed.insert(offset)
      }
    }
    var lines: [Line] = []
    var (first, second) = (0, 0)
    while first < old.count || second < new.count {
      if first < old.count, removed.contains(first) {
        lines.append(Line(kind: .removed, text: String(old[first])))
        first += 1
      } else if second < new.count, added.contains(second) {
        lines.append(Line(kind: .added, text: String(new[second])))
        second += 1
      } else {
        lines.append(Line(kind: .kept, text: String(new[second])))
        first += 1
        second += 1
      }
    }
    return lines
  }

  /// Omits unchanged lines far from each difference.
  private static func shortened(_ all: [Line]) -> [Line] {
    var isShown = [Bool](repeating: false, count: all.count)
    for (index, line) in all.enumerated() where line.kind != .kept {
      for near in max(0, index - context)...min(all.count - 1, index + context) { isShown[near] = true }
    }
    var lines: [Line] = []
    for (index, line) in all.enumerated() {
      if isShown[index] {
        lines.append(line)
      } else if lines.last?.kind != .gap {
        lines.append(Line(kind: .gap, text: "…"))
      }
    }
    return lines.contains { $0.kind != .gap } ? lines : []
  }
}
#endif
