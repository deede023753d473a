// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaTesting
import HTTPTypes
import Testing

@testable import FoveaInference

@Suite struct AnalysisStreamTests {
  /// A text that is not an image has its line as fast as possible.
  private static func body(_ count: Int) -> String {
    let images = (0..<count).map { "{\"base64\": \"aGVsbG8=\", \"name\": \"\($0).jpg\"}" }
    return "{\"images\": [\(images.joined(separator: ","))]}"
  }

  private static func open(_ server: RunningInference, _ body: String) throws -> RawConnection {
    let connection = try RawConnection(port: server.port)
    connection.send(
      "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        + "Accept: application/x-ndjson\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return connection
  }

  /// Sends a request until its first image is done and its second one waits behind another client's call.
  private static func untilFirstLine(
    _ server: RunningInference, _ body: String
  ) throws -> (connection: RawConnection, text: String, holder: HeldCall) {
    let scheduler = server.service.scheduler
    let before = scheduler.hold(for: "before")
    blockUntil { scheduler.counts.running == 1 }
    let connection = try open(server, body)
    blockUntil { scheduler.counts.waiting == 1 }
    let holder = scheduler.hold(for: "between")
    blockUntil { scheduler.counts.waiting == 2 }
    before.cancel()
    return (connection, connection.read(until: "0.jpg"), holder)
  }

  @Test func `each line is sent when it is ready, in the order of the images`() async throws {
    try await RunningInference.run([.embedded], { $0.slots = 1 }) { server in
      let (connection, first, holder) = try Self.untilFirstLine(server, Self.body(3))
      let head = try HTTPAnswer(first)
      #expect(head.status == 200 && head.headers["content-type"] == "application/x-ndjson")
      #expect(head.headers["transfer-encoding"] == "chunked" && head.headers["content-length"] == nil)
      #expect(head.headers["server-timing"]?.hasPrefix("queue;dur=") == true)
      #expect(!first.contains("1.jpg"))
      #expect(server.service.bodies.reserved == Self.body(3).utf8.count)
      holder.cancel()
      let text = first + connection.read(until: "\r\n0\r\n\r\n")
      let lines = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{\"image\"") }
      #expect(lines.count == 3, "\(text)")
      for (index, line) in lines.enumerated() {
        #expect(
          line.hasPrefix("{\"image\": \"\(index).jpg\", \"error\": {\"code\": \"image-unknown-format\""))
      }
      blockUntil { server.service.bodies.reserved == 0 }
    }
  }

  @Test(arguments: ["", "Connection: keep-alive\r\n"])
  func `a client of HTTP 1.0 gets lines without chunks, and the end of its connection`(
    header: String
  ) async throws {
    let body = Self.body(3)
    try await RunningInference.run([.embedded], { $0.slots = 1 }) { server in
      let connection = try RawConnection(port: server.port)
      connection.send(
        "POST /v1/detect?format=jsonl HTTP/1.0\r\nHost: 127.0.0.1\r\n\(header)"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      let answer = try HTTPAnswer(connection.readToEnd())
      #expect(answer.status == 200 && answer.headers["transfer-encoding"] == nil)
      #expect(answer.headers["connection"] == "close")
      #expect(answer.body.split(separator: "\n").count == 3, "\(answer.body)")
      #expect(answer.body.hasPrefix("{\"image\": \"0.jpg\"") && answer.body.hasSuffix("}\n"))
    }
  }

  @Test(arguments: [true, false])
  func `a client that leaves after a line cancels the rest`(closesWhole: Bool) async throws {
    try await RunningInference.run([.embedded], { $0.slots = 1 }) { server in
      let scheduler = server.service.scheduler
      var (connection, _, holder): (RawConnection?, String, Task<Void, any Error>) =
        try Self.untilFirstLine(server, Self.body(64))
      blockUntil { scheduler.counts.running == 1 && scheduler.counts.waiting == 1 }
      if closesWhole { connection = nil } else { connection?.endSending() }
      // The other call still has the slot.
      blockUntil { scheduler.counts.waiting == 0 }
      #expect(scheduler.counts.running == 1)
      holder.cancel()
      blockUntil { scheduler.counts.running == 0 && server.service.bodies.reserved == 0 }
      #expect(try server.send("POST", "/v1/detect", RunningInference.bytes()).status == 200)
    }
  }

  struct Early: Sendable, CustomTestStringConvertible {
    let name: String
    var target = "/v1/detect?format=jsonl"
    var body = AnalysisStreamTests.body(2)
    let status: Int
    let code: String
    var testDescription: String { name }
  }

  static let early = [
    Early(
      name: "unknown option", target: "/v1/detect?format=jsonl&x=1", status: 400, code: "option-unknown"),
    Early(
      name: "unknown model", target: "/v1/detect?format=jsonl&model=x", status: 404, code: "model-unknown"),
    Early(name: "another task", target: "/v1/label?format=jsonl", status: 400, code: "task-mismatch"),
    Early(name: "no images", body: #"{"images": []}"#, status: 400, code: "request-malformed"),
    Early(name: "65 images", body: AnalysisStreamTests.body(65), status: 413, code: "request-too-large"),
  ]

  @Test func `a failure before the first line has its status`() async throws {
    try await RunningInference.run([.embedded], { $0.slots = 1 }) { server in
      for row in Self.early {
        let answer = try server.post(row.target, row.body)
        #expect(answer.status == row.status && answer.errorCode == row.code, "\(row): \(answer.body)")
      }
      let scheduler = server.service.scheduler
      let calls = (0...scheduler.places).map { number in scheduler.hold(for: "other-\(number)") }
      blockUntil { scheduler.counts.waiting == scheduler.places }
      let busy = try server.post("/v1/detect?format=jsonl", Self.body(2))
      #expect(busy.status == 503 && busy.errorCode == "server-busy" && busy.headers["retry-after"] != nil)
      for call in calls { call.cancel() }
      blockUntil { scheduler.counts.running == 0 && server.service.bodies.reserved == 0 }
    }
  }

  @Test func `a failure after the first line is the error of each image without a line`() async throws {
    let (pieces, report) = AsyncThrowingStream.makeStream(of: InferenceCaller.Piece.self)
    let error = FoveaError(.cancelled, "no", remedy: "none")
    report.yield(InferenceCaller.Piece(image: "1", result: .failure(error)))
    report.finish(throwing: Refusal(.gatewayTimeout, "deadline-exceeded", "Late", remedy: "Wait"))
    var reader = AnalysisLines(pieces, of: ["1", "2", "3"])
    var lines: [String] = []
    while let line = try await reader.next() { lines.append(line) }
    #expect(lines.count == 3 && lines[0].hasPrefix(#"{"image": "1", "error": {"code": "cancelled""#))
    for (line, name) in zip(lines.dropFirst(), ["2", "3"]) {
      let error = #"{"code": "deadline-exceeded", "message": "Late", "remedy": "Wait"}"#
      #expect(line == "{\"image\": \"\(name)\", \"error\": \(error)}\n")
    }
  }

  @Test func `a stream that ends before its last line is not a complete response`() async throws {
    let (pieces, report) = AsyncThrowingStream.makeStream(of: InferenceCaller.Piece.self)
    report.finish()
    await #expect(throws: CancellationError.self) {
      var lines = AnalysisLines(pieces, of: ["1"])
      _ = try await lines.next()
    }
  }
}
#endif
