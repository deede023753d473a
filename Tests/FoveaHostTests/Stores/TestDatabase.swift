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
    return try Place(address: address).store(.alone, file: file)
  }

  /// Returns two stores on one empty database, of which each is a node; nil without a server.
  static func nodes(in folder: TemporaryFolder) throws -> (MetadataStore, MetadataStore)? {
    guard let address = try TestDatabase.postgres.address() else { return nil }
    let file = folder["host.sqlite"]
    try MetadataStore(path: file).close()
    var place = Place(address: address)
    let first = try place.store(.among, file: file)
    place.mark.isComplete = true
    return (first, try place.store(.among, file: file))
  }

  /// A database, and the mark of the host that it belongs to.
  private struct Place {
    let address: PostgresAddress
    var mark: StoreMark

    init(address: PostgresAddress) {
      self.address = address
      mark = StoreMark(address: address.text, id: Hexadecimal.random(byteCount: 16))
    }

    func store(_ use: PostgresDatabase.Use, file: String) throws -> MetadataStore {
      try MetadataStore(address, of: mark, use, file: file)
    }
  }
}
#endif
