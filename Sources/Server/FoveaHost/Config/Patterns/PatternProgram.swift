// SPDX-License-Identifier: Apache-2.0
#if Server
/// A regular expression whose search time is proportional to its size and the text's.
///
/// A subset of RE2's syntax, compiled into a machine that follows all its paths at once, so no pattern makes
/// it backtrack: `(a+)+$` costs as much as `a+$`. Features beyond such a machine are refused: backreferences
/// and lookaround.
///
/// **Source:** K. Thompson, "Regular Expression Search Algorithm", CACM 11 (1968); R. Cox, "Regular
/// Expression Matching: the Virtual Machine Approach" (2009).
package struct PatternProgram: Sendable, Hashable {
  /// The maximum size of a pattern in bytes.
  package static let longestPattern = 1_000
  /// The maximum number of steps of a machine; each repetition of a part counts.
  package static let mostSteps = 2_000
  /// The maximum of a counted repetition.
  static let mostRepeats = 1_000
  /// The maximum depth of groups.
  static let deepestGroup = 50

  /// One step of the machine.
  enum Step: Sendable, Hashable {
    /// Consumes a character of the set.
    case take(PatternSet)
    /// Continues at both.
    case split(Int, Int)
    case jump(Int)
    /// Continues if the position in the text is of this kind.
    case check(Place)
    case found
  }

  /// A position between characters.
  enum Place: Sendable, Hashable { case start, end, lineStart, lineEnd, wordEdge, noWordEdge }

  /// The source of the pattern.
  package let text: String
  let steps: [Step]

  /// The number of steps: the maximum cost of one character of a string.
  package var count: Int { steps.count }

  /// Compiles a pattern.
  /// - Throws: The reason why it is invalid, and the position of the character.
  package init(_ pattern: String) throws(PatternFailure) {
    var parser = try PatternParser(pattern)
    let root = try parser.parse()
    var compiler = PatternCompiler()
    try compiler.add(root)
    steps = compiler.steps + [.found]
    text = pattern
  }

  /// Returns whether the pattern matches a part of the text, or all of it.
  package func matches(in text: String) -> Bool {
    var run = PatternRun(steps)
    let scalars = Array(text.unicodeScalars)
    for index in 0...scalars.count {
      let before = index > 0 ? scalars[index - 1] : nil
      let next = index < scalars.count ? scalars[index] : nil
      if run.advance(from: before, over: next) { return true }
    }
    return false
  }
}

/// The reason why a pattern cannot be compiled.
package struct PatternFailure: Error, Equatable {
  /// The number of the character, from 1.
  package let position: Int
  /// The reason, without a final stop.
  package let reason: String
}
#endif
