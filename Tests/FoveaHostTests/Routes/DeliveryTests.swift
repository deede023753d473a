// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

@Suite struct DeliveryTests {
  private static let native = "/v1/host/projects/test-project/models"
  private static let download =
    "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"

  private static func publish(_ host: RunningHost, _ text: String, channel: String = "stable") throws {
    let answer = try host.send(
      as: .publisher, "POST", "\(native)/birds/versions?channel=\(channel)", body: markedModel(text))
    guard answer.status == 200 else { throw TestFailure("not published: \(answer.body)") }
  }

  /// The value of a member that is a text.
  private static func member(_ name: String, _ body: String) -> String {
    guard let start = body.firstRange(of: "\"\(name)\": \"")?.upperBound else { return "" }
    return String(body[start...].prefix { $0 != "\"" })
  }

  @Test func `publish, download, publish again, roll out, roll back`() async throws {
    try await RunningHost.run { host in
      try Self.publish(host, "one")
      let first = try host.send("GET", Self.download)
      #expect(first.status == 200)
      #expect(Self.member("version", first.body) == "1")
      #expect(first.headers["etag"] == Self.member("sha256", first.body))
      let target = String(Self.member("downloadUri", first.body).dropFirst("http://127.0.0.1".count))
      let file = try host.send("GET", target)
      #expect(file.body == markedModel("one"))
      #expect(file.headers["etag"] == "\"\(Self.member("sha256", first.body))\"")
      #expect(file.headers["repr-digest"]?.hasPrefix("sha-256=:") == true)
      let tag = Self.member("sha256", first.body)
      let current = try host.send("GET", Self.download, headers: ["If-None-Match": tag])
      #expect(current.status == 304 && current.headers["etag"] == tag)

      try Self.publish(host, "two", channel: "beta")
      #expect(try Self.member("version", host.send("GET", Self.download).body) == "1")
      let rollout = try host.send(
        as: .admin, "PUT", "\(Self.native)/birds/rollout", body: #"{"version": 2, "percent": 30}"#)
      #expect(rollout.status == 200, "\(rollout.body)")
      let choices = try host.send("GET", Self.download, headers: ["If-None-Match": tag])
      #expect(choices.status == 200)
      #expect(choices.body.contains("\"below\": 30000000"))
      let finished = try host.send(
        as: .admin, "PUT", "\(Self.native)/birds/rollout", body: #"{"finish": true}"#)
      #expect(finished.status == 200, "\(finished.body)")
      #expect(try Self.member("version", host.send("GET", Self.download).body) == "2")
      let back = try host.send(as: .admin, "POST", "\(Self.native)/birds:rollback", body: "{}")
      #expect(back.body.contains("\"version\": 1"))
      #expect(try Self.member("version", host.send("GET", Self.download).body) == "1")
    }
  }

  @Test func `a viewer gets the address of each version's file, except of a withdrawn one`() async throws {
    try await RunningHost.run { host in
      for text in ["one", "two"] { try Self.publish(host, text) }
      for (version, text) in [(1, "one"), (2, "two")] {
        let answer = try host.send(as: .viewer, "GET", "\(Self.native)/birds/versions/\(version)")
        let file = try HostClient.Reply(json: answer.body).decode(HostAnswer.File.self)
        #expect(file.model == "birds" && file.version == version && file.size == markedModel(text).utf8.count)
        let target = String(file.url.dropFirst("http://127.0.0.1".count))
        let answered = try host.send("GET", target)
        #expect(answered.body == markedModel(text) && answered.headers["etag"] == "\"\(file.sha256)\"")
      }
      let gone = try host.send(as: .publisher, "POST", "\(Self.native)/birds/versions/1:withdraw")
      #expect(gone.status == 200, "\(gone.body)")
      for (version, code) in [
        ("1", "precondition"), ("3", "not-found"), ("0", "invalid"), ("-1", "invalid"), ("x", "invalid"),
        ("1?x=1", "invalid"),
      ] {
        let answer = try host.send(as: .viewer, "GET", "\(Self.native)/birds/versions/\(version)")
        #expect(answer.body.contains("\"code\": \"\(code)\""), "\(version): \(answer.body)")
      }
    }
  }

  @Test func `a device with the host's token is assigned by it, with the share of its hash`()
    async throws
  {
    try await RunningHost.run { host in
      try Self.publish(host, "one")
      try Self.publish(host, "two", channel: "beta")
      _ = try host.send(
        as: .admin, "PUT", "\(Self.native)/birds/rollout", body: #"{"version": 2, "percent": 50}"#)
      let model = try host.models.model("birds")
      let assignment = try #require(VersionAssignment(model))
      for number in 0..<20 {
        let installation = Installation(project: RunningHost.project, id: "device-\(number)")
        let token = host.ring.token(for: installation, now: host.models.now())
        let answer = try host.send(
          "GET", Self.download, headers: ["X-Goog-Firebase-Installations-Auth": token])
        let expected = assignment.choice(installation: installation.id).version
        #expect(Self.member("sha256", answer.body) == expected.sha256)
        #expect(!answer.body.contains("choices"))
      }
      let foreign = try host.send(
        "GET", Self.download, headers: ["X-Goog-Firebase-Installations-Auth": "a.b.c"])
      #expect(foreign.status == 200 && foreign.body.contains("choices"))
    }
  }

  @Test func `a withdrawn version is gone at once, an unpublished one when its URL expires`()
    async throws
  {
    try await RunningHost.run { host in
      try Self.publish(host, "one")
      let body = try host.send("GET", Self.download).body
      let target = String(Self.member("downloadUri", body).dropFirst("http://127.0.0.1".count))
      let id = try host.models.model("birds").id
      let unpublished = try host.send(
        as: .admin, "PATCH", "/v1beta2/projects/test-project/models/\(id)?updateMask=state.published",
        body: #"{"state": {"published": false}}"#)
      #expect(unpublished.status == 200)
      #expect(try host.send("GET", Self.download).status == 404)
      #expect(try host.send("GET", target).status == 200)
      #expect(try host.send(as: .admin, "POST", "\(Self.native)/birds/versions/1:withdraw").status == 200)
      #expect(try host.send("GET", target).status == 404)
    }
  }

  @Test(arguments: [
    ("\u{14}\0\0\0XXXX", 400), ("", 400), ("short", 400),
  ])
  func `a file that is not a model is rejected, the old model stays`(body: String, status: Int) async throws {
    try await RunningHost.run { host in
      try Self.publish(host, "one")
      let answer = try host.send(as: .admin, "POST", "\(Self.native)/birds/versions", body: body)
      #expect(answer.status == status, "\(answer.body)")
      #expect(answer.body.contains("The file was refused: "), "\(answer.body)")
      #expect(try Self.member("version", host.send("GET", Self.download).body) == "1")
    }
  }

  @Test(arguments: [
    "..%2F..%2Fetc", "%00", "a%0Ab", "%ff", String(repeating: "a", count: 33), "a%20b", "con%3A", "..",
    "%C3%A9",
  ])
  func `a hostile name is rejected and never a path`(name: String) async throws {
    try await RunningHost.run { host in
      let published = try host.send(
        as: .admin, "POST", "\(Self.native)/\(name)/versions", body: markedModel("x"))
      #expect((400..<500).contains(published.status), "\(published.status)")
      let asked = try host.send(
        "GET", "/v1beta2/projects/test-project/models/\(name):download?key=\(RunningHost.appKey)")
      #expect((400..<500).contains(asked.status), "\(asked.status)")
    }
  }

  @Test func `a body over the limit is rejected before it is read`() async throws {
    try await RunningHost.run(maximumUpload: 1 << 20) { host in
      let connection = try RawConnection(port: host.port)
      connection.send(
        "POST \(Self.native)/birds/versions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
          + "\(host.tokens[.admin] ?? "")\r\nContent-Length: 2000000\r\n\r\n")
      #expect(connection.readToEnd().hasPrefix("HTTP/1.1 413 "))
      try Self.publish(host, "one")
    }
  }

  @Test func `health, readiness and metrics need no key`() async throws {
    try await RunningHost.run { host in
      for target in ["/livez", "/readyz"] {
        let answer = try host.send("GET", target)
        #expect(answer.body == "ok\n")
      }
      let metrics = try host.send("GET", "/metrics").body
      #expect(metrics.contains("fovea_host_models 0\n"))
    }
  }
}
#endif
