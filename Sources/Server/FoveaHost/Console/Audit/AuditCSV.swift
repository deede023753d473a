// SPDX-License-Identifier: Apache-2.0
#if Server

/// The audit log as CSV.
///
/// **Source:** RFC 4180, with `\n` as line breaks.
enum AuditCSV {
  static let head = "number,time,who,what,about,before,after\n"

  static func line(_ entry: AuditEntry) -> String {
    let cells = [
      String(entry.number), entry.time.text, entry.actor, entry.action, entry.model ?? "",
      entry.before ?? "",
      entry.after ?? "",
    ]
    return cells.map(cell).joined(separator: ",") + "\n"
  }

  /// Quotes text if needed; text that a spreadsheet would run as a formula is prefixed with an apostrophe.
  private static func cell(_ text: String) -> String {
    // Bytes: "\r\n" is one character, and so is "=" with an accent.
    let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
    let text = isFormula ? "'" + text : text
    guard text.utf8.contains(where: { $0 == quote || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
      return text
    }
    var quoted = [quote]
    for byte in text.utf8 {
      if byte == quote { quoted.append(quote) }
      quoted.append(byte)
    }
    quoted.append(quote)
    return String(decoding: quoted, as: UTF8.self)
  }

  private static let quote = UInt8(ascii: "\"")
}
#endif
