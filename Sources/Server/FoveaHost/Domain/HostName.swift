// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The forms of names that Google's clients accept, and no others.
package enum HostName {
  /// Checks a model's display name, a tag or a channel: 1 to 32 letters, digits, `_` and `-`.
  package static func isName(_ text: String) -> Bool { isWord(text, 1...32) { $0 == "_" || $0 == "-" } }

  /// Checks a project: 1 to 30 lower-case letters, digits and `-`.
  ///
  /// Only Google's Python clients reject one shorter than 6; see ``isProjectOfGoogle(_:)``.
  package static func isProject(_ text: String) -> Bool {
    isWord(text, 1...30) { $0 == "-" } && !text.unicodeScalars.contains { ("A"..."Z").contains($0) }
  }

  /// Returns whether Google's Python clients accept a project too.
  package static func isProjectOfGoogle(_ text: String) -> Bool { isProject(text) && text.utf8.count >= 6 }

  /// Checks a bucket: 3 to 63 lower-case letters, digits, `_`, `.` and `-`.
  package static func isBucket(_ text: String) -> Bool {
    isWord(text, 3...63) { $0 == "_" || $0 == "-" || $0 == "." }
      && !text.unicodeScalars.contains { ("A"..."Z").contains($0) }
  }

  /// Checks an experiment's id: 1 to 22 lower-case letters, digits and `-`, as Firebase's clients accept it.
  package static func isExperiment(_ text: String) -> Bool {
    isWord(text, 1...22) { $0 == "-" } && !text.unicodeScalars.contains { ("A"..."Z").contains($0) }
  }

  /// Checks the name of events: 1 to 40 letters, digits, `_`, `.` and `-`.
  package static func isMetric(_ text: String) -> Bool {
    isWord(text, 1...40) { $0 == "_" || $0 == "." || $0 == "-" }
  }

  /// Checks a domain: labels of 1 to 63 letters, digits and `-`, with a `.` between them, at most 253 bytes.
  ///
  /// A last label of digits would make it an address.
  package static func isDomain(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return isWord(text, 1...253) { $0 == "-" || $0 == "." }
      && labels.allSatisfy {
        (1...63).contains($0.utf8.count) && !$0.hasPrefix("-") && !$0.hasSuffix("-")
      }
      && labels.last?.allSatisfy(\.isNumber) == false
  }

  /// Returns a name for messages: printable, in quotes, at most 40 characters.
  package static func shown(_ text: String) -> String {
    let printable = String(text.prefix(40)).printable
    return "'\(printable)\(text.count > 40 ? "…" : "")'"
  }

  private static func isWord(
    _ text: String, _ length: ClosedRange<Int>, _ isMark: (Unicode.Scalar) -> Bool
  ) -> Bool {
    length.contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || isMark($0)
      }
  }
}
#endif
