// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Testing

@Suite struct PatternTests {
  /// Pattern, texts that match, and texts that do not.
  static let found: [(String, [String], [String])] = [
    ("", ["", "a"], []), ("a", ["a", "bab"], ["", "b", "A"]), ("^a$", ["a"], ["ab", "ba", ""]),
    ("a|bc", ["a", "xbc"], ["b", "c"]), ("a|", ["", "b"], []), ("(ab)+c", ["ababc"], ["ac"]),
    ("^a?b$", ["b", "ab"], ["aab"]), ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]),
    ("^a{2}$", ["aa"], ["aaa"]),
    ("^a{0}b$", ["b"], ["ab"]), ("^a{2,}$", ["aa", "aaaaa"], ["a"]), ("^a*?$", ["", "aaa"], ["b"]),
    (".", ["a", "日"], ["", "\n"]), ("(?s).", ["\n"], [""]), ("(?i)BiRd", ["bird", "BIRD"], ["bud"]),
    ("(?i:B)d", ["bd", "Bd"], ["bD"]), ("(?m)^b$", ["a\nb\nc"], ["ab"]), ("[a-c]", ["b"], ["d", "-"]),
    ("[^a-c]", ["d"], ["b", ""]), ("[]a]", ["]"], ["b"]), ("[a-]", ["-"], ["b"]),
    ("[\\d.]", ["5", "."], ["a"]),
    ("[[:alpha:]]", ["x"], ["5"]), ("[[:^digit:]]", ["x"], ["5"]), ("\\d+\\.\\d", ["v1.2"], ["1x2"]),
    ("\\bcat\\b", ["a cat.", "cat"], ["cats"]), ("\\Bat", ["cat"], ["at"]), ("\\Aab\\z", ["ab"], ["ab\n"]),
    ("\\x41\\x{1F600}", ["A😀"], ["A"]), ("\\w\\s\\S\\W\\D", ["a b-x"], ["abcde"]),
    ("(?P<n>a)b", ["ab"], ["b"]),
    ("(?:a|b)*c", ["ababc", "c"], ["ab"]), ("\\.\\*\\\\", [".*\\"], ["x"]), ("(a*)*b", ["aaab"], ["aaa"]),
    ("(|a)+$", ["aaa", ""], []), ("日本", ["日本語"], ["日"]),
  ]

  @Test(arguments: found)
  func `a pattern matches what RE2 matches`(pattern: String, found: [String], missed: [String]) throws {
    let program = try PatternProgram(pattern)
    for text in found { #expect(program.matches(in: text), "\(pattern) in \(text)") }
    for text in missed { #expect(!program.matches(in: text), "\(pattern) in \(text)") }
  }

  @Test func `patterns that make others backtrack take one step per character`() throws {
    let text = String(repeating: "a", count: 500) + "!"
    for pattern in ["(a+)+$", "^(a|aa)*$", "(a*)*b", "(.*.*)*x", "(a?){200}a{200}$", "(?:(?:a+)+)+b"] {
      let program = try PatternProgram(pattern)
      #expect(!program.matches(in: text), "\(pattern)")
      #expect(program.count <= PatternProgram.mostSteps)
    }
  }

  static let refused: [(String, Int, String)] = [
    ("(", 1, "the group has no ')'"), (")", 1, "')' does not close a group"),
    ("a)", 2, "')' does not close a group"),
    ("[a", 1, "the class has no ']'"), ("*a", 1, "'*' has nothing to repeat"),
    ("a**", 3, "'*' repeats a repetition"),
    ("a\\", 2, "the pattern ends after a '\\'"), ("\\1", 2, "'\\1' is not supported"),
    ("\\p{L}", 2, "'\\p' is not supported"),
    ("(?=a)", 3, "'(?=' is not supported, and neither are backreferences and lookaround"),
    ("[z-a]", 2, "the range of the class ends before it starts"),
    ("a{2,1}", 2, "a part can be repeated 0 to 1000 times, the smaller number first"),
    ("a{1001}", 2, "a part can be repeated 0 to 1000 times, the smaller number first"),
    ("a{x}", 2, "'{' starts {n}, {n,} or {n,m}; write '\\{' for the character"),
    ("[[:nope:]]", 8, "'[:nope:]' is not a class of characters"),
    ("\\x4", 4, "'\\x' needs two hexadecimal digits, or up to six in braces"),
    ("(a{1000}){1000}", 1, "the pattern has more than 2000 steps, including its repeated parts"),
    (String(repeating: "(", count: 51), 51, "groups nest deeper than 50 levels"),
    (String(repeating: "a", count: 1001), 1, "the pattern has more than 1,000 bytes"),
  ]

  @Test(arguments: refused)
  func `an unsupported construct is rejected with its place`(
    pattern: String, position: Int, reason: String
  ) {
    let failure = #expect(throws: PatternFailure.self) { try PatternProgram(pattern) }
    #expect(failure?.position == position)
    #expect(failure?.reason == reason)
  }
}
#endif
