// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

extension ExperimentDraft {
  /// Returns the range that the experiment will own.
  func checkedRange(
    _ others: [Experiment], _ unit: Experiment.UnitKind, _ seed: String
  ) throws(HostError) -> DrawRange {
    let width = try bound("share", share ?? 100)
    guard width > 0 else { throw ExperimentFault.at("share", "is 0 %, so no unit takes part") }
    let ownHoldout = try holdout.map { percent throws(HostError) in try bound("holdout", percent) }
    guard let layer else {
      let limit = PercentHash.count - (ownHoldout ?? 0)
      guard share == nil || width <= limit else {
        throw ExperimentFault.at("share", "the share and the holdout together exceed 100 %")
      }
      guard limit > 0 else { throw ExperimentFault.at("holdout", "is 100 %, so no unit takes part") }
      return DrawRange(seed: seed, start: 0, end: min(width, limit), holdout: limit)
    }
    guard HostName.isName(layer) else {
      throw ExperimentFault.at(
        "layer", "\(HostName.shown(layer)) is not 1 to 32 letters, digits, '_' and '-'")
    }
    guard share != nil else {
      throw ExperimentFault.at("share", "is missing: each experiment of a layer needs a share")
    }
    let members = others.filter { $0.range.layer == layer }
    let limit = members.first?.range.holdout ?? PercentHash.count - (ownHoldout ?? 0)
    if let first = members.first {
      if let ownHoldout, PercentHash.count - ownHoldout != limit {
        throw ExperimentFault.at(
          "holdout", "of the layer '\(layer)' is \(Self.percent(PercentHash.count - limit)) %",
          remedy: "Omit it, or choose another layer")
      }
      guard first.unit == unit else {
        throw ExperimentFault.at(
          "unit", "the layer '\(layer)' assigns by \(first.unit.rawValue), not by \(unit.rawValue)",
          remedy: "Choose another layer")
      }
    }
    let taken = members.filter(\.isActive).map(\.range)
    let (start, widest) = DrawRange.free(width: width, below: limit, among: taken)
    guard let start else {
      throw HostError(
        .precondition,
        "layer: '\(layer)' is full: \(Self.percent(width)) % requested, \(Self.percent(widest)) % free",
        remedy: "Stop an experiment of the layer, or choose a smaller share")
    }
    return DrawRange(
      layer: layer, seed: members.first?.range.seed ?? seed, start: start, end: start + width,
      holdout: limit)
  }

  private func bound(_ path: String, _ percent: Double) throws(HostError) -> Int {
    guard percent >= 0, percent <= 100 else {
      throw ExperimentFault.at(path, "\(DecimalText.exact(percent)) is not a percentage from 0 to 100")
    }
    return PercentHash.bound(percent: percent)
  }

  private static func percent(_ bound: Int) -> String {
    DecimalText.short(Double(bound) / 1_000_000, places: 6)
  }
}
#endif
