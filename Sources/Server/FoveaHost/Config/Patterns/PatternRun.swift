// SPDX-License-Identifier: Apache-2.0
#if Server
/// The paths of a pattern's machine through a string, all at once.
struct PatternRun {
  private let steps: [PatternProgram.Step]
  /// The steps that wait for the next character.
  private var waiting: [Int] = []
  /// The number of the position at which each step was last reached.
  private var reached: [Int]
  private var place = 0
  private var stack: [Int] = []

  init(_ steps: [PatternProgram.Step]) {
    self.steps = steps
    reached = [Int](repeating: -1, count: steps.count)
  }

  /// Advances over one character, nil at the end of the text.
  /// - Returns: Whether the pattern is found.
  mutating func advance(from before: Unicode.Scalar?, over next: Unicode.Scalar?) -> Bool {
    // A match may start at each position.
    if follow(0, before, next) { return true }
    guard let next else { return false }
    let old = waiting
    waiting.removeAll(keepingCapacity: true)
    place += 1
    pending.removeAll(keepingCapacity: true)
    for index in old {
      if case .take(let set) = steps[index], set.contains(next) { pending.append(index + 1) }
    }
    return false
  }

  /// The steps after the last consumed character.
  private var pending: [Int] = []

  /// Follows all steps that consume no character, from the reached steps and from `start`.
  private mutating func follow(_ start: Int, _ before: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    stack.removeAll(keepingCapacity: true)
    stack.append(start)
    stack.append(contentsOf: pending)
    while let index = stack.popLast() {
      guard reached[index] != place else { continue }
      reached[index] = place
      switch steps[index] {
      case .found: return true
      case .take: waiting.append(index)
      case .jump(let target): stack.append(target)
      case .split(let first, let second):
        stack.append(second)
        stack.append(first)
      case .check(let kind): if PatternRun.holds(kind, before, next) { stack.append(index + 1) }
      }
    }
    return false
  }

  private static func holds(
    _ place: PatternProgram.Place, _ before: Unicode.Scalar?, _ next: Unicode.Scalar?
  ) -> Bool {
    switch place {
    case .start: before == nil
    case .end: next == nil
    case .lineStart: before == nil || before == "\n"
    case .lineEnd: next == nil || next == "\n"
    case .wordEdge: isWord(before) != isWord(next)
    case .noWordEdge: isWord(before) == isWord(next)
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { PatternSet.words.contains($0) } ?? false
  }
}
#endif
