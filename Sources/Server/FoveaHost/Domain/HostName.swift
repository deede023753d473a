// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The forms of names that Google's clients accept, and no others.
package enum HostName {
  /// A model's display name, a tag or a channel: 1 to 32 letters, digits, `_` and `-`.
  package static func isName(_ text: String) -> Bool { isWord(text, 1...32) { $0 == "_" || $0 == "-" } }

  /// A project: 1 to 30 lower-case letters, digits and `-`.
  ///
  /// Google's Python clients alone refuse one of fewer than 6; see ``isProjectOfGoogle(_:)``.
  package static func isProject(_ text: String) -> Bool {
    isWord(text, 1...30) { $0 == "-" } && !text.unicodeScalars.contains { ("A"..."Z").contains($0) }
  }

  /// Whether Google's Python clients take a project, too.
  package static func isProjectOfGoogle(_ text: String) -> Bool { isProject(text) && text.utf8.count >= 6 }

  /// A bucket: 3 to 63 lower-case letters, digits, `_`, `.` and `-`.
  package static func isBucket(_ text: String) -> Bool {
    isWord(text, 3...63) { $0 == "_" || $0 == "-" || $0 == "." }
      && !text.unicodeScalars.contains { ("A"..."Z").contains($0) }
  }

  /// An experiment: 1 to 22 lower-case letters, digits and `-`, as Firebase's clients take it.
  package static func isExperiment(_ text: String) -> Bool {
    isWord(text, 1...22) { $0 == "-" } && !text.unicodeScalars.contains { ("A"..."Z").contains($0) }
  }

  /// The name of events: 1 to 40 letters, digits, `_`, `.` and `-`.
  package static func isMetric(_ text: String) -> Bool {
    isWord(text, 1...40) { $0 == "_" || $0 == "." || $0 == "-" }
  }

  /// A name as a message shows it: printable, in quotes, and short.
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
