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
    return try Self.new(on: server).address
  }

  /// Returns an empty store.
  func store(in folder: TemporaryFolder) throws -> MetadataStore {
    let file = folder["host.sqlite"]
    let local = try MetadataStore(path: file)
    guard self == .postgres, let server = Self.server else { return local }
    local.close()
    return try Self.new(on: server).store(.alone, file: file)
  }

  /// Returns two stores on one empty database, of which each is a node; nil without a server.
  static func nodes(in folder: TemporaryFolder) throws -> (MetadataStore, MetadataStore)? {
    guard let server else { return nil }
    let file = folder["host.sqlite"]
    try MetadataStore(path: file).close()
    var place = try new(on: server)
    let first = try place.store(.among, file: file)
    place.mark.isComplete = true
    return (first, try place.store(.among, file: file))
  }

  /// A database, and the mark of the host that it belongs to.
  private struct Place {
    let address: PostgresAddress
    var mark: StoreMark

    func store(_ use: PostgresDatabase.Use, file: String) throws -> MetadataStore {
      try MetadataStore(address, of: mark, use, file: file)
    }
  }

  private static func new(on server: String) throws -> Place {
    let id = "fovea_\(Hexadecimal.random(byteCount: 8))"
    try PostgresConnection(PostgresAddress(server)).execute("CREATE DATABASE \(id)")
    let end = server.lastIndex(of: "/") ?? server.endIndex
    let address = try PostgresAddress("\(server[..<end])/\(id)")
    return Place(address: address, mark: StoreMark(address: address.text, id: id))
  }
}
#endif
