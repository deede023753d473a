// SPDX-License-Identifier: Apache-2.0
#if Server
/// The replies of the host's own routes: routes write them, commands read them.
///
/// The properties are the members, in this order.
package enum HostAnswer {
  /// A model.
  package struct Model: Sendable, Decodable, Equatable {
    package struct Share: Sendable, Decodable, Equatable {
      package let version: Int
      /// 0 to 100.
      package let percent: Double
      package let halted: Bool
    }

    package let name: String
    package let id: String?
    package let published: Bool
    package let channels: [String: Int]
    package let rollout: Share?
    /// The number of the last version; nil if there is none.
    package let latest: Int?
    package let updated: String
    /// Nil in a list of models, and after a change.
    package let versions: [Version]?
    /// The versions to which a withdrawal returned no channel, because their files are damaged; else nil.
    package var damaged: [Int]?
    /// That devices get a stable version again whose file is damaged, and how to repair it; else nil.
    package var warning: String?
  }

  /// Every model of a project.
  package struct Models: Sendable, Decodable, Equatable {
    package let models: [Model]
  }

  /// A version of a model.
  package struct Version: Sendable, Decodable, Equatable {
    /// The outcomes of first loads, as reported by devices.
    package struct Loads: Sendable, Decodable, Equatable {
      package let loaded: Int
      package let failed: Int
      /// Devices that returned to the previous version.
      package let left: Int
    }

    package let version: Int
    package let sha256: String
    package let size: Int
    package let created: String
    package let author: String
    package let notes: String
    package let withdrawn: Bool
    package let facts: ModelFacts
    /// Nil from older hosts.
    package let loads: Loads?
  }

  /// The file of a version, and a URL that works for some minutes.
  package struct File: Sendable, Decodable, Equatable {
    package let model: String
    package let version: Int
    package let sha256: String
    package let size: Int
    package let url: String
    package let expires: String
    /// True if the host has read its file, and the disk has changed it; else nil.
    package var damaged: Bool?
  }

  /// A publish whose file waits to be checked, or is being checked.
  package struct Operation: Sendable, Decodable, Equatable {
    package let model: String?
    /// Its name; nil for a publish that has ended.
    package let operation: String?
    /// `waiting` or `checking`.
    package let state: String?
    /// The maximum number of checks before it; nil if it has started.
    package let before: Int?
  }

  /// The outcome of a publish; older hosts report less about the version.
  package struct Published: Sendable, Decodable, Equatable {
    package let model: String
    package let version: Int
    package let sha256: String?
    package let size: Int?
    package let created: String?
    package let author: String?
    package let notes: String?
    package let withdrawn: Bool?
    package let facts: ModelFacts?
    package let channel: String
    /// Whether the model already had a version of these bytes, which is then returned.
    package let repeated: Bool?
    /// The version that the channel pointed at before; nil if there was none.
    package let before: Int?
    /// The version whose rollout the publish ended; nil if it ended none, and from older hosts.
    package let endedRollout: Int?
    /// True if the file was known to be damaged on the host's disk, and is intact now; else nil.
    package let repaired: Bool?
  }

  /// The outcome of a rollback.
  package struct Pointed: Sendable, Decodable, Equatable {
    package let model: String
    package let channel: String
    package let version: Int
    /// As ``Model/warning``.
    package let warning: String?
  }

  /// Rows of the audit log, latest first.
  package struct History: Sendable, Decodable, Equatable {
    package struct Entry: Sendable, Decodable, Equatable {
      package let number: Int
      package let time: String
      package let actor: String
      package let action: String
      package let model: String?
      package let before: String?
      package let after: String?
    }

    package let entries: [Entry]
  }

  /// The keys of a project, without their secrets.
  package struct Keys: Sendable, Decodable, Equatable {
    package struct Key: Sendable, Decodable, Equatable {
      package let id: String
      package let role: String
      package let name: String
      /// The label that its creator gave it.
      package let label: String?
      package let created: String
      package let expires: String?
      package let revoked: String?
    }

    package let keys: [Key]
  }
}

// MARK: Conversion from the host's own types

extension HostAnswer.Model {
  init(_ model: HostModel, versions: [HostAnswer.Version]? = nil) {
    let rollout = model.rollout.map { rollout in
      Share(
        version: rollout.version, percent: Double(rollout.microPercent) / 1_000_000,
        halted: rollout.isHalted)
    }
    self.init(
      name: model.name, id: model.id, published: model.isPublished, channels: model.channels,
      rollout: rollout, latest: model.versions.last?.number, updated: model.updated.text, versions: versions)
  }
}

extension HostAnswer.Version {
  init(_ version: ModelVersion, _ loads: LoadCount) {
    self.init(
      version: version.number, sha256: version.sha256, size: Int(version.size), created: version.created.text,
      author: version.author, notes: version.notes, withdrawn: version.isWithdrawn,
      facts: version.facts,
      loads: Loads(loaded: loads.loaded, failed: loads.failed, left: loads.abandoned))
  }
}

extension HostAnswer.Published {
  init(_ made: PublishedVersion) {
    let version = made.version
    self.init(
      model: made.model.name, version: version.number, sha256: version.sha256, size: Int(version.size),
      created: version.created.text, author: version.author, notes: version.notes,
      withdrawn: version.isWithdrawn, facts: version.facts, channel: made.channel,
      repeated: made.isRepeated, before: made.before, endedRollout: made.endedRollout,
      repaired: made.isRepaired ? true : nil)
  }
}

extension HostAnswer.History.Entry {
  init(_ entry: AuditEntry) {
    self.init(
      number: Int(entry.number), time: entry.time.text, actor: entry.actor, action: entry.action,
      model: entry.model, before: entry.before, after: entry.after)
  }
}

extension HostAnswer.Keys.Key {
  init(_ key: HostKey) {
    self.init(
      id: key.id, role: key.role.rawValue, name: key.name, label: key.label, created: key.created.text,
      expires: key.expires?.text, revoked: key.revoked?.text)
  }
}
#endif
