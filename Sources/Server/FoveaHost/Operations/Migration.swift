// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

/// The change of a host's tables that this program makes when it opens them.
package struct Migration: Sendable, Equatable {
  /// The version of the tables.
  package let found: Int
  /// The version that this program needs; never less than `found`.
  package let needed: Int
  /// The statements that lead from one to the other, in the dialect of the database.
  package let statements: [String]

  package init(found: Int, needed: Int, statements: [String]) {
    (self.found, self.needed, self.statements) = (found, needed, statements)
  }

  /// Reads the version of a host's tables, also while a host serves; changes nothing.
  /// - Parameters:
  ///   - folder: The host's folder.
  ///   - address: The database of its metadata; nil for the one that the folder names, or its file.
  /// - Returns: The change that is due.
  /// - Throws: `folder` if the folder or the database does not belong to a host, or to a newer one;
  ///   `unavailable`.
  package static func due(
    in folder: String, metadata address: PostgresAddress?
  ) async throws(HostError) -> Migration {
    _ = try HostSettings.read(folder + "/host.json")
    let mark = try StoreMark.read(.database, in: folder)
    var place = address
    if place == nil, let mark, mark.isComplete { place = try PostgresAddress(mark.address) }
    let found: Result<Int?, HostError> = await BlockingWork.run { [place] _ in
      do {
        if let place {
          let database = PostgresDatabase(place, .aside)
          defer { database.close() }
          return .success(try database.version())
        }
        return .success(try SQLiteDatabase.version(path: folder + "/host.sqlite"))
      } catch {
        return .failure(HostError(database: error))
      }
    }
    guard let version = try found.get() else {
      throw HostError(
        .folder, "The database has no tables",
        remedy: place == nil ? "Restore a backup" : "Correct the address of \(flag: "metadata")",
        subject: place?.text)
    }
    let statements = DatabaseSchema.steps[version...].joined()
    return Migration(
      found: version, needed: DatabaseSchema.number,
      statements: place == nil ? Array(statements) : statements.map(PostgresDialect.table))
  }

  /// Changes the tables.
  ///
  /// Other hosts may serve from a database meanwhile: a new version only adds to the tables. A host with its
  /// metadata in the folder must not serve.
  /// - Throws: `folder` if another process has the folder open; `unavailable`, `disk-full`.
  package static func run(in folder: String, metadata address: PostgresAddress?) throws(HostError) {
    let mark = try StoreMark.read(.database, in: folder)
    // Opening is all that is needed.
    _ = try HostFolder(folder, isShared: mark?.isComplete == true, metadata: address)
  }
}
#endif
