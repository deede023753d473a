// SPDX-License-Identifier: Apache-2.0
#if Server
/// A regular expression that is searched in time proportional to its size and the text's.
///
/// A subset of RE2's syntax, compiled into a machine that follows all its paths at once, so that no pattern makes it go
/// back: `(a+)+$` costs what `a+$` does. What a machine cannot do is refused: backreferences and looking around.
///
/// **Source:** K. Thompson, "Regular Expression Search Algorithm", CACM 11 (1968); R. Cox, "Regular Expression Matching:
/// the Virtual Machine Approach" (2009).
package struct PatternProgram: Sendable, Hashable {
  /// The most bytes of a pattern.
  package static let longestPattern = 1_000
  /// The most steps of a machine; repeated parts count as often as they are repeated.
  package static let mostSteps = 2_000
  /// The most times that a part is repeated by a number.
  static let mostRepeats = 1_000
  /// How deep groups may nest.
  static let deepestGroup = 50

  /// One step of the machine.
  enum Step: Sendable, Hashable {
    /// Takes a character of the set.
    case take(PatternSet)
    /// Goes on at both.
    case split(Int, Int)
    case jump(Int)
    /// Goes on where the place in the text is such.
    case check(Place)
    case found
  }

  /// A place between characters.
  enum Place: Sendable, Hashable { case start, end, lineStart, lineEnd, wordEdge, noWordEdge }

  /// The pattern as it was written.
  package let text: String
  let steps: [Step]

  /// How many steps it has: what a character of a text costs at most.
  package var count: Int { steps.count }

  /// Compiles a pattern.
  /// - Throws: Why it cannot be one, and at which character.
  package init(_ pattern: String) throws(PatternFailure) {
    var parser = try PatternParser(pattern)
    let root = try parser.parse()
    var compiler = PatternCompiler()
    try compiler.add(root)
    steps = compiler.steps + [.found]
    text = pattern
  }

  /// Whether a part of the text, or all of it, is what the pattern describes.
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

/// Why a pattern cannot be compiled.
package struct PatternFailure: Error, Equatable {
  /// The number of the character, from 1.
  package let position: Int
  /// What is wrong, without a final stop.
  package let reason: String
}
#endif
