// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

/// Names with a meaning for a file system, a shell or a route.
@Suite struct NameRouteTests {
  private static let native = "/v1/host/projects/test-project/models"

  static let hostile = [
    "../", "..", ".", "../../host.sqlite", "%2e%2e%2f", "..%5c", "..%2F..%2Fhost.sqlite", "%00", "a%00",
    "a%00.tflite", "a@@b", "m:download", ":rollback", "a/b", "a%2Fb", "a%252Fb", "a.b", "a b", "a%20b",
    "a+b",
    "%ff%fe", "%C3%A9", "%E2%80%AE", "%F0%9F%98%80", "%EF%BC%8E%EF%BC%8E", "%0d%0aX:1", "%", "%zz", "<b>",
    "$(id)", "`id`", "'", "\"", ";", "a,b", "~", "*", String(repeating: "a", count: 33),
    String(repeating: "a", count: 4_000), String(repeating: "a", count: 10_000),
  ]

  @Test func `a hostile name is rejected everywhere, and the next request is answered`() async throws {
    try await RunningHost.run { host throws in
      let before = try host.folder.names()
      for name in Self.hostile {
        let raw = name.replacing(" ", with: "%20").replacing("\"", with: "%22")
        let targets = [
          ("POST", "\(Self.native)/\(raw)/versions"), ("GET", "\(Self.native)/\(raw)/history"),
          ("PUT", "\(Self.native)/\(raw)/channels/stable"), ("DELETE", "\(Self.native)/\(raw)"),
          ("POST", "\(Self.native)/m/versions?channel=\(raw.replacing("&", with: "%26"))"),
          ("GET", "/v1beta2/projects/test-project/models/\(raw)"),
          ("DELETE", "/v1beta2/projects/test-project/models/\(raw)"),
          ("GET", "/v1beta2/projects/test-project/operations/\(raw)"),
          ("DELETE", "/v1/host/projects/test-project/keys/\(raw)"),
        ]
        for (method, target) in targets {
          let answer = try host.send(
            as: .admin, method, target, body: method == "POST" ? UploadTests.model : "")
          #expect((400..<500).contains(answer.status), "\(method) \(target.prefix(80)): \(answer.status)")
          #expect(!answer.body.contains(host.folder.path))
        }
        let asked = [
          "/v1beta2/projects/test-project/models/\(raw):download", "/models/test-project/\(raw).tflite",
          "/files/test-project/\(raw)",
        ]
        for target in asked {
          let answer = try host.send("GET", "\(target)?key=\(RunningHost.appKey)")
          #expect((400..<500).contains(answer.status), "\(target.prefix(80)): \(answer.status)")
        }
      }
      #expect(host.models.catalogue.counts.models == 0)
      #expect(try host.folder.names() == before)
      #expect(try host.send("GET", "/readyz").status == 200)
    }
  }

