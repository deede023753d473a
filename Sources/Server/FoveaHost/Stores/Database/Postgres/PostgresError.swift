// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// An error of PostgreSQL, or of the connection to it.
struct PostgresError: Error {
  /// The SQLSTATE: five characters.
  var code: String
  var message: String
  /// The address of the database.
  var place: String
  /// True if the connection has ended.
  var isLost = false
  /// True if the connection ended while the server committed, so that the result is not known.
  var isInDoubt = false

  /// The code of a server that has missed changes: PostgreSQL's own for one that rejects connections.
  static let outdated = "08004"

  /// True if the server cannot be reached.
  var isOutage: Bool { isLost || code.hasPrefix("08") || code.hasPrefix("57P") }

  /// Whether a statement was prepared before a newer program added a column; another connection prepares it
  /// again.
  var isPlanOutdated: Bool { code == "0A000" }

  /// Whether another transaction was in the way, and the same one may succeed when repeated.
  var isConflict: Bool { ["40001", "40P01"].contains(code) }

  /// An error while connecting, whose code is in the text: `FATAL:  28P01: password …`.
  init(connecting text: String, to place: String) {
    let found = text.split(separator: ":").lazy.map { $0.drop { $0 == " " } }.first { word in
      word.utf8.count == 5 && word.utf8.contains { $0.isASCIIDigit }
        && word.utf8.allSatisfy { $0.isASCIIDigit || (0x41...0x5A).contains($0) }
    }
    // The place in the server's source, which verbose messages end with.
    let message = text.firstRange(of: " LOCATION:").map { String(text[..<$0.lowerBound]) } ?? text
    (code, self.message, self.place) = (found.map { String($0) } ?? "08001", message, place)
    if message.contains("session is read-only") { code = "25006" }
  }

  init(code: String, message: String, place: String, isLost: Bool = false) {
    (self.code, self.message, self.place, self.isLost) = (code, message, place, isLost)
  }
}

extension HostError {
  /// Converts an error of PostgreSQL.
  ///
  /// Clients of the host may see message and remedy, so the address and the server's text are only in the
  /// subject.
  init(_ error: PostgresError) {
    let (code, message, remedy) = error.isInDoubt ? Self.inDoubt : Self.known(error)
    self.init(code, message, remedy: remedy, subject: "\(error.place) (\(error.message))", cause: error)
  }

  private static let inDoubt: (HostCode, String, Advice) = (
    .unavailable, "The database was lost during a change, which it may have stored",
    "Check whether the change is there, and repeat it if not"
  )

  private static func known(_ error: PostgresError) -> (HostCode, String, Advice) {
    switch error.code {
    case "28000", "28P01":
      (
        .unavailable, "The database refused the user or the password",
        "Check the user in \(flag: "metadata"), and ~/.pgpass or PGPASSWORD"
      )
    case "3D000":
      (
        .unavailable, "The database does not exist",
        "Create it with createdb, or correct the address of \(flag: "metadata")"
      )
    case "25006":
      (
        .unavailable, "The database can only be read",
        "Give the address of the primary server in \(flag: "metadata")"
      )
    case PostgresError.outdated:
      (
        .unavailable, "The database is an older copy than the one that this host has used",
        "Make the old primary a standby of the new one; to use it all the same, start the hosts again"
      )
    case "42501", "3F000":
      (
        .unavailable, "The user may not create or change tables in the database",
        "Make the user its owner: createdb -O USER DATABASE"
      )
    case "53100": (.diskFull, "The disk of the database is full", "Free some space on the server's disk")
    case "53300":
      (
        .unavailable, "The database accepts no more connections",
        "Raise max_connections of the server; a host uses up to 6"
      )
    case "55P03":
      (
        .unavailable, "Another process uses the database",
        "Try again in a few seconds; hosts can share a database only if all keep their files in one bucket, "
          + "with \(flag: "blobs")"
      )
    case "22021": (.invalid, "A text contains a zero byte", "Send it without")
    case "57014": (.unavailable, "The database did not answer in time", "Try again in a few seconds")
    case _ where error.isConflict:
      (.unavailable, "Other changes were in the way five times", "Try again in a few seconds")
    case _ where error.isOutage:
      (
        .unavailable, "The database cannot be reached",
        "Check the address of \(flag: "metadata"), the server and the network"
      )
    default:
      (.inner, "The database rejected a change (code \(error.code))", "Report it with this text")
    }
  }
}
#endif
