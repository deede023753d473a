// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels

extension Experiment {
  /// The variant that a unit gets now: a test device's own, else the one that it draws; nil for none.
  ///
  /// It depends on nothing but the experiment and the unit's id, so anyone can compute it again.
  package func variant(of unit: String) -> Variant? {
    guard state == .running, !unit.isEmpty else { return nil }
    if let id = overrides[unit], let index = index(of: id) { return variants[index] }
    guard let row = rows.last, row.isDrawn else { return nil }
    return range.index(of: hash(of: unit), row.weights).map { variants[$0] }
  }

  /// The row that was in force at a moment, and the variant that a unit drew then; nil where none was drawn.
  package func drawn(_ unit: String, at time: Timestamp) -> (row: Int, variant: Int)? {
    guard let row = row(at: time), let index = range.index(of: hash(of: unit), rows[row].weights) else {
      return nil
    }
    return (row, index)
  }

  /// The number of the row in force at a moment; nil where units did not draw.
  package func row(at time: Timestamp) -> Int? {
    guard let row = rows.lastIndex(where: { $0.from <= time }), rows[row].isDrawn else { return nil }
    return row
  }

  /// A part of all hashes and what it gives: the number of a variant, or none.
  package struct Segment: Sendable, Equatable {
    /// The first hash behind it.
    package let below: Int
    package let variant: Int?
  }

  /// What each hash gets, in order, up to the last variant's end.
  ///
  /// A test device has a segment of its one hash, so that a device which draws by itself finds its own there, and no one else
  /// learns its id.
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

  /// Whether a unit's hash lies in the range, whatever was in force.
  package func owns(_ unit: String) -> Bool { (range.start..<range.end).contains(hash(of: unit)) }

  private func hash(of unit: String) -> Int { PercentHash.value(seed: range.seed, id: unit) }
}
#endif
