// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

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
    return CSVFields.line(cells.map(unexecuted))
  }

  /// Prefixes text that a spreadsheet would run as a formula with an apostrophe.
  private static func unexecuted(_ text: String) -> String {
    // A byte: "=" with an accent is one character.
    let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
    return isFormula ? "'" + text : text
  }
}
#endif
