// SPDX-License-Identifier: Apache-2.0
#if Server
/// What the host's own routes answer, as far as commands show it.
package enum HostAnswer {
  /// A model as the host's own routes show it.
  package struct Model: Sendable, Decodable, Equatable {
    package struct Share: Sendable, Decodable, Equatable {
      package let version: Int
      /// 0 to 100.
      package let percent: Double
      package let halted: Bool
    }

    package let name: String
    package let published: Bool
    package let channels: [String: Int]
    package let rollout: Share?
    /// The number of the last version; nil where there is none.
    package let latest: Int?
    package let updated: String
    /// Nil in a list of models.
    package let versions: [Version]?
  }

  /// Every model of a project.
  package struct Models: Sendable, Decodable, Equatable {
    package let models: [Model]
  }

  /// A version as the host's own routes show it.
  package struct Version: Sendable, Decodable, Equatable {
    package struct Facts: Sendable, Decodable, Equatable {
      package let kind: String?
      package let family: String?
      package let labelCount: Int?
      package let inputWidth: Int?
      package let inputHeight: Int?
      package let milliseconds: Double?
    }

    /// How first loads ended, as devices report them.
    package struct Loads: Sendable, Decodable, Equatable {
      package let loaded: Int
      package let failed: Int
      /// Devices that went back to the version before.
      package let left: Int
    }

    package let version: Int
    package let sha256: String
    package let size: Int
    package let created: String
    package let author: String
    package let notes: String
    package let withdrawn: Bool
    package let facts: Facts
    /// Nil in the answer to a publish.
    package let loads: Loads?
  }

  /// A publish whose file waits to be checked, or is being checked.
  package struct Operation: Sendable, Decodable, Equatable {
    /// Its name; nil for a publish that has ended.
    package let operation: String?
    /// How many checks begin before it, at most; nil for one that has begun.
    package let before: Int?
  }

  /// What a publish or a rollback led to.
  package struct Published: Sendable, Decodable, Equatable {
    package let model: String
    package let channel: String
    package let version: Int
    package let sha256: String?
    package let size: Int?
    /// Whether the model had a version of these bytes, which this one is then; nil after a rollback.
    package let repeated: Bool?
    /// The version that the channel pointed at before; nil where it was none, and after a rollback.
    package let before: Int?
  }

  /// Rows of the audit log, the latest first.
  package struct History: Sendable, Decodable, Equatable {
    package struct Entry: Sendable, Decodable, Equatable {
      package let number: Int
      package let time: String
      package let actor: String
      package let action: String
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
      /// What its maker calls it.
      package let label: String?
      package let created: String
      package let expires: String?
      package let revoked: String?
    }

    package let keys: [Key]
  }
}
#endif
