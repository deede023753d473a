// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Returns the number of bytes of each file sent to devices, by its SHA-256.
  package func sentBytes(project: String) async throws(HostError) -> [String: Int64] {
    try await read { database in
      let rows = try database.rows("SELECT sha256, bytes FROM sentFile WHERE project = ?", [project])
      return try rows.reduce(into: [:]) { counts, row in
        counts[try row.decode(String.self, forColumn: "sha256")] = try row.decode(
          Int64.self, forColumn: "bytes")
      }
    }
  }

  /// Adds to these numbers, in one transaction.
  package func addSentBytes(project: String, _ bytes: [String: Int64]) async throws(HostError) {
    try await write { database in
      for (sha256, count) in bytes {
        try database.execute(
          """
          INSERT INTO sentFile (project, sha256, bytes) VALUES (?, ?, ?)
          ON CONFLICT (project, sha256) DO UPDATE SET bytes = sentFile.bytes + excluded.bytes
          """, [project, sha256, count])
      }
    }
  }
}

extension DatabaseSchema {
  /// The bytes sent to devices, by file.
  static let downloads = [
    """
    CREATE TABLE sentFile (
      project TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (project, sha256)
    ) STRICT
    """
  ]
}
#endif
