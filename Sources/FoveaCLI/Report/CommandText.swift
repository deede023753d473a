// SPDX-License-Identifier: Apache-2.0

/// The command that is running, as a shell reads it.
enum CommandText {
  /// The program and its arguments.
  static var current: String { CommandLine.arguments.dropFirst().reduce("fovea") { $0 + " " + quoted($1) } }

  private static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
    return isPlain
      ? argument
      : "'" + argument.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
  }
}
