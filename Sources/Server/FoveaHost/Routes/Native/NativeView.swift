// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Models, versions and rows of the audit log as the host's own API shows them.
enum NativeView {
  /// Writes the members of a model into an object that is open.
  static func write(_ model: HostModel, to json: inout JSONText) {
    json.member("name", model.name)
    json.member("id", model.id)
    json.member("published", model.isPublished)
    json.member("channels") { json in
      for (channel, version) in model.channels.sorted(by: { $0.key < $1.key }) {
        json.key(named: channel)
        json.integer(version)
      }
    }
    json.key("rollout")
    if let rollout = model.rollout {
      json.object { json in
        json.member("version", rollout.version)
        json.key("percent")
        json.literal(Double(rollout.microPercent) / 1_000_000)
        json.member("halted", rollout.isHalted)
      }
    } else {
      json.null()
    }
    json.member("latest", model.versions.last?.number)
    json.member("updated", model.updated.text)
  }

  static func write(_ version: ModelVersion, to json: inout JSONText) {
    json.member("version", version.number)
    json.member("sha256", version.sha256)
    json.member("size", Int(version.size))
    json.member("created", version.created.text)
    json.member("author", version.author)
    json.member("notes", version.notes)
    json.member("withdrawn", version.isWithdrawn)
    json.member("facts") { write(version.facts, to: &$0) }
  }

  /// What devices have reported about a version.
  static func write(_ count: LoadCount, to json: inout JSONText) {
    json.member("loads") { json in
      json.member("loaded", count.loaded)
      json.member("failed", count.failed)
      json.member("left", count.abandoned)
    }
  }

  private static func write(_ facts: ModelFacts, to json: inout JSONText) {
    json.member("kind", facts.kind)
    json.member("family", facts.family)
    json.member("labelCount", facts.labelCount)
    json.member("inputWidth", facts.inputWidth)
    json.member("inputHeight", facts.inputHeight)
    json.key("milliseconds")
    json.number(facts.milliseconds, places: 3)
  }

  static func write(_ entry: AuditEntry, to json: inout JSONText) {
    json.member("number", Int(entry.number))
    json.member("time", entry.time.text)
    json.member("actor", entry.actor)
    json.member("action", entry.action)
    json.member("model", entry.model)
    json.member("before", entry.before)
    json.member("after", entry.after)
  }
}
#endif
