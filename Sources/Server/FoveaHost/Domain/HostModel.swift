// SPDX-License-Identifier: Apache-2.0
#if Server
/// One model of a project with its versions, channels and rollout: what one transaction changes.
package struct HostModel: Sendable, Codable, Equatable {
  /// The project that the model belongs to.
  package let project: String
  /// The resource id, decimal digits; never used again within a project.
  package let id: String
  /// What devices ask for, unique in a project.
  package var name: String
  package var tags: [String] = []
  package let created: Timestamp
  package var updated: Timestamp
  /// Grows by one with each change; the entity tag of the admin surface is made from it.
  package var revision: Int64 = 1
  /// The `gs://` address of the file that was named last.
  package var source: String?
  /// Which upload of that name it was.
  package var sourceGeneration: Int64?
  /// Why the file that was named last is not a version; nil where it is one.
  package var problem: FileProblem?
  /// The number of the version that the file named last is: what publishing makes stable.
  ///
  /// Nil where that file is none.
  package var current: Int?
  /// Seed of the draws of rollouts; stays, so that raising the percentage removes no device.
  package let seed: String
  /// In order of their numbers.
  package var versions: [ModelVersion] = []
  /// The number of the version that each channel points at.
  package var channels: [String: Int] = [:]
  /// The versions that a channel pointed at before, the latest last.
  package var formerly: [String: [Int]] = [:]
  package var rollout: Rollout?
  /// The experiment on its versions that is under way.
  package var experiment: ModelExperiment?
  /// Operations on this model that have not ended.
  package var pendingOperations: [String] = []

  package init(project: String, id: String, name: String, created: Timestamp, seed: String) {
    self.project = project
    self.id = id
    self.name = name
    self.created = created
    updated = created
    self.seed = seed
  }
}

/// Why a file did not become a version.
package struct FileProblem: Sendable, Codable, Equatable {
  /// The number of gRPC's code: 3 for a bad file, 9 where there is none.
  package var code: Int
  /// Firebase's text.
  package var message: String
  /// What Fovea says about it; nil where Firebase's text is all.
  package var detail: String?

  package init(code: Int, message: String, detail: String? = nil) {
    self.code = code
    self.message = message
    self.detail = detail
  }

  /// No file was named yet.
  package static let missing = FileProblem(code: 9, message: "No model file has been uploaded.")
}

/// One immutable file of a model.
package struct ModelVersion: Sendable, Codable, Equatable {
  /// 1 for the first; grows by one.
  package let number: Int
  /// SHA-256 of the file, 64 lower-case hexadecimal digits.
  package let sha256: String
  /// In bytes.
  package let size: Int64
  package let created: Timestamp
  /// Name of the key that published it.
  package let author: String
  package var notes: String = ""
  package var facts = ModelFacts()
  /// Whether its file was deleted; it cannot be pointed at any more.
  package var isWithdrawn = false
  /// When retention let go of it: its file goes a day later, and it cannot be pointed at any more.
  package var retired: Timestamp?
}

/// What running a file once found out about it; nil where it was not run.
package struct ModelFacts: Sendable, Codable, Equatable {
  /// `detector`, `classifier`, `other`.
  package var kind: String?
  package var family: String?
  package var labelCount: Int?
  package var inputWidth: Int?
  package var inputHeight: Int?
  package var milliseconds: Double?

  package init() {}
}

/// A version on its way to a share of the devices.
package struct Rollout: Sendable, Codable, Equatable {
  package var version: Int
  /// In millionths of a percent, 0 to 100,000,000; Remote Config's unit.
  package var microPercent: Int
  package var isHalted = false
  /// Which rollout it is: the revision of the model at which it began, or went on after a halt.
  package var run: Int64?

  /// The share that gets the version just now: none while it is halted.
  package var share: Int { isHalted ? 0 : microPercent }

  package init(version: Int, microPercent: Int) {
    self.version = version
    self.microPercent = microPercent
  }
}
#endif
