// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaCore
import FoveaTesting
import Testing

@Suite struct RoutePageTests {
  private static let page = PackageRoot.path + "/docs/reference/host-routes.md"

  /// The first cell of each route row of the page's tables.
  private static func documented() throws -> [String] {
    let text = String(decoding: try SmallFile.bytes(of: page, limit: 1 << 20), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
      let route = String(line.dropFirst(3)[..<end])
      return route.contains(" /") ? route : nil
    }.sorted()
  }

  @Test func `the page of routes has each route once, and no other`() async throws {
    let documented = try Self.documented()
    try await RunningHost.run { host in #expect(documented == host.service.routes) }
  }

  @Test func `the page names the lowest role that has access`() throws {
    let text = String(decoding: try SmallFile.bytes(of: Self.page, limit: 1 << 20), as: UTF8.self)
    for row in AccessTable.rows where row.query.isEmpty {
      let caller =
        switch row.door {
        case .open: row.method == "POST" ? "service key" : "anyone"
        case .address: "signed address"
        case .callers([]): "app"
        case .callers(let callers): callers[0].rawValue
        }
      #expect(text.contains("| `\(row.route)` | \(caller) |"), "\(row.route): \(caller)")
    }
  }
}
#endif
