// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  /// Models, versions and rows of the audit log as the host's own API shows them.
  enum NativeView {
    /// Writes the members of a model into an object that is open.
    static func write(_ model: HostModel, to json: inout JSONText) {
      json.key("name")
      json.string(model.name)
      json.key("id")
      json.string(model.id)
      json.key("published")
      json.boolean(model.isPublished)
      json.key("channels")
      json.object { json in
        for (channel, version) in model.channels.sorted(by: { $0.key < $1.key }) {
          json.key(named: channel)
          json.integer(version)
        }
      }
      json.key("rollout")
      if let rollout = model.rollout {
        json.object { json in
          json.key("version")
          json.integer(rollout.version)
          json.key("percent")
          json.literal(Double(rollout.microPercent) / 1_000_000)
          json.key("halted")
          json.boolean(rollout.isHalted)
        }
      } else {
        json.null()
      }
      json.key("latest")
      json.integer(model.versions.last?.number)
      json.key("updated")
      json.string(model.updated.text)
    }

    static func write(_ version: ModelVersion, to json: inout JSONText) {
      json.key("version")
      json.integer(version.number)
      json.key("sha256")
      json.string(version.sha256)
      json.key("size")
      json.integer(Int(version.size))
      json.key("created")
      json.string(version.created.text)
      json.key("author")
      json.string(version.author)
      json.key("notes")
      json.string(version.notes)
      json.key("withdrawn")
      json.boolean(version.isWithdrawn)
      json.key("facts")
      json.object { write(version.facts, to: &$0) }
    }

    private static func write(_ facts: ModelFacts, to json: inout JSONText) {
      json.key("kind")
      json.string(facts.kind)
      json.key("family")
      json.string(facts.family)
      json.key("labelCount")
      json.integer(facts.labelCount)
      json.key("inputWidth")
      json.integer(facts.inputWidth)
      json.key("inputHeight")
      json.integer(facts.inputHeight)
      json.key("milliseconds")
      json.number(facts.milliseconds, places: 3)
    }

    static func write(_ entry: AuditEntry, to json: inout JSONText) {
      json.key("number")
      json.integer(Int(entry.number))
      json.key("time")
      json.string(entry.time.text)
      json.key("actor")
      json.string(entry.actor)
      json.key("action")
      json.string(entry.action)
      json.key("model")
      json.string(entry.model)
      json.key("before")
      json.string(entry.before)
      json.key("after")
      json.string(entry.after)
    }
  }
#endif
