// SPDX-License-Identifier: Apache-2.0
#if Server && Video
import Foundation
import FoveaFormats
import FoveaHTTP
import FoveaTesting
import FoveaVideo
import Logging
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct StreamShapesTests {
  private static func value(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static func source(_ change: (inout LiveSettings) -> Void) -> StreamEntry {
    var entry = StreamEntry(name: "walk", source: .file(StreamTests.clip))
    change(&entry.settings)
    return entry
  }

  @Test func `a source lists its lines and zones with their names, so that a page can draw them`()
    async throws
  {
    let plain = StreamEntry(name: "plain", source: .file(StreamTests.clip))
    let source = Self.source { settings in
      settings.lines = [CountedShape(points: [0, 200.5, 640, 200])]
      settings.zones = [
        CountedShape(points: [0, 0, 90, 0, 90, 90]), CountedShape(name: "drive", points: [0, 0, 9, 0, 9, 9]),
      ]
    }
    try await RunningInference.run([.embedded], { $0.sources = [source, plain] }) { server in
      let walk = try Self.value(server.send("GET", "/v1/streams/walk").body)
      #expect(walk["lines"] as? [[Double]] == [[0, 200.5, 640, 200]])
      #expect(walk["zones"] as? [[Double]] == [[0, 0, 90, 0, 90, 90], [0, 0, 9, 0, 9, 9]])
      #expect(walk["lineNames"] as? [String] == ["line-1"])
      #expect(walk["zoneNames"] as? [String] == ["zone-1", "drive"])
      let list = try Self.value(server.send("GET", "/v1/streams").body)["streams"] as? [[String: Any]]
      #expect(list?.first?["zoneNames"] as? [String] == ["zone-1", "drive"])
      let plain = try Self.value(server.send("GET", "/v1/streams/plain").body)
      #expect(["lines", "lineNames", "zones", "zoneNames"].allSatisfy { plain[$0] == nil })
    }
  }

  /// A source's lines and zones in frames of 768 × 432 pixels, and its notes.
  private struct Noted {
    let name: String
    var lines: [CountedShape] = []
    var zones: [CountedShape] = []
    var notes: [String] = []
  }

  private static let remedy = "give its points in pixels from the top left corner"
  private static let outside = "is outside the frame of 768 × 432 pixels; \(remedy)"
  private static let fractions = "has only coordinates from 0 to 1, which is at most one pixel; \(remedy)"

  private static let noted = [
    Noted(name: "plain"),
    Noted(
      name: "inside", lines: [CountedShape(points: [384, 0, 384, 432])],
      zones: [CountedShape(name: "edge", points: [700, 400, 900, 400, 900, 500])]),
    Noted(
      name: "fractions", lines: [CountedShape(name: "exit", points: [0.1, 0.1, 0.9, 0.9])],
      zones: [CountedShape(points: [0.1, 0.1, 0.9, 0.1, 0.9, 0.9])],
      notes: ["Line exit \(fractions)", "Zone 1 \(fractions)"]),
    Noted(
      name: "far", lines: [CountedShape(points: [0, 433, 768, 433])],
      zones: [
        CountedShape(name: "desk", points: [0, 0, 90, 0, 90, 90]),
        CountedShape(name: "far", points: [2_000, 2_000, 3_000, 2_000, 3_000, 3_000]),
      ], notes: ["Line 1 \(outside)", "Zone far \(outside)"]),
  ]

  @Test func `lines and zones that can count nothing are noted at the first frame, and in the log once`()
    async throws
  {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }) { line in lines.withLock { $0.append(line) } }
    }
    let sources = Self.noted.map { row in
      var entry = StreamEntry(name: row.name, source: .file(StreamTests.clip))
      (entry.settings.lines, entry.settings.zones) = (row.lines, row.zones)
      return entry
    }
    try await RunningInference.run([.embedded], { $0.sources = sources }, logger: logger) { server in
      for row in Self.noted {
        let before = try Self.value(server.send("GET", "/v1/streams/\(row.name)").body)
        #expect(before["notes"] == nil)
        // The second image is of a later frame.
        for _ in 1...2 {
          #expect(try server.send("GET", "/v1/streams/\(row.name)/frame.jpg").status == 200)
        }
        let status = try Self.value(server.send("GET", "/v1/streams/\(row.name)").body)
        #expect(status["notes"] as? [String] == (row.notes.isEmpty ? nil : row.notes), "\(row.name)")
      }
    }
    let log = lines.withLock { $0.filter { $0.contains("may count nothing") } }
    #expect(log.count == Self.noted.reduce(0) { $0 + $1.notes.count })
    for row in Self.noted {
      for note in row.notes {
        let parts = ["\"source\": \"\(row.name)\"", "\"note\": \"\(note)\""]
        #expect(log.contains { line in parts.allSatisfy { line.contains($0) } }, "\(note)")
      }
    }
  }

  @Test func `a source reports no followed object below its minimum score, and counts it anyway`()
    async throws
  {
    let source = Self.source { settings in
      settings.threshold = 0.72
      settings.zones = [CountedShape(name: "all", points: [0, 0, 768, 0, 768, 432, 0, 432])]
      settings.lines = [CountedShape(name: "door", points: [384, 0, 384, 432])]
    }
    try await RunningInference.run([.embedded], { $0.sources = [source] }) { server in
      let events = try RawConnection(port: server.port)
      events.send(
        "GET /v1/streams/walk/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/x-ndjson\r\n\r\n")
      var text = ""
      while text.ranges(of: "{\"image\"").count < 40, let piece = events.read(65_536), !piece.isEmpty {
        text += String(decoding: piece, as: UTF8.self)
      }
      let scores = text.matches(of: /"score": ([0-9.]+)/).compactMap { Double($0.1) }
      #expect(!scores.isEmpty && scores.allSatisfy { $0 >= 0.72 })
      #expect(text.contains(/"objects": \[\], .*"inside": 1/))
      let metrics = try server.send("GET", "/metrics").body
      for name in ["fovea_zone_inside", "fovea_zone_entered_total"] {
        #expect(metrics.contains(name + #"{stream="walk",zone="all"} "#), "\(name)")
      }
      for direction in ["in", "out"] {
        let labels = #"{stream="walk",line="door",direction="\#(direction)"} "#
        #expect(metrics.contains("fovea_line_crossings_total" + labels), "\(direction)")
      }
    }
  }
}
#endif
