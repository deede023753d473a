// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Reads a pattern: characters, `.`, classes, groups, `|`, `* + ?` and `{n,m}`, `^ $ \A \z \b \B`, and the
/// flags `i`, `m`, `s` and `U`.
///
/// **Source:** RE2's page of syntax, without its Unicode classes, `\C` and `\Q`.
struct PatternParser {
  private struct Flags {
    var ignoresCase = false
    var isMultiLine = false
    var dotTakesAll = false
  }

  private let scalars: [Unicode.Scalar]
  var index = 0
  private var flags = Flags()
  private var depth = 0

  init(_ pattern: String) throws(PatternFailure) {
    guard pattern.utf8.count <= PatternProgram.longestPattern else {
      throw PatternFailure(
        position: 1,
        reason: "the pattern has more than \(DecimalText.grouped(PatternProgram.longestPattern)) bytes")
    }
    scalars = Array(pattern.unicodeScalars)
  }

  mutating func parse() throws(PatternFailure) -> PatternNode {
    let node = try choice()
    guard index == scalars.count else { throw failure("')' does not close a group") }
    return node
  }

  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  func failure(_ reason: String) -> PatternFailure { PatternFailure(position: index + 1, reason: reason) }

  /// Returns the set in both cases, if the pattern ignores case.
  func cased(_ set: PatternSet) -> PatternSet { flags.ignoresCase ? set.inBothCases : set }

  private mutating func choice() throws(PatternFailure) -> PatternNode {
    var choices = [try sequence()]
    while take("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternFailure) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      guard let atom = try atom() else { continue }
      nodes.append(try repeated(atom))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// Reads a part that can be repeated; nil for flags without a group.
  private mutating func atom() throws(PatternFailure) -> PatternNode? {
    guard let scalar = next else { return nil }
    switch scalar {
    case "(": return try group()
    case "[": return .set(cased(try set()))
    case "*", "+", "?": throw failure("'\(scalar)' has nothing to repeat")
    case ".":
      index += 1
      return .set(flags.dotTakesAll ? .all : .noLineEnd)
    case "^":
      index += 1
      return .place(flags.isMultiLine ? .lineStart : .start)
    case "$":
      index += 1
      return .place(flags.isMultiLine ? .lineEnd : .end)
    case "\\": return try escape()
    default:
      index += 1
      return .set(cased(PatternSet(scalar)))
    }
  }

  private mutating func escape() throws(PatternFailure) -> PatternNode {
    guard index + 1 < scalars.count else { throw failure("the pattern ends after a '\\'") }
    let places: [Unicode.Scalar: PatternProgram.Place] = [
      "A": .start, "z": .end, "b": .wordEdge, "B": .noWordEdge,
    ]
    if let place = places[scalars[index + 1]] {
      index += 2
      return .place(place)
    }
    return .set(cased(try escapedSet()))
  }

  private mutating func group() throws(PatternFailure) -> PatternNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PatternProgram.deepestGroup else {
      throw failure("groups nest deeper than \(PatternProgram.deepestGroup) levels")
    }
    let start = index
    let outer = flags
    index += 1
    if take("?"), try !opening() { return nil }
    let node = try choice()
    guard take(")") else { throw PatternFailure(position: start + 1, reason: "the group has no ')'") }
    flags = outer
    return node
  }

  /// Reads the text after `(?`.
  /// - Returns: Whether a group follows, instead of flags that apply from this point on.
  private mutating func opening() throws(PatternFailure) -> Bool {
    if take("P") || next == "<" {
      guard take("<") else { throw failure("a named group is written (?P<name>…)") }
      let begin = index
      while let scalar = next, PatternSet.words.contains(scalar) { index += 1 }
      guard index > begin, take(">") else {
        throw failure("the name of a group is letters, digits and '_', then '>'")
      }
      return true
    }
    var sets = true
    while let scalar = next {
      index += 1
      switch scalar {
      case ":": return true
      case ")": return false
      case "-": sets = false
      case "i": flags.ignoresCase = sets
      case "m": flags.isMultiLine = sets
      case "s": flags.dotTakesAll = sets
      // Greediness affects which match is found, not whether there is one.
      case "U": break
      default:
        index -= 1
        throw failure("'(?\(scalar)' is not supported, and neither are backreferences and lookaround")
      }
    }
    throw failure("the group has no ')'")
  }

  private mutating func repeated(_ atom: PatternNode) throws(PatternFailure) -> PatternNode {
    var least = 0
    var most: Int?
    switch next {
    case "*": index += 1
    case "+":
      least = 1
      index += 1
    case "?":
      most = 1
      index += 1
    case "{":
      guard let counts = try counts() else { return atom }
      (least, most) = counts
    default: return atom
    }
    // A lazy repetition finds the same.
    _ = take("?")
    if let scalar = next, "*+?".unicodeScalars.contains(scalar) {
      throw failure("'\(scalar)' repeats a repetition")
    }
    return .repeated(atom, least: least, most: most)
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; nil if the brace is an ordinary character.
  private mutating func counts() throws(PatternFailure) -> (Int, Int?)? {
    let start = index
    index += 1
    guard let least = number() else {
      index = start + 1
      // The characters read stay part of the sequence: a brace.
      index = start
      return try brace()
    }
    var most: Int? = least
    if take(",") { most = next == "}" ? nil : number() ?? -1 }
    guard take("}") else {
      index = start
      return try brace()
    }
    let limit = PatternProgram.mostRepeats
    guard least <= limit, (most ?? 0) <= limit, most.map({ $0 >= least }) ?? true else {
      index = start
      throw failure("a part can be repeated 0 to \(limit) times, the smaller number first")
    }
    return (least, most)
  }

  private func brace() throws(PatternFailure) -> (Int, Int?)? {
    throw failure("'{' starts {n}, {n,} or {n,m}; write '\\{' for the character")
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = next, PatternSet.digits.contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
      index += 1
    }
    return value
  }
}
#endif
