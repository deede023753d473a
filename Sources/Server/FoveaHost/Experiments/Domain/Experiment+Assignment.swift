// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels

extension Experiment {
  /// Returns the variant of a unit now: a test device's own variant, or else the assigned one; nil if the
  /// unit has no variant.
  ///
  /// Depends only on the experiment and the unit's id, so anyone can compute it again.
  package func variant(of unit: String) -> Variant? {
    guard state == .running, !unit.isEmpty else { return nil }
    if let id = overrides[unit], let index = index(of: id) { return variants[index] }
    guard let row = rows.last, row.isDrawn else { return nil }
    return range.index(of: hash(of: unit), row.weights).map { variants[$0] }
  }

  /// Returns the row in force at a time and the variant assigned to a unit then; nil if there was none.
  package func assignment(of unit: String, at time: Timestamp) -> (row: Int, variant: Int)? {
    guard let row = row(at: time), let index = range.index(of: hash(of: unit), rows[row].weights) else {
      return nil
    }
    return (row, index)
  }

  /// Returns the number of the row in force at a time; nil if no variants were assigned then.
  package func row(at time: Timestamp) -> Int? {
    guard let row = rows.lastIndex(where: { $0.from <= time }), rows[row].isDrawn else { return nil }
    return row
  }

  /// Returns the variants that further units get after a change; `before` is nil for a new experiment.
  func variantsGained(since before: Experiment?) -> [Variant] {
    guard state == .running, let before, before.state == .running else {
      return before?.state == state ? [] : variantsNow
    }
    let (old, new) = (before.bounds, bounds)
    let testers = Set(before.overrides.keys).union(overrides.keys)
    return variants.enumerated().filter { index, variant in
      let start = index == 0 ? range.start : new[index - 1]
      let isWider = start < (index == 0 ? range.start : old[index - 1]) || new[index] > old[index]
      // A device that is no longer a test device gets its random assignment.
      let isTested = testers.contains { unit in
        self.variant(of: unit)?.id == variant.id && before.variant(of: unit)?.id != variant.id
      }
      return isWider || isTested
    }.map(\.element)
  }

  /// The first hash after the range of each variant, by the newest weights.
  private var bounds: [Int] { range.bounds(rows[rows.count - 1].weights) }

  /// A range of hashes and their variant, if any.
  package struct Segment: Sendable, Equatable {
    /// The first hash after the range.
    package let below: Int
    package let variant: Int?
  }

  /// The variants of all hashes, in order, up to the end of the last variant.
  ///
  /// A test device gets a segment that contains only its own hash, so that the device finds its variant when
  /// it computes its assignment, and no other device learns its id.
  package var segments: [Segment] {
    guard let row = rows.last, row.isDrawn else { return [] }
    var found = range.start > 0 ? [Segment(below: range.start, variant: nil)] : []
    for (index, bound) in range.bounds(row.weights).enumerated() where bound > found.last?.below ?? 0 {
      found.append(Segment(below: bound, variant: index))
    }
    found.append(Segment(below: PercentHash.count, variant: nil))
    for (unit, id) in overrides.sorted(by: { $0.key < $1.key }) {
      let hash = hash(of: unit)
      guard let index = found.firstIndex(where: { hash < $0.below }) else { continue }
      let whole = found[index]
      let start = index > 0 ? found[index - 1].below : 0
      var parts = [Segment(below: hash + 1, variant: self.index(of: id))]
      if hash > start { parts.insert(Segment(below: hash, variant: whole.variant), at: 0) }
      if hash + 1 < whole.below { parts.append(whole) }
      found.replaceSubrange(index...index, with: parts)
    }
    while let last = found.last, last.variant == nil { found.removeLast() }
    return found
  }

  /// Returns whether a unit's hash is in the range, independent of the row in force.
  package func owns(_ unit: String) -> Bool { (range.start..<range.end).contains(hash(of: unit)) }

  private func hash(of unit: String) -> Int { PercentHash.value(seed: range.seed, id: unit) }
}
#endif
