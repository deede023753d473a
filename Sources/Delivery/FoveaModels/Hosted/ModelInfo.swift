// SPDX-License-Identifier: Apache-2.0

/// What a host reports about a model: its stable version and, while a rollout or an experiment runs, which share of the
/// installations gets another one.
struct ModelInfo: Sendable, Hashable {
  /// One version that the host offers.
  struct Offer: Sendable, Hashable {
    var address: DownloadAddress
    var byteCount: Int
    /// nil from a host that does not say it.
    var sha256: String?
    /// What `current.json` keeps of it.
    var published: ModelRecord.Published
  }

  /// The versions that the device draws from.
  struct Draw: Sendable, Hashable {
    /// Who draws.
    var unit = ExperimentUnit.installation
    var seed: String
    var choices: [Choice]
  }

  /// The first choice whose bound is above the installation's value is drawn.
  struct Choice: Sendable, Hashable {
    var below: Int
    var offer: Offer
  }

  var stable: Offer
  /// nil where every installation gets the stable version.
  var draw: Draw?
}
