// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaFormats
import FoveaTracking

/// The message from which Home Assistant makes a device of a source, with its entities.
///
/// **Source:** Home Assistant, MQTT, device discovery; its schemas accept it (2025.4 and 2026.11).
struct MQTTDiscovery: Sendable {
  let topics: MQTTTopics
  let source: StreamEntry
  /// True if the newest image is published.
  var hasSnapshots = false

  private var device: String { topics.device(source.name) }

  /// The text of the message.
  var text: String {
    JSONText.text(capacity: 4_096) { json in
      json.member("device") { json in
        json.member("identifiers", [device])
        json.member("name", source.name)
        json.member("manufacturer", "Fovea")
        json.member("model", "camera")
        json.member("sw_version", FoveaVersion.current)
      }
      json.member("origin") { json in
        json.member("name", "fovea")
        json.member("sw_version", FoveaVersion.current)
      }
      json.member("qos", 1)
      json.objects("availability", [topics.status, topics.topic(source.name, "status")]) {
        $0.member("topic", $1)
      }
      json.member("availability_mode", "all")
      json.member("components") { components(&$0) }
    }
  }

  private func components(_ json: inout JSONText) {
    let names = ShapeNames(
      lines: source.settings.lines.map(\.name), zones: source.settings.zones.map(\.name))
    component("events", "event", "Events", "events", &json) { json in
      json.member("event_types", ObjectEvent.Kind.allCases.map(\.rawValue))
      json.member("device_class", "motion")
    }
    component("objects", "sensor", "Objects", "state", &json) { json in
      json.member("value_template", "{{ value_json.objects }}")
      json.member("json_attributes_topic", topics.topic(source.name, "state"))
      json.member("json_attributes_template", "{{ value_json.labels | tojson }}")
      json.member("state_class", "measurement")
    }
    for zone in names.allZones {
      let inside = "value_json.zones['\(zone)'].inside"
      component("zone_\(zone)", "binary_sensor", zone, "state", &json) { json in
        json.member("value_template", "{{ 'ON' if \(inside) > 0 else 'OFF' }}")
        json.member("device_class", "occupancy")
      }
      component("inside_\(zone)", "sensor", "\(zone) objects", "state", &json) { json in
        json.member("value_template", "{{ \(inside) }}")
        json.member("state_class", "measurement")
      }
    }
    for line in names.allLines {
      for direction in ["in", "out"] {
        component("line_\(line)_\(direction)", "sensor", "\(line) \(direction)", "state", &json) { json in
          json.member("value_template", "{{ value_json.lines['\(line)']['\(direction)'] }}")
          json.member("state_class", "total_increasing")
        }
      }
    }
    labels(&json)
    if hasSnapshots {
      component("snapshot", "image", "Snapshot", "snapshot", as: "image_topic", &json) { json in
        json.member("content_type", "image/jpeg")
      }
    }
    component("connection", "binary_sensor", "Connection", "status", &json) { json in
      json.member("payload_on", "online")
      json.member("payload_off", "offline")
      json.member("device_class", "connectivity")
      json.member("entity_category", "diagnostic")
      json.objects("availability", [topics.status]) { $0.member("topic", $1) }
    }
  }

  /// Adds a sensor for each label to report; those of other sources depend on the model.
  private func labels(_ json: inout JSONText) {
    var seen: Set<String> = []
    for label in source.settings.allow where seen.insert(ShapeName.fitted(label)).inserted {
      let quoted = label.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      component("label_\(ShapeName.fitted(label))", "binary_sensor", label, "state", &json) { json in
        json.member(
          "value_template", "{{ 'ON' if value_json.labels['\(quoted)'] | default(0) > 0 else 'OFF' }}")
        json.member("device_class", "occupancy")
      }
    }
  }

  private func component(
    _ key: String, _ platform: String, _ name: String, _ topic: String,
    as member: StaticString = "state_topic", _ json: inout JSONText, _ members: (inout JSONText) -> Void
  ) {
    json.key(named: key)
    json.object { json in
      json.member("platform", platform)
      json.member("unique_id", "\(device)_\(key)")
      json.member("name", name)
      json.member(member, topics.topic(source.name, topic))
      members(&json)
    }
  }
}
#endif
