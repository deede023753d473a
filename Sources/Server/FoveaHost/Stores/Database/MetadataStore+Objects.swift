// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns an uploaded object by bucket and name.
  package func object(bucket: String, name: String) async throws(HostError) -> StoredObject? {
    guard !name.utf8.contains(0) else { return nil }
    return try await read { try Self.object(bucket: bucket, name: name, $0) }
  }

  /// Returns objects in the byte order of their names: at most `limit` after a name, whose names begin with
  /// `prefix`.
  package func objects(
    bucket: String, prefix: String, after name: String, limit: Int
  ) async throws(HostError) -> [StoredObject] {
    guard !prefix.utf8.contains(0), !name.utf8.contains(0) else { return [] }
    return try await read { database in
      try database.rows(
        """
        SELECT * FROM object WHERE bucket = ? AND name > ? AND substr(name, 1, CAST(? AS INTEGER)) = ?
        ORDER BY name LIMIT ?
        """, [bucket, name, prefix.unicodeScalars.count, prefix, max(limit, 0)]
      ).map(Self.object)
    }
  }

  /// Adds an object, or replaces the object of the same name.
  ///
  /// `condition` gets the existing object, nil if there is none; its error is rethrown, and nothing changes.
  /// - Returns: The object; its generation is greater than the previous object's, independent of the clock.
  @discardableResult
  package func put(
    _ object: StoredObject, if condition: @escaping @Sendable (StoredObject?) throws(HostError) -> Void
  ) async throws(HostError) -> StoredObject {
    try Self.checkText(object.name)
    return try await write { database in
      let present = try Self.object(bucket: object.bucket, name: object.name, database)
      try condition(present)
      var object = object
      object.generation = max(object.generation, (present?.generation ?? 0) + 1)
      try database.execute(
        """
        INSERT INTO object (bucket, name, sha256, size, crc32c, generation, created)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (bucket, name) DO UPDATE SET sha256 = excluded.sha256, size = excluded.size,
          crc32c = excluded.crc32c, generation = excluded.generation, created = excluded.created
        """,
        [
          object.bucket, object.name, object.sha256, object.size, Int64(object.crc32c), object.generation,
          object.created.milliseconds,
        ])
      return object
    }
  }

  /// Removes an object if `condition` allows it, as for ``put(_:if:)``; its bytes are removed when nothing
  /// else uses them.
  package func removeObject(
    bucket: String, name: String,
    if condition: @escaping @Sendable (StoredObject?) throws(HostError) -> Void
  ) async throws(HostError) {
    try Self.checkText(name)
    try await write { database in
      try condition(try Self.object(bucket: bucket, name: name, database))
      try database.execute("DELETE FROM object WHERE bucket = ? AND name = ?", [bucket, name])
    }
  }

  /// Returns the size of each file that a version, unless withdrawn, or an object names, by its SHA-256.
  func fileSizes() async throws(HostError) -> [String: Int64] {
    try await read { database in
      let rows = try database.rows(
        "SELECT sha256, size FROM version WHERE isWithdrawn = 0 UNION SELECT sha256, size FROM object", [])
      return try Dictionary(
        rows.map { (try $0.decode(forColumn: "sha256"), try $0.decode(forColumn: "size")) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Removes objects older than a time whose bytes no version uses.
  /// - Parameters:
  ///   - time: The time.
  ///   - leadership: The right of the node to do so; nil for the only host of the database.
  /// - Throws: `conflict` if another node leads now.
  package func removeObjects(before time: Timestamp, by leadership: Leadership? = nil) async throws(HostError)
  {
    let old: [Int64] = [time.milliseconds, time.milliseconds]
    let rest = """
      FROM object WHERE created < ? AND sha256 NOT IN (
        SELECT sha256 FROM version WHERE isWithdrawn = 0 AND (retired IS NULL OR retired >= ?))
      """
    // Most hours have nothing to remove, and a write that changes nothing is still a write.
    guard
      try await read({ try $0.value(Bool.self, "SELECT EXISTS (SELECT 1 \(rest))", old) })
        == true
    else { return }
    try await write { database in
      try leadership?.check(database)
      try database.execute("DELETE \(rest)", old)
    }
  }

  private static func object(bucket: String, name: String, _ database: any SQLConnection) throws
    -> StoredObject?
  {
    try database.row(
      "SELECT * FROM object WHERE bucket = ? AND name = ?", [bucket, name]
    ).map(object)
  }

  private static func object(_ row: Row) throws -> StoredObject {
    StoredObject(
      bucket: try row.decode(forColumn: "bucket"), name: try row.decode(forColumn: "name"),
      sha256: try row.decode(forColumn: "sha256"), size: try row.decode(forColumn: "size"),
      crc32c: try row.decode(forColumn: "crc32c"), generation: try row.decode(forColumn: "generation"),
      created: try row.timestamp("created"))
  }
}
#endif
