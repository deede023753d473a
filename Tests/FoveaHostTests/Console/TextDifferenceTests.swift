// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaHost

@Suite struct TextDifferenceTests {
  @Test(
    arguments: [
      ("", "", []),
      ("a", "a", []),
      ("", "a", ["-", "+a"]),
      ("a", "", ["-a", "+"]),
      ("a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]),
      ("a\nb", "b\na", ["-a", " b", "+a"]),
      ("1\n2\n3\n4\n5", "1\n2\n3\n4\n5\n6", ["…", " 3", " 4", " 5", "+6"]),
      (
        "0\n1\n2\n3\n4\n5\n6\n7", "x\n1\n2\n3\n4\n5\n6\ny",
        [
          "-0", "+x", " 1", " 2", " 3", " 4", " 5", " 6", "-7", "+y",
        ]
      ),
      (
        "0\n1\n2\n3\n4\n5\n6\n7\n8", "x\n1\n2\n3\n4\n5\n6\n7\ny",
        [
          "-0", "+x", " 1", " 2", " 3", "…", " 5", " 6", " 7", "-8", "+y",
        ]
      ),
      ("a\na\na", "a\na", [" a", " a", "-a"]),
    ] as [(String, String, [String])])
  func `a difference has the changed lines and three around them`(
    _ old: String, _ new: String, _ expected: [String]
  ) {
    let lines = TextDifference(from: old, to: new).lines?.map { line in
      switch line.kind {
      case .kept: " " + line.text
      case .added: "+" + line.text
      case .removed: "-" + line.text
      case .gap: line.text
      }
    }
    #expect(lines == expected)
  }

  @Test func `texts that differ in too many lines are not compared`() {
    let lines = (0..<TextDifference.most + 1).map { "line \($0)" }.joined(separator: "\n")
    #expect(TextDifference(from: "", to: lines).lines == nil)
    // Common parts at both ends do not count.
    #expect(TextDifference(from: lines, to: lines + "\nend").lines?.count == 5)
  }
}
#endif
