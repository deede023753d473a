// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Distributes photos with several classes to parts, the rarest class first.
///
/// **Source:** Sechidis, Tsoumakas, Vlahavas, "On the Stratification of Multi-label Data", ECML PKDD 2011,
/// algorithm 1.
struct LabelDealer {
  /// The photos of each group, with their classes.
  private let units: [(rows: [Int], classes: [Int])]
  /// The number of groups of each class that a part still needs: `[parts][classes]`.
  private var wanted: [[Double]]
  /// The number of groups that a part still needs.
  private var wantedUnits: [Double]
  /// The part of each group.
  private var parts: [Int?]

  init(units: [(rows: [Int], classes: [Int])], classCount: Int, count: Int) {
    self.units = units
    var sizes = [Double](repeating: 0, count: classCount)
    for unit in units { for index in unit.classes { sizes[index] += 1 } }
    let share = sizes.map { $0 / Double(count) }
    wanted = [[Double]](repeating: share, count: count)
    wantedUnits = [Double](repeating: Double(units.count) / Double(count), count: count)
    parts = [Int?](repeating: nil, count: units.count)
  }

  /// Distributes all groups.
  /// - Returns: The part of each group.
  mutating func deal(seed: UInt64) -> [Int] {
    var members = [[Int]](repeating: [], count: wanted.first?.count ?? 0)
    for (unit, each) in units.enumerated() { for index in each.classes { members[index].append(unit) } }
    var open = members.indices.filter { !members[$0].isEmpty }
    while !open.isEmpty {
      for index in open { members[index].removeAll { parts[$0] != nil } }
      open.removeAll { members[$0].isEmpty }
      guard let rarest = open.min(by: { (members[$0].count, $0) < (members[$1].count, $1) }) else { break }
      give(members[rarest], of: rarest, seed: seed)
    }
    // Photos without a class.
    give(units.indices.filter { parts[$0] == nil }, of: nil, seed: seed)
    return parts.map { $0 ?? 0 }
  }

  private mutating func give(_ members: [Int], of index: Int?, seed: UInt64) {
    var members = members
    var random = SplitMix64(seed: seed &+ UInt64(bitPattern: Int64(index ?? -1)) &* 0x9E37_79B9_7F4A_7C15)
    random.shuffle(&members)
    for unit in members {
      let part = poorest(index)
      parts[unit] = part
      wantedUnits[part] -= 1
      for other in units[unit].classes { wanted[part][other] -= 1 }
    }
  }

  /// Returns the part that needs most photos of a class; ties go to the part that needs most photos in total.
  private func poorest(_ index: Int?) -> Int {
    func wish(_ part: Int) -> (Double, Double) { (index.map { wanted[part][$0] } ?? 0, wantedUnits[part]) }
    var best = 0
    for part in wanted.indices.dropFirst() where wish(part) > wish(best) { best = part }
    return best
  }
}
