// SPDX-License-Identifier: Apache-2.0

/// Commands as a shell reads them, for texts that people type or copy.
package enum ShellText {
  /// A word of a command: in quotes if it is empty or has characters that may mean something to a shell.
  package static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
    guard !isPlain else { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// A path as an argument: one that begins with `-` would be an option.
  package static func path(_ path: String) -> String { word(path.hasPrefix("-") ? "./" + path : path) }
}
