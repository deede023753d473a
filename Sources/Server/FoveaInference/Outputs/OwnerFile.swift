// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Files with a password or secret, which only their owner may read.
enum OwnerFile {
  private static let limit = 65_537

  /// Reads the only line of a file.
  /// - Parameters:
  ///   - path: The path.
  ///   - content: The content in errors, such as "password of the broker".
  /// - Returns: The line, without its end.
  /// - Throws: `option-invalid`, without any of the file's content.
  static func line(_ path: String, _ content: String) throws(FoveaError) -> String {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: limit) } catch {
      throw .optionInvalid(
        "The \(content) in '\(path.printable)' cannot be read: \(error.message)",
        remedy: "Check the path and the permissions of the file")
    }
    guard let status = FileStatus(FilePath(path)), status.permissions & 0o077 == 0 else {
      throw .optionInvalid(
        "Other users can read the \(content) in '\(path.printable)'",
        remedy: "Restrict it to its owner: chmod 600")
    }
    let lines = String(validating: bytes, as: UTF8.self)?.split(whereSeparator: \.isNewline)
    guard let lines, lines.count == 1, let line = lines.first else {
      throw .optionInvalid(
        "The \(content) in '\(path.printable)' is not one line of text", remedy: "Write it into one line")
    }
    return String(line)
  }
}
#endif
