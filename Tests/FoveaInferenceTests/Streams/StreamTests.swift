// SPDX-License-Identifier: Apache-2.0
#if Server && Video
import Foundation
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaImage
@testable import FoveaInference
import FoveaTesting
import FoveaTracking
import FoveaVideo
import Logging
import Synchronization
import Testing

@Suite struct StreamTests {
  /// 120 frames of 768 × 432 pixels, ten per second.
  static let clip = PackageRoot.path + "/Examples/videos/people.mp4"

  private static func run<R: Sendable>(
    _ sources: [StreamEntry] = [StreamEntry(name: "walk", source: .file(clip))],
    _ body: @escaping @Sendable (RunningInference) throws -> R
  ) async throws -> R {
    try await RunningInference.run([.embedded], { $0.sources = sources }, body)
  }

  /// The line without its times, which differ.
  private static func timeless(_ line: some StringProtocol) -> String {
    String(line.prefix(upTo: line.firstRange(of: ", \"milliseconds\"")?.lowerBound ?? line.endIndex))
  }

  private static func value(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// A connection on which an endless response starts.
  private static func open(
    _ server: RunningInference, _ path: String, accept: String = "*/*"
  ) throws -> RawConnection {
    let connection = try RawConnection(port: server.port)
    connection.send("GET /v1/streams/\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: \(accept)\r\n\r\n")
    return connection
  }

  /// Reads events until one has that number or a higher one: a viewer on a busy machine skips some.
  private static func events(_ connection: RawConnection, to number: Int) -> [(number: Int, line: String)] {
    var text = ""
    var found: [(number: Int, line: String)] = []
    while found.last?.number ?? 0 < number, let piece = connection.read(65_536), !piece.isEmpty {
      text += String(decoding: piece, as: UTF8.self)
      found = text.matches(of: /id: ([0-9]+)\ndata: (.*)\n\n/).map {
        (Int($0.1) ?? 0, timeless($0.2))
      }
    }
    return found
  }

  /// The objects of `fovea track` in the first frames.
  private static func expected(_ count: Int) async throws -> [String] {
    var options = ObjectDetector.Options()
    var tracking = ObjectTracker.Options()
    let configuration = FoveaTracker.Configuration.detector(threshold: 0.5)
    options.threshold = Float(configuration.lowScore)
    options.threads = 1
    tracking.tracker = .fovea(configuration)
    let detector = try await ObjectDetector(options: options)
    var lines: [String] = []
    for try await frame in detector.track(VideoFile(clip), options: tracking) {
      lines.append(timeless(FrameJSONWriter().text(for: FrameRecord(frame, source: "walk"))))
      if lines.count == count { break }
    }
    return lines
  }

  @Test func `a source whose model is a classifier is rejected at the start`() async throws {
    let source = StreamEntry(name: "walk", source: .file(Self.clip))
    await #expect {
      try await RunningInference.run(
        [ModelEntry(name: "things", source: .embedded(.classifier))], { $0.sources = [source] }
      ) { _ in }
    } throws: { error in
      "\(error)".contains("The source 'walk': its model 'things' is a classifier, but a detector is needed")
    }
  }

  @Test func `a source without a model uses the first detector, also after a classifier`()
    async throws
  {
    let models = [ModelEntry(name: "things", source: .embedded(.classifier)), ModelEntry.embedded]
    let source = StreamEntry(name: "walk", source: .file(Self.clip))
    try await RunningInference.run(models, { $0.sources = [source] }) { server in
      let events = try Self.open(server, "walk/events")
      let text = events.read(until: "\"milliseconds\"")
      #expect(text.contains("\"objects\": ") && !text.contains("\"error\""), "\(text)")
    }
  }

