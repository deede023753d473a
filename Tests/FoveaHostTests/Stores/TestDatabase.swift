// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting

@testable import FoveaHost

/// The databases that the tests of metadata stores run on.
enum TestDatabase {
  case sqlite
  /// A new database of the server at FOVEA_TEST_POSTGRES, which scripts/test-postgres sets; left out without.
  case postgres

  static let present: [TestDatabase] = server == nil ? [.sqlite] : [.sqlite, .postgres]

  private static let server = Environment.value("FOVEA_TEST_POSTGRES")

  /// Returns the address of a new database; nil for a file.
  func address() throws -> PostgresAddress? {
    guard self == .postgres, let server = Self.server else { return nil }
    let id = "fovea_\(Hexadecimal.random(byteCount: 8))"
    try PostgresConnection(PostgresAddress(server)).execute("CREATE DATABASE \(id)")
    let end = server.lastIndex(of: "/") ?? server.endIndex
    return try PostgresAddress("\(server[..<end])/\(id)")
  }

  /// Returns an empty store.
  func store(in folder: TemporaryFolder) throws -> MetadataStore {
    let file = folder["host.sqlite"]
    let local = try MetadataStore(path: file)
    guard let address = try address() else { return local }
    local.close()
    let mark = StoreMark(address: address.text, id: Hexadecimal.random(byteCount: 16))
    return try MetadataStore(address, of: mark, .alone, file: file)
  }
}
#endif
