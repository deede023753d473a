// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaInference
import FoveaTesting
import Testing

@Suite struct ServedRoutesTests {
  @Test func `a server speaks the configured protocols, and its own`() async throws {
    let photo = try RunningInference.bytes()
    let doods = #"{"detector_name": "default", "data": "", "detect": {"*": 30}}"#
    for protocols in [Set(ClientProtocol.all), [.doods], []] {
      try await RunningInference.run([.embedded]) {
        $0.protocols = protocols
      } _: { server in
        #expect(try server.send("POST", "/v1/detect", photo).status == 200)
        #expect((try server.post("/detect", doods).status == 404) == !protocols.contains(.doods))
        #expect((try server.send("GET", "/v2").status == 404) == !protocols.contains(.openInference))
        #expect((try server.send("GET", "/info").status == 404) == !protocols.contains(.roboflow))
        let description = try server.send("GET", "/openapi.json").body
        for served in ClientProtocol.all {
          #expect(description.contains("\"\(served.title)\"") == protocols.contains(served), "\(served)")
        }
      }
    }
  }

  private static let lists: [(text: String, protocols: Set<ClientProtocol>?)] = [
    ("all", Set(ClientProtocol.all)), ("none", []), ("deepstack", [.deepStack]),
    ("doods,open-inference", [.doods, .openInference]), ("", nil), ("Doods", nil), ("doods,", nil),
    ("all,doods", nil), ("grpc", nil),
  ]

  @Test(arguments: lists)
  func `a list of protocols is read`(text: String, protocols: Set<ClientProtocol>?) {
    #expect(ClientProtocolList(text)?.protocols == protocols)
  }

  @Test func `health and metrics can move to their own listener`() async throws {
    let folder = try TemporaryFolder()
    var keys = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let secret = try keys.add("all", scopes: Set(AccessKey.Scope.allCases), rate: nil)
    try keys.write()
    try await RunningInference.run([.embedded]) {
      $0.server.admin = ListenAddress(host: "127.0.0.1", port: 0)
      $0.keys = folder["keys.json"]
    } _: { server in
      let port = try #require(server.adminPort)
      let bearer = ["Authorization": "Bearer \(secret)"]
      for path in ["/livez", "/readyz", "/health", "/metrics"] {
        #expect(try RunningInference.send(to: port, "GET", path).status == 200, "\(path)")
        #expect(try server.send("GET", path, headers: bearer).status == 404, "\(path)")
      }
      #expect(try RunningInference.send(to: port, "GET", "/v1/models").status == 404)
      #expect(try server.send("GET", "/v1/models", headers: bearer).status == 200)
      #expect(try server.send("GET", "/openapi.json").body.contains("/livez") == false)
      // Events at one are counted at the other.
      #expect(
        try RunningInference.send(to: port, "GET", "/metrics").body.contains(
          #"fovea_requests_total{route="/v1/models",protocol="native",status="200"} 1"#))
    }
  }
}
#endif
