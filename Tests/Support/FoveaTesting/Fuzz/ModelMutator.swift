// SPDX-License-Identifier: Apache-2.0

/// Damages important parts of models: the numbers of the graph, its options, its metadata and its archive.
package struct ModelMutator {
  private var random: ByteMutator
  private let parts: [ModelSites.Part]

  package init(seed: UInt64, parts: [ModelSites.Part] = ModelSites.Part.allCases) {
    random = ByteMutator(seed: seed)
    self.parts = parts
  }

  package mutating func below(_ bound: Int) -> Int { random.below(bound) }

  /// Damages arbitrary bytes.
  package mutating func damage(_ bytes: inout [UInt8], _ others: [[UInt8]]) { random.damage(&bytes, others) }

  /// Returns the model with one to three numbers changed.
  package mutating func mutated(_ model: [UInt8], _ sites: ModelSites) -> [UInt8] {
    // The format itself is rarely damaged: the runtime's verifier rejects nearly all of that.
    let isStructural = random.below(10) == 0
    let all = parts.filter { sites.sites[$0] != nil }
    let some = all.filter { $0.isStructural == isStructural }
    let present = some.isEmpty ? all : some
    guard !present.isEmpty else { return model }
    var bytes = model
    for _ in 0...max(0, random.below(5) - 2) {
      // Each part equally often: there are thousands of dimensions and few options.
      let part = present[random.below(present.count)]
      guard let list = sites.sites[part] else { continue }
      let site = list[random.below(list.count)]
      let old = Self.number(bytes, site)
      let other = Self.number(bytes, list[random.below(list.count)])
      Self.store(value(old, other, site.width), at: site, in: &bytes)
    }
    if random.below(16) == 0 { random.damage(&bytes, [model]) }
    return bytes
  }

  private mutating func value(_ old: UInt64, _ other: UInt64, _ width: Int) -> UInt64 {
    switch random.below(8) {
    case 0: return old &+ 1
    case 1: return old &- 1
    case 2: return old ^ 1 << UInt64(random.below(8 * width))
    case 3: return other
    case 4: return [old &* 2, old / 2, 0 &- old][random.below(3)]
    default:
      let extremes: [UInt64] = [
        0, 1, 2, 3, 4, 5, 8, 16, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x1_0000, 1 << 20, 1 << 24,
        0x7fff_ffff, 0x8000_0000, 0xffff_fffe, .max, 1 << 63, 0x7f80_0000, 0x7fc0_0000, 0x3f80_0000,
      ]
      return extremes[random.below(extremes.count)]
    }
  }

  private static func number(_ bytes: [UInt8], _ site: ModelSites.Site) -> UInt64 {
    guard site.position + site.width <= bytes.count else { return 0 }
    return (0..<site.width).reversed().reduce(0) { $0 << 8 | UInt64(bytes[site.position + $1]) }
  }

  private static func store(_ value: UInt64, at site: ModelSites.Site, in bytes: inout [UInt8]) {
    for index in 0..<site.width where site.position + index < bytes.count {
      bytes[site.position + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
    }
  }
}
