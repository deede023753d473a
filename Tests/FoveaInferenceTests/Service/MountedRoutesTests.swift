// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaHTTP
import FoveaInference
import FoveaTesting
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@Suite struct MountedRoutesTests {
  /// Runs another program's server, which has its own route and those of Fovea at `path`.
  private static func run(
    at path: RouterPath = "", hasHealth: Bool = false,
    _ change: (inout InferenceServer.Options) -> Void = { _ in },
    _ body: @escaping @Sendable (_ port: Int) throws -> Void
  ) async throws {
    var options = InferenceServer.Options()
    options.deadline = .seconds(60)
    change(&options)
    let server = try await InferenceServer(
      models: ["things": .embedded(.detector), "rooms": .embedded(.classifier)], options: options)
    let router = Router(context: BasicRequestContext.self)
    router.get("/") { _, _ in "the program's own" }
    router.addRoutes(server.routes(hasHealth: hasHealth), atPath: path)
    let place = Mutex<Int?>(nil)
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in place.withLock { $0 = channel.localAddress?.port } },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let task = Task { try await application.run() }
    defer { task.cancel() }
    try await waitUntil("the program listens") { place.withLock { $0 != nil } }
    let port = place.withLock { $0 ?? 0 }
    try await onOwnThread { try body(port) }
  }

  private static func objects(_ answer: HTTPAnswer) throws -> Int? {
    let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    return (value?["objects"] as? [Any])?.count
  }

  @Test(arguments: ["", "/seen", "/api/seen"])
  func `another program's server answers images at its own path`(path: String) async throws {
    let photo = try RunningInference.bytes()
    try await Self.run(at: RouterPath(path)) { port in
      func send(_ method: String, _ target: String, _ body: [UInt8] = []) throws -> HTTPAnswer {
        try RunningInference.send(to: port, method, path + target, body)
      }
      let found = try send("POST", "/v1/detect?threshold=0.4", photo)
      #expect(found.status == 200, "\(found.body)")
      #expect(try #require(try Self.objects(found)) > 0)
      let labeled = try send("POST", "/v1/models/rooms:label?max-labels=1", photo)
      #expect(labeled.status == 200 && labeled.body.contains("Home good"), "\(labeled.body)")
      // A client of DeepStack.
      #expect(try send("POST", "/v1/vision/custom/list").status == 200)
      #expect(try send("GET", "/v1/models/things").body.contains("\"detect\""))
      let wrong = try send("POST", "/v1/detect?treshold=0.4", photo)
      #expect(wrong.status == 400 && wrong.errorCode == "option-unknown")
      #expect(try RunningInference.send(to: port, "GET", "/").body == "the program's own")
    }
  }

  @Test func `routes that need their own connections are absent, and health is there on request`()
    async throws
  {
    let left = ["/v1/live", "/v1/streams", "/v1/events", "/assets/app.js"]
    let health = ["/livez", "/readyz", "/health", "/metrics"]
    for hasHealth in [false, true] {
      try await Self.run(hasHealth: hasHealth) { port in
        for path in left {
          #expect(try RunningInference.send(to: port, "GET", path).status == 404, "\(path)")
        }
        #expect(try RunningInference.send(to: port, "DELETE", "/v1/session").status == 404)
        for path in health {
          let answer = try RunningInference.send(to: port, "GET", path)
          #expect(answer.status == (hasHealth ? 200 : 404), "\(path)")
        }
        let document = try RunningInference.send(to: port, "GET", "/openapi.json").body
        for path in left.dropLast() { #expect(!document.contains("\"\(path)\""), "\(path)") }
        for path in health { #expect(document.contains("\"\(path)\"") == hasHealth, "\(path)") }
        #expect(document.contains("\"/v1/detect\""))
      }
    }
  }

  @Test func `keys, sizes and other sites are checked as by Fovea's own server`() async throws {
    let folder = try TemporaryFolder()
    let file = folder["keys.json"]
    var keys = try AccessKeyFile(file, mayBeMissing: true)
    let secret = try keys.add("camera", scopes: [.infer], rate: nil)
    try keys.write()
    let photo = try RunningInference.bytes()
    try await Self.run { options in
      options.keys = file
      options.maximumBody = 1 << 20
    } _: { port in
      func status(_ headers: String, _ body: [UInt8]) throws -> HTTPAnswer {
        let connection = try RawConnection(port: port)
        let head = "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        connection.send(
          Array((head + headers + "Content-Length: \(body.count)\r\n\r\n").utf8) + body)
        return try HTTPAnswer(connection.readToEnd())
      }
      let key = "Authorization: Bearer \(secret)\r\n"
      #expect(try status(key, photo).status == 200)
      let refused = try status("", photo)
      #expect(refused.status == 401 && refused.errorCode == "not-authorized")
      #expect(try status("Authorization: Bearer wrong\r\n", photo).status == 401)
      #expect(try status(key + "Origin: https://elsewhere.example\r\n", photo).status == 403)
      #expect(try status(key, [UInt8](repeating: 0, count: 2 << 20)).status == 413)
      #expect(try status(key, photo).status == 200)
    }
  }

  @Test func `a server is a service that ends with its group`() async throws {
    var options = InferenceServer.Options()
    options.port = 0
    options.slots = 1
    options.handlesSignals = false
    let server = try await InferenceServer(models: ["rooms": .embedded(.classifier)], options: options)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(services: [server], logger: logger)
    let ended = Mutex(false)
    let task = Task {
      try await group.run()
      ended.withLock { $0 = true }
    }
    defer { task.cancel() }
    await group.triggerGracefulShutdown()
    try await waitUntil("the group has ended") { ended.withLock { $0 } }
  }
}
#endif
