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
    let text = text.first.map { "=+-@\t\r".contains($0) } == true ? "'" + text : text
    // Compares scalars, since "\r\n" is one character.
    guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
#endif