  @Test func `events are the lines of fovea track, numbered by their frames`() async throws {
    let expected = try await Self.expected(12)
    #expect(expected.last?.contains("\"trackingID\": 1") == true)
    try await Self.run { server in
      let events = try Self.open(server, "walk/events")
      #expect(events.read(until: "\r\n\r\n").contains("text/event-stream"))
      let seen = Self.events(events, to: expected.count).filter { $0.number <= expected.count }
      #expect(!seen.isEmpty)
      for (number, line) in seen { #expect(line == expected[number - 1], "frame \(number)") }
      // The source is the same for a later viewer.
      let other = try Self.open(server, "walk/events", accept: "application/x-ndjson")
      let later = other.read(until: "\"milliseconds\"")
      #expect(later.contains("application/x-ndjson") && later.contains("\"image\": \"walk\""))
      #expect(!later.contains("\"frame\": 1,"))
      let status = try Self.value(server.send("GET", "/v1/streams/walk").body)
      #expect(status["state"] as? String == "running" && status["viewers"] as? Int == 2)
      #expect(status["width"] as? Int == 768 && status["height"] as? Int == 432)
    }
  }

  /// Whether a text arrives within this many chunks of a response, which has one chunk per frame.
  private static func comes(_ text: String, on connection: RawConnection, within pieces: Int = 100) -> Bool {
    var received = ""
    for _ in 0..<pieces where !received.contains(text) {
      guard let piece = connection.read(65_536), !piece.isEmpty else { break }
      received += String(decoding: piece, as: UTF8.self)
    }
    return received.contains(text)
  }

  @Test func `a source whose model is reloaded names its objects by the new labels`() async throws {
    let folder = try TemporaryFolder()
    let model = try RunningInference.bytes(
      PackageRoot.path + "/Sources/C/CEmbeddedModels/models/detector80_int8.tflite")
    var entry = ModelEntry(name: "a", source: .file(try folder.write("a.tflite", model)))
    entry.settings = try ModelSettings([
      "no-classify": .flag(true),
      "labels": .text(try folder.write("labels.txt", RunningInference.labels("old"))),
    ])
    let present = entry
    var source = StreamEntry(name: "walk", source: .file(Self.clip))
    source.settings.threshold = 0.2
    let sources = [source]
    try await RunningInference.run(
      [entry],
      {
        $0.sources = sources
        $0.readConfiguration = { ReadConfiguration(entries: [present]) }
      }
    ) { server in
      let events = try Self.open(server, "walk/events")
      #expect(Self.comes("\"old ", on: events))
      try folder.write("labels.txt", RunningInference.labels("newer"))
      server.reload()
      #expect(Self.comes("\"newer ", on: events))
    }
  }

  @Test func `images have boxes, in one JPEG or in many parts`() async throws {
    try await Self.run { server in
      let (answer, bytes) = try server.sendForBytes("GET", "/v1/streams/walk/frame.jpg")
      #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
      #expect(try EncodedImage(bytes: bytes, name: "frame").canvas().size.width == 768)
      let video = try Self.open(server, "walk/video.mjpeg")
      var received: [UInt8] = []
      let head = Array("--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ".utf8)
      func parts() -> [Int] {
        received.indices.dropLast(head.count).filter { received[$0...].starts(with: head) }
      }
      while parts().count < 3, let piece = video.read(65_536), !piece.isEmpty { received += piece }
      let starts = parts()
      try #require(starts.count >= 3)
      for (start, end) in zip(starts, starts.dropFirst()).prefix(2) {
        // SOI and EOI: the part has a complete image.
        let part = received[start..<end]
        #expect(
          part.firstRange(of: [0xFF, 0xD8, 0xFF]) != nil && part.firstRange(of: [0xFF, 0xD9]) != nil)
      }
    }
  }

