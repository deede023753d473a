// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels

/// The version assigned to a device, and its variant in an experiment.
package struct VersionAssignment: Sendable {
  /// The version of devices whose hashes are below a bound, and not below the previous bound.
  package struct Item: Sendable, Equatable {
    package let below: Int
    package let version: ModelVersion
    /// Nil outside of an experiment.
    package let variant: String?
  }

  /// The version that the channel `stable` points at.
  package let stable: ModelVersion
  /// The seed of the hashes.
  package let seed: String
  /// The experiment of the variants; nil for a rollout, and if nothing is assigned by chance.
  package let experiment: Experiment?
  /// In the order of their bounds; a device outside all of them gets the stable version.
  package let items: [Item]

  /// Nil if the model is not published.
  /// - Parameters:
  ///   - model: The model.
  ///   - running: The experiment that gives its versions to devices now.
  package init?(_ model: HostModel, experiment running: Experiment? = nil) {
    guard let stable = model.version(of: HostModel.stable), stable.isUsable else { return nil }
    self.stable = stable
    experiment = running
    if let running {
      seed = running.range.seed
      items = running.segments.map { segment in
        guard let variant = segment.variant.map({ running.variants[$0] }),
          let version = variant.version.flatMap(model.found), version.isUsable
        else { return Item(below: segment.below, version: stable, variant: nil) }
        return Item(below: segment.below, version: version, variant: variant.id)
      }
      return
    }
    seed = model.seed
    guard let rollout = model.rollout, rollout.share > 0,
      let version = model.versions.first(where: { $0.number == rollout.version && $0.isUsable }),
      version.sha256 != stable.sha256
    else {
      items = []
      return
    }
    items = [Item(below: rollout.share, version: version, variant: nil)]
  }

  /// The kind of id that is hashed.
  package var unit: Experiment.UnitKind { experiment?.unit ?? .installation }

  /// Returns the item of an installation; the stable version if the user's id decides, which the host does
  /// not know.
  package func choice(installation: String) -> Item {
    let none = Item(below: PercentHash.count, version: stable, variant: nil)
    guard unit == .installation, !items.isEmpty else { return none }
    let hash = PercentHash.value(seed: seed, id: installation)
    return items.first { hash < $0.below } ?? none
  }
}
#endif
