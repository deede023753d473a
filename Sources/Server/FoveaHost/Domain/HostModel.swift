// SPDX-License-Identifier: Apache-2.0
#if Server
/// A model of a project with its versions, channels and rollout: the unit of a transaction.
package struct HostModel: Sendable, Codable, Equatable {
  /// The project that the model belongs to.
  package let project: String
  /// The resource id, decimal digits; never used again within a project.
  package let id: String
  /// The name that devices request, unique in a project.
  package var name: String
  package var tags: [String] = []
  package let created: Timestamp
  package var updated: Timestamp
  /// Increases by one with each change; the admin API's entity tag is made from it.
  package var revision: Int64 = 1
  /// The `gs://` address of the latest file.
  package var source: String?
  /// The generation of the upload of that name.
  package var sourceGeneration: Int64?
  /// The id of the key that sent the latest file; nil if an older host stored it.
  package var sourceKey: String?
  /// The reason why the latest file is not a version; nil if it is a version.
  package var problem: FileProblem?
  /// The number of the version made from the latest file, which publishing makes stable.
  ///
  /// Nil if that file is not a version.
  package var current: Int?
  /// The seed of rollout assignments; constant, so that raising the percentage removes no device.
  package let seed: String
  /// The versions, in order of their numbers.
  package var versions: [ModelVersion] = []
  /// The number of the version that each channel points at.
  package var channels: [String: Int] = [:]
  /// The versions that a channel pointed at before, latest last.
  package var formerly: [String: [Int]] = [:]
  package var rollout: Rollout?
  /// The running experiment on its versions.
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

/// The reason why a file did not become a version.
package struct FileProblem: Sendable, Codable, Equatable {
  /// The gRPC status code: 3 for a bad file, 9 if there is no file.
  package var code: Int
  /// Firebase's text.
  package var message: String
  /// Fovea's own explanation; nil if there is only Firebase's text.
  package var detail: String?

  package init(code: Int, message: String, detail: String? = nil) {
    self.code = code
    self.message = message
    self.detail = detail
  }

  /// No file was uploaded yet.
  package static let missing = FileProblem(code: 9, message: "No model file has been uploaded.")
}

/// One immutable file of a model.
package struct ModelVersion: Sendable, Codable, Equatable {
  /// 1 for the first; increases by one.
  package let number: Int
  /// The SHA-256 of the file, 64 lower-case hexadecimal digits.
  package let sha256: String
  /// The size in bytes.
  package let size: Int64
  package let created: Timestamp
  /// The name of the key that published it.
  package let author: String
  package var notes: String = ""
  package var facts = ModelFacts()
  /// Whether its file was deleted; nothing can point at the version any more.
  package var isWithdrawn = false
  /// The time at which it was retired: its file is removed a day later, and nothing can point at it any more.
  package var retired: Timestamp?
}

/// The facts found by running a file once; nil if it was not run.
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

/// A version being given to a share of the devices.
package struct Rollout: Sendable, Codable, Equatable {
  package var version: Int
  /// In millionths of a percent, 0 to 100,000,000; Remote Config's unit.
  package var microPercent: Int
  package var isHalted = false
  /// The id of the rollout: the revision of the model at which it started, or resumed after a halt.
  package var run: Int64?

  /// The share that gets the version now: 0 while it is halted.
  package var share: Int { isHalted ? 0 : microPercent }

  package init(version: Int, microPercent: Int) {
    self.version = version
    self.microPercent = microPercent
  }
}
#endif
