// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaMetadata

  /// Which version a device gets.
  package struct Draw: Sendable {
    /// The version that the channel `stable` points at.
    package let stable: ModelVersion
    /// A version that a share of the devices gets, and the bound of their hashes.
    package let trial: (version: ModelVersion, below: Int)?

    /// Nil where the model is not published.
    package init?(_ model: HostModel) {
      guard let stable = model.version(of: HostModel.stable), stable.isUsable else { return nil }
      self.stable = stable
      guard let rollout = model.rollout, rollout.share > 0,
        let version = model.versions.first(where: { $0.number == rollout.version && $0.isUsable }),
        version.sha256 != stable.sha256
      else {
        trial = nil
        return
      }
      trial = (version, rollout.share)
    }

    /// The version of an installation.
    package func version(seed: String, installation: String) -> ModelVersion {
      guard let trial, PercentHash.value(seed: seed, id: installation) < trial.below else { return stable }
      return trial.version
    }
  }
#endif
