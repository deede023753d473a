// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The address of a PostgreSQL database, as libpq reads it:
/// `postgres://user@host,standby/fovea?sslmode=verify-full`.
package struct PostgresAddress: Sendable, Equatable {
  /// The address, which contains no password.
  package let text: String

  /// - Throws: `invalid` for another scheme or a password, which every user of the machine could read.
  package init(_ text: String) throws(HostError) {
    guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix) else {
      throw HostError(
        .invalid, "\(HostName.shown(text)) does not start with postgres://",
        remedy: "Give postgres://user@host/database")
    }
    let rest = text.dropFirst(scheme.count)
    let authority = String(rest.prefix { $0 != "/" && $0 != "?" })
    let user = authority.split(separator: "@", omittingEmptySubsequences: false).dropLast().joined()
    guard !user.contains(":"), !rest.contains("password=") else {
      throw HostError(
        .invalid, "The address contains a password, which other users of this machine can read",
        remedy: "Remove it, and write it to ~/.pgpass, or set PGPASSWORD")
    }
    self.text = text
    let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
    let hosts = authority[start...].split(separator: ",", omittingEmptySubsequences: false)
    isReplicated = hosts.count > 1
    texts =
      hosts.count == 1
      ? [text] : hosts.map { scheme + authority[..<start] + $0 + rest.dropFirst(authority.count) }
  }

  private init(server: String) { (text, texts, isReplicated) = (server, [server], true) }

  /// Whether the address is that of several servers, or of one of several.
  private let isReplicated: Bool
  private let texts: [String]

  /// The servers, each with an address of its own.
  var servers: [PostgresAddress] { isReplicated ? texts.map { Self(server: $0) } : [self] }

  /// The parameters of a connection; those of the address override the others.
  var parameters: [(String, String)] {
    // Of several servers, the one that can be written.
    let attributes = isReplicated ? [("target_session_attrs", "read-write")] : []
    return [
      ("application_name", "fovea-host"), ("client_encoding", "UTF8"), ("tcp_user_timeout", "5000"),
      ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
      (
        "options",
        "-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=5000 "
          + "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 "
          + "-c synchronous_commit=on"
      ),
    ] + attributes + [("dbname", text)]
  }
}
#endif
