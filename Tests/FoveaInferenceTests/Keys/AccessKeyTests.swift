// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaCore
import FoveaInference
import FoveaTesting
import Testing

@Suite struct AccessKeyTests {
  @Test func `a key is written without its secret, read again, and revoked`() throws {
    let folder = try TemporaryFolder()
    let path = folder["keys.json"]
    var file = try AccessKeyFile(path, mayBeMissing: true)
    #expect(file.keys.isEmpty)
    let secret = try file.add("gate", scopes: [.infer, .metrics], rate: 2.5)
    _ = try file.add("all", scopes: Set(AccessKey.Scope.allCases), rate: nil)
    try file.write()
    #expect(!(try folder.read("keys.json")).contains(secret))
    let again = try AccessKeyFile(path)
    #expect(again.keys == file.keys && again.keys.map(\.name) == ["gate", "all"])
    #expect(throws: FoveaError.self) { try file.add("gate", scopes: [.infer], rate: nil) }
    try file.revoke("gate")
    #expect(file.keys.map(\.name) == ["all"])
    #expect(throws: FoveaError.self) { try file.revoke("gate") }
  }

  @Test(arguments: ["", "   ", "a\nb", String(repeating: "a", count: 65)])
  func `a key without a name would lock everyone out, and is not created`(_ name: String) throws {
    let folder = try TemporaryFolder()
    var file = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let error = #expect(throws: FoveaError.self) { try file.add(name, scopes: [.infer], rate: nil) }
    #expect(error?.code.rawValue == "keys-invalid" && file.keys.isEmpty)
    #expect(throws: Never.self) { try file.add("Gate, 2nd floor – ü", scopes: [.infer], rate: nil) }
  }

  @Test func `a broken key file is an error once, and is read again when it is complete`() throws {
    let folder = try TemporaryFolder()
    var file = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    _ = try file.add("a", scopes: [.infer], rate: nil)
    try file.write()
    let access = try AccessGuard(path: folder["keys.json"])
    try folder.write("keys.json", "{")
    #expect(throws: FoveaError.self) { try access.reload() }
    #expect(try !access.reload())
    _ = try file.add("b", scopes: [.infer], rate: nil)
    try file.write()
    #expect(try access.reload())
  }

  private static let digest = String(repeating: "0", count: 64)

  @Test(arguments: [
    "", "[]", "{", #"{"keys": {}}"#, #"{"key": []}"#, #"{"keys": [{}]}"#, #"{"keys": []} x"#,
    #"{"keys": [{"name": "a", "sha256": "00"}]}"#, #"{"keys": [{"name": "", "sha256": "\#(digest)"}]}"#,
    #"{"keys": [{"name": "a", "sha256": "\#(digest)", "scopes": ["root"]}]}"#,
    #"{"keys": [{"name": "a", "sha256": "\#(digest)", "rate": 0}]}"#,
    #"{"keys": [{"name": "a", "sha256": "\#(digest)", "secret": "x"}]}"#,
    #"{"keys": [{"name": "a", "sha256": "\#(digest)"}, {"name": "a", "sha256": "\#(digest)"}]}"#,
  ])
  func `an invalid key file is an error`(_ text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("keys.json", text)
    let error = #expect(throws: FoveaError.self) { try AccessKeyFile(path) }
    #expect(error?.code.rawValue == "keys-invalid")
  }