  @Test func `WebSocket viewers share the JSON and the JPEG of a frame`() async throws {
    try await Self.run { server in
      let clients = try (0..<2).map { _ in
        try WebSocketClient(port: server.port, path: "/v1/streams/walk/live")
      }
      var seen: [[Int: [UInt8]]] = []
      for client in clients {
        var messages: [Int: [UInt8]] = [:]
        while messages.count < 6, let frame = try client.next() {
          guard frame.opcode == 2 else { continue }
          let count = frame.bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
          let json = try Self.value(String(decoding: frame.bytes[4..<(4 + count)], as: UTF8.self))
          let image = Array(frame.bytes[(4 + count)...])
          #expect(try EncodedImage(bytes: image, name: "frame").canvas().size.width == 768)
          messages[try #require(json["frame"] as? Int)] = frame.bytes
        }
        seen.append(messages)
      }
      let both = Set(seen[0].keys).intersection(seen[1].keys)
      #expect(!both.isEmpty)
      for number in both { #expect(seen[0][number] == seen[1][number]) }
      let metrics = try server.send("GET", "/metrics").body
      func count(_ outcome: String) -> Int {
        let line = metrics.split(separator: "\n").first { $0.contains("outcome=\"\(outcome)\"") }
        return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
      }
      #expect(metrics.contains("fovea_stream_frames_total{stream=\"walk\",outcome=\"encoded\"}"))
      #expect(count("encoded") >= 6 && count("encoded") <= count("processed") && count("annotated") == 0)
      // A viewer sends nothing.
      clients[0].send(.text("hello"))
      #expect(try clients[0].closeCode() == 1008)
    }
  }

  @Test func `a viewer that does not read slows no other`() async throws {
    try await Self.run { server in
      let stalled = try Self.open(server, "walk/video.mjpeg")
      let reader = try Self.open(server, "walk/events")
      #expect(Self.events(reader, to: 15).last?.number ?? 0 >= 15)
      withExtendedLifetime(stalled) {}
    }
  }

  @Test func `a missing file is a failed source, and other routes continue`() async throws {
    let missing = "/nonexistent/secret.mp4"
    try await Self.run([StreamEntry(name: "gone", source: .file(missing))]) { server in
      let idle = try server.send("GET", "/v1/streams")
      #expect(idle.status == 200 && idle.body.contains("\"state\": \"idle\""))
      let image = try server.send("GET", "/v1/streams/gone/frame.jpg")
      #expect(image.status == 503 && image.errorCode == "video-not-found")
      #expect(image.headers["retry-after"] == "5" && !image.body.contains(missing))
      let events = try server.send("GET", "/v1/streams/gone/events")
      #expect(events.status == 200 && events.body.contains("event: state\ndata: {"))
      #expect(events.body.contains("\"state\": \"failed\"") && !events.body.contains(missing))
      let client = try WebSocketClient(port: server.port, path: "/v1/streams/gone/live")
      #expect(try client.text(with: "video-not-found") != nil)
      #expect(try client.closeCode() == 1011)
      let status = try Self.value(server.send("GET", "/v1/streams/gone").body)
      #expect(status["state"] as? String == "failed" && status["viewers"] as? Int == 0)
      #expect((status["lastError"] as? [String: Any])?["code"] as? String == "video-not-found")
      #expect(try server.send("GET", "/livez").status == 200)
    }
  }

  @Test func `an unreachable address is shown without its server and password`() async throws {
    let source = StreamEntry(name: "gate", source: .stream("rtsp://user:secret@127.0.0.1:1/door"))
    try await Self.run([source]) { server in
      let image = try server.send("GET", "/v1/streams/gate/frame.jpg")
      #expect(image.status == 503 && image.errorCode == "video-unreachable")
      let status = try server.send("GET", "/v1/streams")
      for part in ["secret", "user:", "127.0.0.1", "door"] {
        #expect(!image.body.contains(part) && !status.body.contains(part), "\(part)")
      }
    }
  }

  /// Names that are a part of the address or of the text, an address, and the error that viewers see.
  ///
  /// Two dots follow each other in the hosts, so no name server is asked.
  static let failures: [(name: String, source: VideoSource, message: String)] = [
    (
      "gate", .stream("rtsp://a..a/1"),
      "The source 'gate' failed: the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "a", .stream("rtsp://user:secret@address..internal:8554/a"),
      "The source 'a' failed: the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "address", .stream("udp://address..internal:99"),
      "The source 'address' failed: the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "internal", .stream("http://address..internal/e"),
      "The source 'internal' failed: the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "tcp", .stream("rtsp://user:secret@127.0.0.1:1/tcp"),
      "The source 'tcp' failed: the address cannot be opened: Connection refused"
    ),
    (
      "n", .stream("rtsp://user:sec/ret@address..internal/e"),
      "The source 'n' failed: the address has no valid port"
    ),
    ("e", .file("e"), "The source 'e' failed: there is no such file"),
    ("such", .file("/srv/such"), "The source 'such' failed: there is no such file"),
    ("v", .camera("/dev/video77"), "The source 'v' failed: reading failed: No such file or directory"),
  ]

  @Test func `errors of sources are made from the kind of failure; the log has the place`() async throws {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }) { line in lines.withLock { $0.append(line) } }
    }
    let sources = Self.failures.map { StreamEntry(name: $0.name, source: $0.source) }
    try await RunningInference.run([.embedded], { $0.sources = sources }, logger: logger) { server in
      for row in Self.failures {
        let answer = try server.send("GET", "/v1/streams/\(row.name)/frame.jpg")
        #expect(answer.status == 503 && answer.body.contains("\"\(row.message)\""), "\(answer.body)")
        let status = try Self.value(server.send("GET", "/v1/streams/\(row.name)").body)
        #expect((status["lastError"] as? [String: Any])?["message"] as? String == row.message)
      }
    }
    let log = lines.withLock(\.self)
    for row in Self.failures {
      #expect(
        log.contains { line in
          line.contains("\"source\": \"\(row.name)\"") && line.contains("source failed")
            && line.contains("\"address\": \"\(row.source.place)\"")
        }, "\(log)")
    }
    for part in ["secret", "sec/", "user:"] { #expect(!log.contains { $0.contains(part) }) }
  }

  @Test func `a source stops after its last viewer, and starts again with the next`() async throws {
    let source = StreamEntry(name: "walk", source: .file(Self.clip))
    try await RunningInference.run([.embedded], { ($0.sources, $0.sourceLinger) = ([source], .zero) }) {
      server in
      for _ in 0..<2 {
        var viewer: RawConnection? = try Self.open(server, "walk/events")
        #expect(try !Self.events(#require(viewer), to: 2).isEmpty)
        viewer = nil
        var state: String?
        blockUntil {
          let status = try? Self.value(server.send("GET", "/v1/streams/walk").body)
          state = status?["state"] as? String
          return state == "idle"
        }
        #expect(state == "idle")
      }
    }
  }

  @Test func `unknown names are rejected with the nearest`() async throws {
    try await Self.run { server in
      for path in ["walc", "walc/events", "walc/frame.jpg", "walc/video.mjpeg", "walc/live"] {
        let answer = try server.send("GET", "/v1/streams/\(path)")
        #expect(answer.status == 404 && answer.errorCode == "stream-unknown", "\(path)")
        #expect(answer.body.contains("Did you mean 'walk'?"))
      }
      let odd = try server.send("GET", "/v1/streams/%3Cimg%20src=x%3E").body
      let error = try #require(Self.value(odd)["error"] as? [String: Any])
      #expect(error["message"] as? String == "There is no source '<img src=x>'")
      let live = try server.send("GET", "/v1/streams/walk/live")
      #expect(live.status == 426 && live.errorCode == "upgrade-required")
      let refused = #expect(throws: TestFailure.self) {
        try WebSocketClient(port: server.port, path: "/v1/streams/walk/live?fps=2")
      }
      let text = refused.map { "\($0)" } ?? ""
      for part in ["There is no option 'fps' in the query", "Omit it: this route has no options"] {
        #expect(text.contains(part), "\(text)")
      }
    }
    try await Self.run([]) { server in
      let none = try server.send("GET", "/v1/streams")
      #expect(none.body.contains("\"streams\": []"))
    }
  }

  @Test func `viewers see the end of the server as the end of the source`() async throws {
    let (video, live) = try await Self.run { server in
      let video = try Self.open(server, "walk/video.mjpeg")
      _ = video.read(until: "--frame")
      let live = try WebSocketClient(port: server.port, path: "/v1/streams/walk/live")
      _ = try live.next()
      server.service.endStreams()
      return (video.read(until: "\r\n0\r\n\r\n").hasSuffix("\r\n0\r\n\r\n"), try live.closeCode())
    }
    #expect(video && live == 1001)
  }

  /// An argument of `--source`, its name, and whether it is accepted.
  static let arguments: [(text: String, name: String?)] = [
    ("gate=rtsp://user:secret@camera/1?a=b", "gate"), ("cam=/dev/video0", "cam"),
    ("a.b-c_1=clip.mp4", "a.b-c_1"),
    ("rtsp://user:secret@camera/1", nil), ("rtsp://user:secret@camera/1?a=b", nil), ("clip.mp4", nil),
    ("gate=", nil), ("=clip.mp4", nil), ("gate=-", nil), (".gate=clip.mp4", nil), ("a b=clip.mp4", nil),
    (String(repeating: "a", count: 65) + "=clip.mp4", nil), ("", nil),
  ]

  @Test(arguments: arguments)
  func `a source has a name, and no message shows its password`(row: (text: String, name: String?)) {
    do throws(FoveaError) {
      #expect(try StreamEntry(row.text).name == row.name)
    } catch {
      #expect(row.name == nil && error.code.rawValue == "option-invalid")
      #expect(!"\(error.message) \(error.remedy)".contains("secret"))
    }
  }
}
#endif
