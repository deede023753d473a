// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaInference
import FoveaTesting
import Testing

@Suite struct CrossOriginTests {
  private static let origin = "https://app.example"
  private static let preflight = [
    "Origin": origin, "Access-Control-Request-Method": "POST", "Sec-Fetch-Site": "cross-site",
  ]

  @Test func `a page of an allowed site preflights, sends an image, and reads responses and errors`()
    async throws
  {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded]) {
      $0.server.rules.origins = AllowedOrigins(["https://APP.example"])
    } _: { server in
      let first = try server.send("OPTIONS", "/v1/detect", headers: Self.preflight)
      #expect(first.status == 204)
      #expect(first.headers["access-control-allow-origin"] == Self.origin)
      #expect(first.headers["access-control-allow-methods"]?.contains("POST") == true)
      #expect(first.headers["access-control-allow-headers"]?.contains("Authorization") == true)
      #expect(first.headers["vary"] == "Origin")
      let page = ["Origin": Self.origin, "Sec-Fetch-Site": "cross-site"]
      let answer = try server.send("POST", "/v1/detect", headers: page, photo)
      #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == Self.origin)
      let wrong = try server.send("POST", "/v1/detect", headers: page, Array("no image".utf8))
      #expect(wrong.status == 415 && wrong.headers["access-control-allow-origin"] == Self.origin)
      // Rejected by its head only.
      let large = try server.send(
        "GET", "/v1/models", headers: page.merging(["Content-Length": "99999999"]) { $1 })
      #expect(large.status == 413 && large.headers["access-control-allow-origin"] == Self.origin)
      let program = try server.send("POST", "/v1/detect", photo)
      #expect(program.status == 200 && program.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test func `pages of other sites are rejected, and cannot read why`() async throws {
    try await RunningInference.run([.embedded]) {
      $0.server.rules.origins = AllowedOrigins([Self.origin])
    } _: { server in
      for origin in [
        "https://evil.example", "http://app.example", "https://app.example:8443",
        "https://app.example.evil",
        "null", "",
      ] {
        let headers = Self.preflight.merging(["Origin": origin]) { $1 }
        for method in ["OPTIONS", "POST", "GET"] {
          let answer = try server.send(method, "/v1/models", headers: headers)
          #expect(answer.status == 403, "\(method) \(origin): \(answer.body)")
          #expect(answer.headers["access-control-allow-origin"] == nil, "\(method) \(origin)")
        }
      }
      #expect(try server.send("GET", "/livez").status == 200)
    }
  }

  @Test func `no site is allowed by default`() async throws {
    try await RunningInference.run([.embedded]) { server in
      let answer = try server.send("OPTIONS", "/v1/detect", headers: Self.preflight)
      #expect(answer.status == 403)
      #expect(answer.headers["vary"] == nil && answer.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test func `a page's preflight needs no key, its request does`() async throws {
    let folder = try TemporaryFolder()
    var keys = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let secret = try keys.add("page", scopes: [.infer], rate: nil)
    try keys.write()
    try await RunningInference.run([.embedded]) {
      $0.server.rules.origins = AllowedOrigins([Self.origin])
      $0.keys = folder["keys.json"]
    } _: { server in
      #expect(try server.send("OPTIONS", "/v1/models", headers: Self.preflight).status == 204)
      let headers = ["Origin": Self.origin]
      let without = try server.send("GET", "/v1/models", headers: headers)
      #expect(without.status == 401 && without.headers["access-control-allow-origin"] == Self.origin)
      let bearer = headers.merging(["Authorization": "Bearer \(secret)"]) { $1 }
      #expect(try server.send("GET", "/v1/models", headers: bearer).status == 200)
    }
  }

  @Test(arguments: [
    ("https://app.example", true), ("http://127.0.0.1:3000", true), ("https://[::1]:8443", true),
    ("HTTPS://App.Example", true), ("*", false), ("null", false), ("", false), ("https://", false),
    ("app.example", false), ("https://app.example/", false), ("https://a b", false),
    ("https://a,https://b", false), ("file:///tmp", false), ("https://ä.example", false),
    ("https://app.example:443", true), ("http://localhost:65535", true), ("https://[::1]", true),
    ("https://app.example:0", false), ("https://app.example:65536", false), ("https://a:99999", false),
    ("https://app.example:", false), ("https://a:80:80", false), ("https://:443", false),
    ("https://a:b", false), ("https://[::1", false), ("https://::1]", false), ("https://[a]", false),
    ("https://[1.2.3.4]", false), ("https://[0:0:0:0:0:0:0:1]:8443", true),
  ])
  func `an origin is a scheme, a host and a port`(text: String, isRight: Bool) {
    #expect(AllowedOrigins.isOrigin(text) == isRight)
  }

  @Test(arguments: [
    ("https://app.example:443", "https://app.example"), ("http://localhost:80", "http://localhost"),
    ("HTTPS://App.Example:0443", "https://app.example"), ("https://[::1]:443", "https://[::1]"),
    ("http://a:443", "http://a:443"), ("https://a:80", "https://a:80"),
    ("https://[::80]", "https://[::80]"), ("http://[0:0:0:0:0:0:0:1]:5000", "http://[::1]:5000"),
    ("https://[2001:0DB8:0:0:1:0:0:1]", "https://[2001:db8::1:0:0:1]"),
    ("https://[1:0:2:3:4:5:6:7]", "https://[1:0:2:3:4:5:6:7]"), ("http://[0:0::]:80", "http://[::]"),
    ("http://[fe80:0:1:0:0:0:0:0]", "http://[fe80:0:1::]"), ("http://[::1.2.3.4]", "http://[::102:304]"),
  ])
  func `a default port is left out, and an IPv6 address has the browsers' form`(
    text: String, name: String
  ) {
    #expect(AllowedOrigins([text]).names == [name])
  }
}
#endif