  @Test func `a missing key file is an error for a server`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FoveaError.self) { try AccessKeyFile(folder["none.json"]) }
  }

  /// A caller's request, and its response.
  private struct Call {
    var name: String
    var method = "GET"
    var target = "/v1/models"
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var status: Int
    var code: String?
  }

  @Test func `a request needs a key with its route's scope, wherever its protocol sends it`()
    async throws
  {
    let folder = try TemporaryFolder()
    var file = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let infer = try file.add("infer", scopes: [.infer], rate: nil)
    let admin = try file.add("admin", scopes: [.models, .metrics], rate: nil)
    try file.write()
    let photo = try RunningInference.bytes()
    let path = folder["keys.json"]
    func form(_ key: String) -> [UInt8] {
      let head = "--X\r\nContent-Disposition: form-data; name=\"image\"; filename=\"c.jpg\"\r\n\r\n"
      let field = "\r\n--X\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\n\(key)\r\n--X--\r\n"
      return Array(head.utf8) + photo + Array(field.utf8)
    }
    func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
    let type = ["Content-Type": "multipart/form-data; boundary=X"]
    let calls = [
      Call(name: "no key", status: 401, code: "not-authorized"),
      Call(
        name: "a wrong key", headers: ["Authorization": "Bearer x"], status: 401, code: "not-authorized"),
      Call(name: "a bearer token", headers: ["Authorization": "Bearer \(infer)"], status: 200),
      Call(name: "x-api-key", headers: ["x-api-key": infer], status: 200),
      Call(name: "x-goog-api-key", headers: ["x-goog-api-key": infer], status: 200),
      Call(name: "doods-auth-key", headers: ["doods-auth-key": infer], status: 200),
      Call(name: "a query", target: "/v1/models?key=\(infer)", status: 200),
      // The cookie names a session, and is not a key.
      Call(name: "a cookie with a key", headers: ["Cookie": "fovea-session=\(infer)"], status: 401),
      Call(name: "Basic authentication", headers: ["Authorization": basic("camera:\(infer)")], status: 200),
      Call(name: "no user", headers: ["Authorization": basic(":\(infer)")], status: 200),
      Call(name: "a wrong password", headers: ["Authorization": basic("\(infer):x")], status: 401),
      Call(name: "no base64", headers: ["Authorization": "Basic \(infer)"], status: 401),
      Call(
        name: "a proxy's password and a key",
        headers: ["Authorization": basic("a:b"), "x-api-key": infer], status: 200),
      Call(name: "another scope", headers: ["x-api-key": admin], status: 403, code: "scope-missing"),
      Call(name: "metrics", target: "/metrics", headers: ["x-api-key": infer], status: 403),
      // The page asks this route for the reason of a WebSocket's refusal.
      Call(
        name: "live images", target: "/v1/live", headers: ["x-api-key": infer], status: 403,
        code: "scope-missing"),
      Call(
        name: "metrics by a whole address", target: "http://127.0.0.1/metrics",
        headers: ["x-api-key": infer], status: 403),
      // Addresses that Foundation rejects.
      Call(
        name: "metrics by a broken address", target: "http://127.0.0.1:x/metrics",
        headers: ["x-api-key": infer], status: 403, code: "scope-missing"),
      Call(
        name: "metrics by an address of another kind", target: "ftp://127.0.0.1:x/metrics",
        headers: ["x-api-key": infer], status: 403, code: "scope-missing"),
      Call(
        name: "metrics by a whole address with a key", target: "http://127.0.0.1/metrics",
        headers: ["x-api-key": admin], status: 200),
      Call(name: "metrics with a key", target: "/metrics", headers: ["x-api-key": admin], status: 200),
      Call(
        name: "a change of models", method: "POST", target: "/v1/models/default:load",
        headers: ["x-api-key": infer], status: 403),
      Call(
        name: "a change of models with a key", method: "POST", target: "/v1/models/default:load",
        headers: ["x-api-key": admin], status: 200),
      Call(
        name: "a change of models as Triton has it", method: "POST",
        target: "/v2/repository/models/default/load", headers: ["x-api-key": infer], status: 403),
      Call(
        name: "a change of models as Triton has it, with a key", method: "POST",
        target: "/v2/repository/models/default/load", headers: ["x-api-key": admin], status: 200),
      // The router treats several slashes as one, and ignores those at the end.
      Call(
        name: "metrics with a slash too many", target: "/metrics/", headers: ["x-api-key": infer],
        status: 403),
      Call(
        name: "metrics with a slash too many at the start", target: "//metrics?a=b",
        headers: ["x-api-key": infer], status: 403),
      Call(
        name: "streams with a slash too many at the start", target: "//v1/streams",
        headers: ["x-api-key": infer], status: 403),
      Call(
        name: "a change of models with a slash too many", method: "POST",
        target: "/v1/models/default:load/", headers: ["x-api-key": infer], status: 403),
      Call(
        name: "a change of models as Triton has it, with slashes too many", method: "POST",
        target: "/v2//repository/models/default/load/", headers: ["x-api-key": infer], status: 403),
      Call(
        name: "DeepStack's list without a key", method: "POST", target: "/v1/vision/custom/list",
        status: 401),
      Call(
        name: "DeepStack's list with a slash too many, without a key", method: "POST",
        target: "/v1/vision/custom//list/", status: 401),
      Call(name: "health", target: "/livez", status: 200),
      Call(
        name: "DeepStack with its field", method: "POST", target: "/v1/vision/detection", headers: type,
        body: form(infer), status: 200),
      Call(
        name: "DeepStack's scene with a wrong field", method: "POST", target: "/v1/vision/scene",
        headers: type,
        body: form("x"), status: 401),
      Call(
        name: "DeepStack with a wrong field", method: "POST", target: "/v1/vision/detection", headers: type,
        body: form("x"), status: 401),
      Call(
        name: "DeepStack with a key in the head", method: "POST",
        target: "/v1/vision/detection?key=\(infer)",
        body: photo, status: 200),
      Call(
        name: "DeepStack without a key", method: "POST", target: "/v1/vision/detection", body: photo,
        status: 401),
    ]
    let (wrongForm, rightForm) = (form("x"), form(infer))
    try await RunningInference.run([.embedded], { $0.keys = path }) { server in
      for call in calls {
        let answer = try server.send(call.method, call.target, headers: call.headers, call.body)
        #expect(answer.status == call.status, "\(call.name): \(answer.body)")
        if let code = call.code { #expect(answer.errorCode == code, "\(call.name)") }
        if call.status == 401 && call.code != nil {
          #expect(answer.headers["www-authenticate"] == "Bearer", "\(call.name)")
        }
      }
      // Ten wrong keys of an address are answered, and one more for each second that this takes.
      var limited: HTTPAnswer?
      for _ in 0..<1_000 where limited?.status != 429 {
        limited = try server.send("GET", "/v1/models?key=wrong")
      }
      #expect(limited?.status == 429 && limited?.errorCode == "rate-limited")
      #expect(limited?.headers["retry-after"] != nil)
      // The right ones of that address are unaffected, in the head and in the body.
      for _ in 0..<50 {
        _ = try server.send("GET", "/v1/models?key=wrong")
        #expect(try server.send("GET", "/v1/models", headers: ["x-api-key": infer]).status == 200)
      }
      limited = nil
      for _ in 0..<1_000 where limited?.status != 429 {
        limited = try server.send("POST", "/v1/vision/detection", headers: type, wrongForm)
      }
      #expect(limited?.status == 429)
      #expect(try server.send("POST", "/v1/vision/detection", headers: type, rightForm).status == 200)
    }
  }

  @Test func `programs that show cameras are asked for a password, and the page's scripts are not`()
    async throws
  {
    let folder = try TemporaryFolder()
    var file = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    _ = try file.add("a", scopes: [.streams], rate: nil)
    try file.write()
    try await RunningInference.run([.embedded], { $0.keys = folder["keys.json"] }) { server in
      for (target, headers, asks) in [
        ("/v1/streams/gate/video.mjpeg", [:], true), ("/v1/streams", ["Sec-Fetch-Mode": "navigate"], true),
        ("/v1/streams", ["Sec-Fetch-Mode": "cors"], false), ("/v1/models", [:], false),
      ] as [(String, [String: String], Bool)] {
        let connection = try RawConnection(port: server.port)
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        connection.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(lines)\r\n")
        let answer = connection.readToEnd().lowercased()
        #expect(answer.hasPrefix("http/1.1 401"), "\(target)")
        #expect(answer.contains("www-authenticate: bearer"), "\(target)")
        #expect(answer.contains("www-authenticate: basic realm=") == asks, "\(target) \(headers)")
      }
    }
  }

  @Test func `a key above its rate is rejected, and a changed file counts at once`() async throws {
    let folder = try TemporaryFolder()
    let path = folder["keys.json"]
    var file = try AccessKeyFile(path, mayBeMissing: true)
    let slow = try file.add("slow", scopes: [.infer], rate: 0.002)
    try file.write()
    try await RunningInference.run(
      [.embedded],
      {
        $0.keys = path
        $0.watchInterval = .milliseconds(10)
      }
    ) { server in
      let get = { (key: String) in try server.send("GET", "/v1/models", headers: ["x-api-key": key]) }
      #expect(try get(slow).status == 200)
      let refused = try get(slow)
      #expect(refused.status == 429 && refused.errorCode == "rate-limited")
      #expect(refused.body.contains("The key 'slow' is above its rate of 0.002/s"), "\(refused.body)")
      var file = try AccessKeyFile(path)
      let fast = try file.add("fast", scopes: [.infer], rate: nil)
      try file.revoke("slow")
      try file.write()
      blockUntil { (try? get(fast))?.status == 200 }
      #expect(try get(fast).status == 200)
      #expect(try get(slow).status == 401)
    }
  }

  @Test func `the page exchanges its key for a cookie with the same permissions`() async throws {
    let folder = try TemporaryFolder()
    var file = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let secret = try file.add("page", scopes: [.infer], rate: nil)
    try file.write()
    try await RunningInference.run([.embedded], { $0.keys = folder["keys.json"] }) { server in
      let answer = try server.post("/v1/session", secret, type: "text/plain")
      let cookie = try #require(answer.headers["set-cookie"])
      #expect(answer.status == 204 && cookie.contains("; HttpOnly; SameSite=Strict"))
      #expect(!cookie.contains("Secure"))
      let pair = String(cookie.prefix { $0 != ";" })
      #expect(!cookie.contains(secret) && pair.hasPrefix("fovea-session="))
      #expect(try server.send("GET", "/v1/models", headers: ["Cookie": "a=b; \(pair)"]).status == 200)
      #expect(try server.send("GET", "/v1/models", headers: ["Cookie": "\(pair)x"]).status == 401)
      for (body, message) in [
        ("", "The request has no key"), ("wrong", "The server does not know this key"),
        ("\(secret)\n", "The server does not know this key"),
        (#"{"key": "\#(secret)"}"#, "The server does not know this key"),
      ] {
        let refused = try server.post("/v1/session", body, type: "text/plain")
        #expect(refused.status == 401 && refused.errorCode == "not-authorized", "\(refused.body)")
        #expect(refused.body.contains(message), "\(refused.body)")
        #expect(refused.body.contains("Send only the key as the body, without a line end"), "\(refused.body)")
      }
      let bearer = try server.send("POST", "/v1/session", headers: ["Authorization": "Bearer \(secret)"])
      #expect(bearer.status == 401 && bearer.body.contains("Send only the key as the body"), "\(bearer.body)")
      let long = String(repeating: "x", count: 2_000)
      #expect(try server.post("/v1/session", long, type: "text/plain").status == 413)
      let foreign = try server.send("POST", "/v1/session", headers: ["Sec-Fetch-Site": "cross-site"])
      #expect(foreign.status == 403)
      let gone = try server.send("DELETE", "/v1/session", headers: ["Cookie": pair])
      #expect(gone.status == 204 && gone.headers["set-cookie"]?.contains("Max-Age=0") == true)
      #expect(try server.send("GET", "/v1/models", headers: ["Cookie": pair]).status == 401)
      // Many requests with an expired session, as of an open page, do not lock a right key out.
      for _ in 0..<20 { _ = try server.send("GET", "/v1/models", headers: ["Cookie": pair]) }
      #expect(try server.post("/v1/session", secret, type: "text/plain").status == 204)
    }
    try await RunningInference.run([.embedded]) { server in
      let answer = try server.post("/v1/session", "any", type: "text/plain")
      #expect(answer.status == 204)
    }
  }

  @Test func `the cookie of an expired session does not block a password`() async throws {
    let folder = try TemporaryFolder()
    var file = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let secret = try file.add("gate", scopes: [.infer, .streams], rate: nil)
    try file.write()
    func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
    let (right, wrong) = (basic("camera:\(secret)"), basic("a:b"))
    try await RunningInference.run([.embedded], { $0.keys = folder["keys.json"] }) { server in
      let answer = try server.post("/v1/session", secret, type: "text/plain")
      let live = try #require(answer.headers["set-cookie"].map { String($0.prefix { $0 != ";" }) })
      // As kept by a browser across a restart of the server.
      let old = "fovea-session=" + String(repeating: "0", count: 64)
      for (cookie, password, status, text) in [
        (old, nil, 401, "The session has ended"), (old, right, 200, ""),
        (old, wrong, 401, "does not know this key"), (nil, nil, 401, "The request has no key"),
        // It may be meant for a proxy in between.
        (live, wrong, 200, ""), (live, nil, 200, ""), (nil, right, 200, ""),
      ] as [(String?, String?, Int, String)] {
        var headers: [String: String] = [:]
        headers["Cookie"] = cookie
        headers["Authorization"] = password
        for path in ["/v1/models", "/v1/streams"] {
          let answer = try server.send("GET", path, headers: headers)
          #expect(answer.status == status, "\(path) \(headers): \(answer.body)")
          #expect(text.isEmpty || answer.body.contains(text), "\(path) \(headers): \(answer.body)")
        }
      }
    }
  }

  @Test func `a live connection ends when its key is revoked`() async throws {
    let folder = try TemporaryFolder()
    let path = folder["keys.json"]
    var file = try AccessKeyFile(path, mayBeMissing: true)
    let secret = try file.add("page", scopes: [.live], rate: nil)
    try file.write()
    try await RunningInference.run(
      [.embedded],
      {
        $0.keys = path
        $0.watchInterval = .milliseconds(10)
      }
    ) { server in
      let client = try WebSocketClient(port: server.port, path: "/v1/live?key=\(secret)")
      client.send(.text(#"{"type": "start"}"#))
      #expect(try client.text(with: "ready") != nil)
      var file = try AccessKeyFile(path)
      try file.revoke("page")
      try file.write()
      #expect(try client.closeCode() == 1008)
      #expect(try server.send("GET", "/v1/live?key=\(secret)").status == 401)
    }
  }
}
#endif
