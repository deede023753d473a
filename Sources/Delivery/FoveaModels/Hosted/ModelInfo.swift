// SPDX-License-Identifier: Apache-2.0

/// A host's information about a model: its stable version and, during a rollout or an experiment, the shares
/// of installations that get other versions.
struct ModelInfo: Sendable, Hashable {
  /// One version that the host offers.
  struct Offer: Sendable, Hashable {
    var address: DownloadAddress
    var byteCount: Int
    /// nil if the host does not report it.
    var sha256: String?
    /// The data that `current.json` keeps.
    var published: ModelRecord.Published
  }

  /// The versions that the device is assigned to by hash.
  struct Assignment: Sendable, Hashable {
    /// The unit whose id is hashed.
    var unit = ExperimentUnit.installation
    var seed: String
    var choices: [Choice]
  }

  /// A choice; the first choice whose bound is above the unit's hash value applies.
  struct Choice: Sendable, Hashable {
    var below: Int
    var offer: Offer
  }

  var stable: Offer
  /// nil if every installation gets the stable version.
  var assignment: Assignment?
}
