// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaFormats
import FoveaTesting
import FoveaTracking
import FoveaVideo
import Logging
import Testing

@testable import FoveaInference

@Suite struct MQTTMessagesTests {
  private static let now = ContinuousClock.now

  private static func topics(discovery: String = "homeassistant") throws -> MQTTTopics {
    try MQTTTopics(prefix: "fovea", discovery: discovery, node: "hall")
  }

  private static func source(_ name: String, allow: [String] = []) -> StreamEntry {
    var source = StreamEntry(name: name, source: VideoSource("gate.mp4"))
    source.settings.zones = [CountedShape(name: "drive", points: [0, 0, 9, 0, 9, 9])]
    source.settings.lines = [CountedShape(points: [0, 0, 9, 9])]
    source.settings.allow = allow
    return source
  }

  /// Returns the components of a source's discovery by name.
  private static func components(
    _ source: StreamEntry, hasSnapshots: Bool = false
  ) throws -> [String: JSONValue] {
    let text = MQTTDiscovery(topics: try topics(), source: source, hasSnapshots: hasSnapshots).text
    let value = try JSONValue(Array(text.utf8), name: "discovery")
    guard case .object(let members)? = value["components"] else { return [:] }
    return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
  }

  @Test func `topics and ids of a source have no other characters`() throws {
    let topics = try Self.topics()
    #expect(topics.topic("gate.1", "events") == "fovea/gate_1/events" && topics.status == "fovea/status")
    #expect(
      topics.retained(of: "gate.1") == [
        "homeassistant/device/fovea_hall_gate_1/config", "fovea/gate_1/status", "fovea/gate_1/state",
      ])
    #expect(topics.topic("a/+#\u{0}ü", "state") == "fovea/a_____/state")
    #expect(try Self.topics(discovery: "").discovery(of: "gate") == nil)
  }

  @Test func `discovery describes the device and its availability`() throws {
    let text = MQTTDiscovery(topics: try Self.topics(), source: Self.source("gate.1")).text
    let version = FoveaVersion.current
    let head = """
      {"device": {"identifiers": ["fovea_hall_gate_1"], "name": "gate.1", "manufacturer": "Fovea", \
      "model": "camera", "sw_version": "\(version)"}, \
      "origin": {"name": "fovea", "sw_version": "\(version)"}, "qos": 1, \
      "availability": [{"topic": "fovea/status"}, {"topic": "fovea/gate_1/status"}], \
      "availability_mode": "all", "components": {\
      "events": {"platform": "event", "unique_id": "fovea_hall_gate_1_events", "name": "Events", \
      "state_topic": "fovea/gate_1/events", "event_types": [
      """
    #expect(text.hasPrefix(head))
    #expect(text.hasSuffix(#""availability": [{"topic": "fovea/status"}]}}}"#))
  }

  @Test func `each zone, line and chosen label has entities, with ids of their own`() throws {
    let source = Self.source("gate", allow: ["person", "it's {{ \\ }}", "a b", "a_b"])
    let components = try Self.components(source)
    #expect(
      components.keys.sorted() == [
        "connection", "events", "inside_drive", "label_a_b", "label_it_s________", "label_person",
        "line_line-1_in", "line_line-1_out", "objects", "zone_drive",
      ])
    #expect(Set(components.values.map { $0["unique_id"]?.text }).count == components.count)
    let templates: [String: String] = [
      "objects": "{{ value_json.objects }}", "inside_drive": "{{ value_json.zones['drive'].inside }}",
      "zone_drive": "{{ 'ON' if value_json.zones['drive'].inside > 0 else 'OFF' }}",
      "line_line-1_in": "{{ value_json.lines['line-1']['in'] }}",
      "label_person": "{{ 'ON' if value_json.labels['person'] | default(0) > 0 else 'OFF' }}",
      "label_it_s________":
        #"{{ 'ON' if value_json.labels['it\'s {{ \\ }}'] | default(0) > 0 else 'OFF' }}"#,
    ]
    for (key, template) in templates {
      #expect(components[key]?["value_template"]?.text == template, "\(key)")
    }
    // Home Assistant refuses a component with both.
    #expect(components.values.allSatisfy { $0["availability_topic"] == nil })
  }

  @Test func `the newest image is an entity only if it is published`() throws {
    let source = Self.source("gate.1")
    let image = try #require(try Self.components(source, hasSnapshots: true)["snapshot"])
    #expect(try Self.components(source)["snapshot"] == nil)
    #expect(
      JSONText.text { json in if case .object(let members) = image { JSONValue.write(members, to: &json) } }
        == """
        {"platform": "image", "unique_id": "fovea_hall_gate_1_snapshot", "name": "Snapshot", \
        "image_topic": "fovea/gate_1/snapshot", "content_type": "image/jpeg"}
        """)
    let topics = try Self.topics()
    #expect(topics.retained(of: "gate", withSnapshot: true).last == "fovea/gate/snapshot")
    #expect(!topics.retained(of: "gate").contains("fovea/gate/snapshot"))
  }

  private static func reading(frames: Int, objects: [String?] = [], inside: Int = 0) -> StreamReading {
    var reading = StreamReading(objects: objects)
    (reading.status.frames, reading.status.stage) = (frames, .running)
    var zone = ZoneCounts()
    zone.entered = inside
    var stays = ZoneStays()
    stays.longest = Double(inside) * 4.25
    var counts = CountTable(lines: [LineCounts()], zones: [zone])
    counts.stays = [stays]
    reading.counts = counts
    return reading
  }

  @Test func `a state has every zone and line, also before the first frame`() throws {
    var report = MQTTSourceReport(try Self.topics(), Self.source("gate"))
    let empty = """
      {"source": "idle", "objects": 0, "labels": {}, \
      "zones": {"drive": {"inside": 0, "queue": 0, "longest": 0}}, \
      "lines": {"line-1": {"in": 0, "out": 0}}}
      """
    let first = report.messages(about: StreamReading(), at: Self.now)
    #expect(
      first == [
        MQTTMessage(topic: "fovea/gate/status", payload: "offline"),
        MQTTMessage(topic: "fovea/gate/state", payload: empty),
      ])
    let busy = Self.reading(frames: 1, objects: ["person", "car", "person", nil], inside: 2)
    let second = report.messages(about: busy, at: Self.now + .seconds(1))
    #expect(second.map(\.payload).first == "online" && second.count == 2)
    let full = """
      {"source": "running", "objects": 4, "labels": {"car": 1, "person": 2}, \
      "zones": {"drive": {"inside": 2, "queue": 0, "longest": 8.5}}
      """
    #expect(second.last?.payload.hasPrefix(full) == true)
  }

  @Test func `a state is sent once a second at most, and only if it has changed`() throws {
    var report = MQTTSourceReport(try Self.topics(), Self.source("gate"))
    func payloads(_ seconds: Double, _ frames: Int, _ objects: [String?]) -> [String] {
      report.messages(about: Self.reading(frames: frames, objects: objects), at: Self.now + .seconds(seconds))
        .filter { $0.topic.hasSuffix("state") }.map { $0.payload.contains("person") ? "1" : "0" }
    }
    #expect(payloads(0, 1, []) == ["0"] && payloads(0.5, 2, ["person"]) == [])
    #expect(payloads(1, 3, ["person"]) == ["1"] && payloads(5, 4, ["person"]) == [])
    #expect(payloads(5.1, 5, []) == ["0"] && payloads(6, 6, []) == [])
    report.restart()
    #expect(payloads(6.1, 7, []) == ["0"])
  }

  @Test func `a source is offline after ten seconds without a frame`() throws {
    var report = MQTTSourceReport(try Self.topics(), Self.source("gate"))
    func status(_ seconds: Double, _ frames: Int) -> [String] {
      report.messages(about: Self.reading(frames: frames), at: Self.now + .seconds(seconds))
        .filter { $0.topic.hasSuffix("status") }.map(\.payload)
    }
    #expect(status(0, 0) == ["offline"] && status(1, 1) == ["online"] && status(10.9, 1) == [])
    #expect(status(11, 1) == ["offline"] && status(12, 1) == [] && status(13, 2) == [])
    // A status stays for ten seconds.
    #expect(status(20.9, 3) == [] && status(21, 4) == ["online"] && status(22, 5) == [])
    report.restart()
    #expect(status(14, 2) == ["online"])
  }

  @Test func `topics of sources that have gone are kept until they are removed`() throws {
    let folder = try TemporaryFolder()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    func published(_ topics: [String]) -> MQTTPublished {
      MQTTPublished(folder: folder[""], current: topics, logger: logger)
    }
    #expect(published(["a", "b"]).gone == [])
    #expect(published(["b"]).gone == ["a"])
    // It was not confirmed, so the next start tries again.
    let again = published(["b", "c"])
    #expect(again.gone == ["a"])
    again.forgetGone()
    #expect(try folder.read("mqtt.json") == "{\"topics\": [\"b\", \"c\"]}\n")
    #expect(published(["b", "c"]).gone == [])
    for text in ["", "[]", "{\"topics\": 1}", "{\"topics\": [\"+\", \"a#\", \"\", 3]}", "\u{0}"] {
      try folder.write("mqtt.json", text)
      #expect(published(["b"]).gone == [], "\(text)")
    }
    #expect(MQTTPublished(folder: nil, current: ["a"], logger: logger).gone == [])
  }
}
#endif
