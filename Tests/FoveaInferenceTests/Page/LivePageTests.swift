// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaTesting
import Testing

@testable import FoveaInference

@Suite struct LivePageTests {
  /// The files of the page reached from these names through static imports, with their texts.
  private static func files(_ server: RunningInference, from names: Set<String>) throws -> [String: String] {
    var found: [String: String] = [:]
    var left = names
    while let name = left.popFirst() {
      let file = try server.send("GET", "/assets/\(name)")
      #expect(file.status == 200, "\(name)")
      found[name] = file.body
      left.formUnion(file.body.matches(of: /from '\.\/([a-z]+\.js)'/).map { String($0.1) })
      left.subtract(found.keys)
    }
    return found
  }

  private static func count(_ texts: some Sequence<String>) -> Int {
    texts.reduce(0) { $0 + $1.utf8.count }
  }

  @Test func `the first view loads less than 64 KiB, and the page with all that follows less than 128 KiB`()
    async throws
  {
    try await RunningInference.run([.embedded]) { server in
      let page = try server.send("GET", "/").body
      let assets = Set(page.matches(of: /"\/assets\/([a-z.]+)"/).map { String($0.1) })
      #expect(assets == ["app.js", "icon.svg", "style.css"])
      let first = try Self.files(server, from: assets)
      #expect(page.utf8.count + Self.count(first.values) < 64 << 10)
      // Files loaded by name on first use.
      let app = try #require(first["app.js"])
      let parts = Set(app.matches(of: /part\('([a-z]+)'\)/).map { "\($0.1).js" })
      #expect(parts == ["follow.js", "gallery.js", "sources.js"] && parts.isDisjoint(with: first.keys))
      let all = try Self.files(server, from: assets.union(parts).union(["encoder.js"]))
      #expect(page.utf8.count + Self.count(all.values) < 128 << 10)
      // No file remains that nothing loads.
      #expect(Set(LivePage().files.dropFirst().map(\.name)) == Set(all.keys))
    }
  }

  @Test func `the page learns a missing scope from the live route, and its cover hides the image`()
    async throws
  {
    try await RunningInference.run([.embedded]) { server in
      let app = try server.send("GET", "/assets/app.js").body
      let lost = try #require(app.components(separatedBy: "addEventListener('lost'").last)
      #expect(lost.contains("fetch('/v1/live')") && lost.contains("answer.status === 403"))
      let style = try server.send("GET", "/assets/style.css").body
      let cover = try #require(style.components(separatedBy: "\n#cover {").last?.prefix { $0 != "}" })
      // At least nine tenths opaque, so that light text is readable on a white image.
      #expect(cover.contains("background: #0b100ee6;"))
    }
  }

  @Test func `the page offers only models whose results it can show`() async throws {
    try await RunningInference.run([.embedded]) { server in
      let app = try server.send("GET", "/assets/app.js").body
      #expect(app.contains("filter(({ task = 'detect' }) => ['detect', 'label'].includes(task))"))
    }
  }

  @Test func `the page has its policy, and nothing from elsewhere`() async throws {
    try await RunningInference.run([.embedded]) { server in
      let page = try server.send("GET", "/")
      #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
      let policy = page.headers["content-security-policy"] ?? ""
      #expect(policy.contains("require-trusted-types-for 'script'"))
      #expect(page.headers["permissions-policy"]?.contains("camera=(self)") == true)
      for name in LivePage().files.dropFirst().map(\.name) {
        let file = try server.send("GET", "/assets/\(name)")
        #expect(file.status == 200 && file.headers["x-content-type-options"] == "nosniff", "\(name)")
        let addresses = file.body.matches(of: /https?:\/\/[a-z0-9]+\.[a-z0-9.]+/).map { String($0.0) }
        #expect(Set(addresses).isSubset(of: ["http://www.w3.org"]), "\(name)")
        let tag = try #require(file.headers["etag"])
        let again = try server.send("GET", "/assets/\(name)", headers: ["If-None-Match": String(tag)])
        #expect(again.status == 304 && again.body.isEmpty)
      }
      #expect(try server.send("GET", "/assets/index.html").status == 404)
      #expect(try server.send("GET", "/assets/..%2fapp.js").status == 404)
      // A link on another site may lead to the page, but not to anything else.
      let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
      #expect(try server.send("GET", "/", headers: link).status == 200)
      #expect(try server.send("GET", "/v1/models", headers: link).status == 403)
    }
  }
}
#endif
