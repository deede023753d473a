// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// The tables of a host's database and their version number.
enum DatabaseSchema {
  /// The version that this program reads and writes: the number of steps.
  static let number = steps.count

  /// The statements that make each version from the previous one; never edit steps of a released program.
  static let steps = [models, config, experiments, keyLabels, downloads]

  /// Creates the tables in a new database, and those missing in an older one.
  /// - Throws: `folder` if a newer program or another application made the database; errors of the database.
  static func prepare(_ database: SQLiteConnection) throws {
    try prepare(database, version: version(database)) { $0 }
  }

  /// Creates the tables that a database of this version lacks, by statements in its dialect.
  static func prepare(
    _ database: any SQLConnection, version found: Int?, dialect: (String) -> String
  ) throws {
    for statement in steps[(found ?? 0)...].joined() { try database.execute(dialect(statement)) }
    switch found {
    case nil: try database.execute("INSERT INTO schema (number) VALUES (?)", [number])
    case number: break
    default: try database.execute("UPDATE schema SET number = ?", [number])
    }
  }

  /// Returns the version of the tables of a file; nil for a new one.
  /// - Throws: The errors of `prepare`.
  static func version(_ database: SQLiteConnection) throws -> Int? {
    try version(
      database, tables: database.values(String.self, "SELECT name FROM sqlite_master WHERE type = 'table'"),
      other: "Give the folder that init created")
  }

  /// Returns the version of a database with these tables; nil without tables.
  ///
  /// `other` is the remedy for the database of another program.
  static func version(_ database: any SQLConnection, tables: [String], other: Advice) throws -> Int? {
    guard tables.contains("schema"), tables.contains(where: { $0.lowercased() == "hostkey" }) else {
      guard tables.isEmpty else {
        throw HostError(.folder, "The database does not belong to a model host", remedy: other)
      }
      return nil
    }
    let found = try database.value(Int.self, "SELECT number FROM schema") ?? 0
    guard (1...number).contains(found) else {
      throw HostError(
        .folder, "The database has version \(found); this program supports versions up to \(number)",
        remedy: "Use the fovea-server that wrote it, or a newer one")
    }
    return found
  }

  /// Models, versions, keys, objects and the audit log.
  private static let models = [
    "CREATE TABLE schema (number INTEGER NOT NULL) STRICT",
    // Values used in queries have their own columns; the rest of a model is JSON in `state`.
    """
    CREATE TABLE model (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      project TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
      created INTEGER NOT NULL, updated INTEGER NOT NULL, revision INTEGER NOT NULL,
      seed TEXT NOT NULL, state TEXT NOT NULL,
      UNIQUE (project, name), UNIQUE (project, id)
    ) STRICT
    """,
    // Ids of deleted models are never used again.
    "CREATE TABLE usedID (project TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (project, id)) STRICT",
    """
    CREATE TABLE version (
      model INTEGER NOT NULL REFERENCES model (key) ON DELETE CASCADE,
      number INTEGER NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, created INTEGER NOT NULL,
      author TEXT NOT NULL, notes TEXT NOT NULL, facts TEXT NOT NULL,
      isWithdrawn INTEGER NOT NULL, retired INTEGER,
      PRIMARY KEY (model, number)
    ) STRICT
    """,
    "CREATE INDEX versionFile ON version (sha256)",
    """
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, actor TEXT NOT NULL,
      action TEXT NOT NULL, project TEXT NOT NULL, model TEXT, before TEXT, after TEXT
    ) STRICT
    """,
    "CREATE INDEX auditOfModel ON audit (project, model, number)",
    """
    CREATE TABLE object (
      bucket TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
      crc32c INTEGER NOT NULL, generation INTEGER NOT NULL, created INTEGER NOT NULL,
      PRIMARY KEY (bucket, name)
    ) STRICT
    """,
    "CREATE INDEX objectTime ON object (created)",
    """
    CREATE TABLE hostKey (
      id TEXT PRIMARY KEY NOT NULL, project TEXT NOT NULL, role TEXT NOT NULL, name TEXT NOT NULL,
      publicKey TEXT, digest TEXT, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER
    ) STRICT
    """,
    // Written by a store after a failed write, to find out whether writes succeed again.
    "CREATE TABLE probe (number INTEGER NOT NULL) STRICT",
    "INSERT INTO probe (number) VALUES (0)",
  ]
}

extension DatabaseSchema {
  /// The templates of Remote Config: each version is one JSON text.
  static let config = [
    """
    CREATE TABLE config (
      project TEXT NOT NULL, namespace TEXT NOT NULL, number INTEGER NOT NULL,
      created INTEGER NOT NULL, version TEXT NOT NULL, template TEXT NOT NULL,
      PRIMARY KEY (project, namespace, number)
    ) STRICT
    """
  ]
}

extension DatabaseSchema {
  /// The label that the creator of a key gives it.
  static let keyLabels = ["ALTER TABLE hostKey ADD COLUMN label TEXT"]
}
#endif