  @Test(arguments: [
    "invalid-model-id", "12x", "%2e%2e", "birds%20", "1.5", "-1", String(repeating: "1", count: 61),
  ])
  func `an impossible id is an invalid argument, and an unused one is not found`(_ id: String)
    async throws
  {
    try await RunningHost.run { host throws in
      let models = "/v1beta2/projects/test-project/models"
      for (method, target) in [
        ("GET", "\(models)/\(id)"), ("PATCH", "\(models)/\(id)"), ("DELETE", "\(models)/\(id)"),
        ("GET", "/v1beta2/projects/test-project/operations/\(id)"),
      ] {
        let answer = try host.send(as: .admin, method, target)
        #expect(
          answer.status == 400 && answer.body.contains("INVALID_ARGUMENT"),
          "\(method) \(target): \(answer.body)")
        #expect(answer.body.contains("Request contains an invalid argument."), "\(answer.body)")
        #expect(!answer.body.contains("%2"), "\(answer.body)")
      }
      for target in ["\(models)/99999999999", "/v1beta2/projects/test-project/operations/0123456789abcdef"] {
        let none = try host.send(as: .admin, "GET", target)
        #expect(none.status == 404 && none.body.contains("NOT_FOUND"), "\(none.body)")
      }
      let device = try host.send("GET", "\(models)/a%20b:download?key=\(RunningHost.appKey)")
      #expect(device.status == 400 && device.body.contains("INVALID_ARGUMENT"), "\(device.body)")
      #expect(try host.send("GET", "\(models)/none:download?key=\(RunningHost.appKey)").status == 404)
    }
  }

  @Test func `an unknown model is not found, and only keys of the host learn the nearest name`() async throws
  {
    try await RunningHost.run { host throws in
      let published = try host.send(
        as: .publisher, "POST", "\(Self.native)/birds/versions", body: markedModel("one"))
      #expect(published.status == 200, "\(published.body)")
      for (method, path, isNear) in [
        ("GET", "/bird/history", true), ("GET", "/brids", true),
        ("POST", "/bird:rollback", true),
        ("DELETE", "/bird", true), ("GET", "/nope/history", false),
      ] {
        let answer = try host.send(as: .admin, method, Self.native + path)
        #expect(
          answer.status == 404 && answer.body.contains("There is no model"),
          "\(method) \(path): \(answer.body)")
        #expect(answer.body.contains("did you mean 'birds'?") == isNear, "\(answer.body)")
      }
      let app = try host.send(
        "GET", "/v1beta2/projects/test-project/models/bird:download?key=\(RunningHost.appKey)")
      #expect(app.status == 404 && !app.body.contains("birds"), "\(app.body)")
      let id = try host.models.model("birds").id
      for name in ["birds", id] {
        let history = try host.send(as: .viewer, "GET", "\(Self.native)/\(name)/history")
        #expect(history.status == 200 && history.body.contains("version.publish"), "\(history.body)")
      }
      #expect(try host.send(as: .admin, "DELETE", "\(Self.native)/birds").status == 200)
      let history = try host.send(as: .viewer, "GET", "\(Self.native)/birds/history")
      #expect(history.status == 200 && history.body.contains("model.delete"), "\(history.body)")
    }
  }

  @Test func `a hostile name in a body is rejected with its rule`() async throws {
    try await RunningHost.run { host throws in
      for name in Self.hostile {
        let text = PercentText.decode(name) ?? name
        guard text.utf8.count < 8_000 else { continue }
        var json = JSONText()
        json.object { json in
          json.key("displayName")
          json.string(text)
        }
        let answer = try host.send(
          as: .publisher, "POST", "/v1beta2/projects/test-project/models", body: json.text)
        #expect(answer.body.contains("\"code\": 3"), "\(name.prefix(40)): \(answer.body)")
        #expect(answer.body.contains("1 to 32 letters, digits"), "\(answer.body)")
      }
      #expect(host.models.catalogue.counts.models == 0)
    }
  }

  @Test(arguments: [
    "-rf", "--", "con", "CON", "nul", "-", "_", "__proto__", "constructor", "0", "download",
  ])
  func `a strange name that the rule allows is stored safely`(name: String) async throws {
    try await RunningHost.run { host throws in
      let published = try host.send(
        as: .publisher, "POST", "\(Self.native)/\(name)/versions", body: UploadTests.model)
      #expect(published.status == 200, "\(published.body)")
      let asked = try host.send(
        "GET", "/v1beta2/projects/test-project/models/\(name):download?key=\(RunningHost.appKey)")
      #expect(asked.status == 200)
      let file = try host.send("GET", "/models/test-project/\(name).tflite?key=\(RunningHost.appKey)")
      #expect(file.body == UploadTests.model)
      #expect(file.headers["content-disposition"] == "attachment; filename=\"\(name).tflite\"")
      #expect(try !host.folder.names().contains { $0.contains(name) && name.count > 2 })
    }
  }

  @Test(arguments: [
    "..", "a/../b", "/a", "a//b", "a\\\\b", "a\\u0000b", "a\\nb", "",
    String(repeating: "a", count: 1_025), "\\u0085",
  ])
  func `an object with an invalid name is rejected`(name: String) async throws {
    try await RunningHost.run { host throws in
      let answer = try host.send(
        as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=resumable",
        body: #"{"name": "\#(name)"}"#)
      #expect(answer.status == 400 && answer.body.contains("name of the object"), "\(answer.body)")
      #expect(host.uploadsUnderWay == 0)
    }
  }
}
#endif
