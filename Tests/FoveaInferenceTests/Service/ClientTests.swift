// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaHTTP
import FoveaTesting
import Logging
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct ClientTests {
  /// Calls that hold every slot and the places of one client, until they are cancelled.
  private static func fill(_ scheduler: Scheduler, for client: String, places: Int) -> [HeldCall] {
    let calls = scheduler.holdSlots(for: "other")
    // One of another client, or a single client might have all places.
    let others = [scheduler.hold(for: "other")] + (0..<places).map { _ in scheduler.hold(for: client) }
    blockUntil { scheduler.counts.waiting == places + 1 }
    return calls + others
  }

  @Test func `one key has one queue, and another key its own`() async throws {
    let folder = try TemporaryFolder()
    var keys = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let full = try keys.add("full", scopes: [.infer], rate: nil)
    let free = try keys.add("free", scopes: [.infer], rate: nil)
    try keys.write()
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded], { $0.keys = folder["keys.json"] }) { server in
      let scheduler = server.service.scheduler
      let calls = Self.fill(scheduler, for: "key full", places: scheduler.places / 2)
      let refused = try server.send("POST", "/v1/detect", headers: ["x-api-key": full], photo)
      #expect(refused.status == 429 && refused.errorCode == "share-used")
      let short = ["x-api-key": free, "Fovea-Timeout-Ms": "1"]
      let other = try server.send("POST", "/v1/detect", headers: short, photo)
      #expect(other.status == 504, "\(other.body)")
      for call in calls { call.cancel() }
      blockUntil { scheduler.counts.waiting == 0 && scheduler.counts.running == 0 }
      #expect(try server.send("POST", "/v1/detect", headers: ["x-api-key": full], photo).status == 200)
    }
  }

  @Test(arguments: [true, false])
  func `behind a trusted proxy each address has a queue`(isTrusted: Bool) async throws {
    let photo = try RunningInference.bytes()
    let proxies = isTrusted ? TrustedProxies.only(["127.0.0.1"]) : TrustedProxies.none
    try await RunningInference.run([.embedded], { $0.proxies = proxies }) {
      (server: RunningInference) throws -> Void in
      let scheduler = server.service.scheduler
      let full = isTrusted ? "192.0.2.1" : "127.0.0.1"
      let calls = Self.fill(scheduler, for: full, places: scheduler.places / 2)
      func status(_ address: String) throws -> Int? {
        let headers = ["X-Forwarded-For": "198.51.100.1, \(address)", "Fovea-Timeout-Ms": "1"]
        return try server.send("POST", "/v1/detect", headers: headers, photo).status
      }
      #expect(try status("192.0.2.1") == 429)
      #expect(try status("192.0.2.2") == (isTrusted ? 504 : 429))
      for call in calls { call.cancel() }
      blockUntil { scheduler.counts.waiting == 0 && scheduler.counts.running == 0 }
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
    }
  }

  @Test func `dropped images are counted by phase and reason, and logged with their client`() async throws {
    let photo = try RunningInference.bytes()
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }) { line in lines.withLock { $0.append(line) } }
    }
    try await RunningInference.run([.embedded], { $0.accessLog = .all }, logger: logger) { server in
      let scheduler = server.service.scheduler
      func count(_ phase: String, _ reason: String) -> String? {
        let name = "fovea_cancelled_total{phase=\"\(phase)\",reason=\"\(reason)\"} "
        let lines = (try? server.send("GET", "/metrics").body.split(separator: "\n")) ?? []
        return lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
      }
      for phase in ["waiting", "running"] {
        for reason in ["client", "deadline"] { #expect(count(phase, reason) == "0") }
      }
      let running = scheduler.holdSlots(for: "other")
      let late = try server.send("POST", "/v1/detect", headers: ["Fovea-Timeout-Ms": "1"], photo)
      #expect(late.status == 504 && count("waiting", "deadline") == "1")
      do {
        let leaving = try RawConnection(port: server.port)
        leaving.send(
          Array(
            "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(photo.count)\r\n\r\n".utf8)
            + photo)
        blockUntil { scheduler.counts.waiting == 1 }
      }
      blockUntil { count("waiting", "client") == "1" }
      #expect(count("waiting", "client") == "1")
      for call in running { call.cancel() }
      blockUntil { count("running", "client") == "\(running.count)" }
      #expect(count("running", "client") == "\(running.count)" && count("running", "deadline") == "0")
      // No one receives the response to a client that has left; it counts anyway.
      blockUntil { (try? server.send("GET", "/metrics").body.contains("status=\"499\"} 1")) == true }
      #expect(try server.send("GET", "/metrics").body.contains("status=\"499\"} 1"))
      let gone = {
        lines.withLock { $0.filter { $0.contains(#""http.response.status_code": "499""#) } }
      }
      blockUntil { !gone().isEmpty }
      #expect(gone().first?.contains(#""client.address": "127.0.0.1""#) == true, "\(gone())")
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
    }
  }

  @Test(
    arguments: [
      "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\nhalf",
      "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
    [true, false])
  func `a client that leaves within its body counts as 499, and its place is free`(
    request: String, closesWhole: Bool
  ) async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded]) { server in
      var leaving: RawConnection? = try RawConnection(port: server.port)
      leaving?.send(request)
      if closesWhole { leaving = nil } else { leaving?.endSending() }
      let count = #"fovea_requests_total{route="/v1/detect",protocol="native",status="499"} 1"#
      blockUntil { (try? server.send("GET", "/metrics").body.contains(count)) == true }
      let metrics = try server.send("GET", "/metrics").body
      #expect(metrics.contains(count) && !metrics.contains(#"status="400""#))
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
    }
  }

  @Test func `a client that has closed its half of the connection is not answered as gone`()
    async throws
  {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded]) { server in
      for _ in 0..<10 {
        let connection = try RawConnection(port: server.port)
        connection.send(
          Array(
            "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(photo.count)\r\n\r\n".utf8)
            + photo)
        connection.endSending()
        let text = connection.readToEnd()
        // It may be ready before the end of the half is noticed.
        #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 200"), "\(text)")
      }
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
    }
  }

  @Test func `a server is not ready while a pinned model is not loaded`() async throws {
    var pinned = ModelEntry(name: "pinned", source: .embedded(.classifier))
    pinned.settings.isPinned = true
    try await RunningInference.run([.embedded, pinned]) { server in
      #expect(try server.send("GET", "/readyz").status == 200)
      #expect(try server.send("POST", "/v1/models/default:unload").status == 200)
      #expect(try server.send("GET", "/readyz").status == 200)
      #expect(try server.send("POST", "/v1/models/pinned:unload").status == 200)
      let answer = try server.send("GET", "/readyz")
      #expect(
        answer.status == 503 && answer.errorCode == "model-loading" && answer.headers["retry-after"] == "5")
      #expect(try server.send("GET", "/livez").status == 200)
      #expect(try server.send("GET", "/v2/health/ready").status == 400)
      #expect(try server.send("POST", "/v1/models/pinned:load").status == 200)
      #expect(try server.send("GET", "/v2/health/ready").status == 200)
      #expect(try server.send("GET", "/readyz").status == 200)
    }
  }
}
#endif
