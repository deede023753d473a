// SPDX-License-Identifier: Apache-2.0
#if Server && Video
import Foundation
import FoveaFormats
import FoveaTesting
import FoveaVideo
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
