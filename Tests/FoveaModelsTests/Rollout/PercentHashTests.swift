// SPDX-License-Identifier: Apache-2.0

import FoveaModels
import Testing

@Suite struct PercentHashTests {
  struct VectorCase: CustomTestStringConvertible {
    let seed: String
    let id: String
    let value: Int
    var testDescription: String { "\(seed) \(id)" }
  }

  @Test(arguments: [
    VectorCase(seed: "", id: "user-0", value: 61_071_789),
    VectorCase(seed: "model_ab", id: "user-0", value: 18_939_258),
    VectorCase(seed: "model_ab", id: "user-1", value: 34_994_975),
    VectorCase(seed: "a", id: "b", value: 40_432_436),
    VectorCase(seed: "seed_1", id: "c5-1234", value: 61_402_863),
    VectorCase(seed: "", id: "日本", value: 99_613_586),
  ])
  func `the values are those of Google's evaluator`(row: VectorCase) {
    #expect(PercentHash.value(seed: row.seed, id: row.id) == row.value)
  }

  struct FoldCase: CustomTestStringConvertible {
    let seed: String
    let fold: UInt64
    let tenth: Int
    var testDescription: String { seed }
  }

  // Made by Tests/Fixtures/percent-hash/generate.py.
  @Test(arguments: [
    FoldCase(seed: "", fold: 18401502228166580201, tenth: 9825),
    FoldCase(seed: "a", fold: 8610819201977106772, tenth: 9972),
    FoldCase(seed: "model_ab", fold: 6376889885517337567, tenth: 9994),
    FoldCase(seed: "seed_1", fold: 10412122548121811045, tenth: 10088),
    FoldCase(seed: "A-b.c_9", fold: 14578101465861953490, tenth: 10031),
    FoldCase(seed: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", fold: 5377438802868668948, tenth: 10100),
    FoldCase(seed: "0", fold: 16522078480005875393, tenth: 9952),
    FoldCase(seed: "rollout-2026", fold: 16997501482545903802, tenth: 10118),
    FoldCase(seed: "bird", fold: 10527440107735446260, tenth: 9931),
    FoldCase(seed: "Bird", fold: 15627555965897249983, tenth: 9910),
  ])
  func `100,000 ids of each seed have the values that hashlib gives them`(row: FoldCase) {
    var fold: UInt64 = 0
    var tenth = 0
    for number in 0..<100_000 {
      let value = PercentHash.value(seed: row.seed, id: "user-\(number)")
      fold = fold &* 31 &+ UInt64(value)
      if value < PercentHash.bound(percent: 10) { tenth += 1 }
    }
    #expect(fold == row.fold)
    #expect(tenth == row.tenth)
  }

  @Test func `a share that grows from 1 to 100 percent keeps whom it has`() {
    let values = (0..<10_000).map { PercentHash.value(seed: "ramp", id: "user-\($0)") }
    var share: Set<Int> = []
    for percent in 1...100 {
      let bound = PercentHash.bound(percent: Double(percent))
      let grown = Set(values.indices.filter { values[$0] < bound })
      #expect(grown.isSuperset(of: share) && grown.count > share.count)
      share = grown
    }
    #expect(share.count == values.count)
  }

  @Test(arguments: [
    (0.0, 0), (-1, 0), (.nan, 0), (0.000_001, 1), (0.000_000_9, 0), (1, 1_000_000), (30, 30_000_000),
    (99.999_999, 99_999_999), (100, 100_000_000), (1e300, 100_000_000), (.infinity, 100_000_000),
  ])
  func `a percentage is a million values`(percent: Double, bound: Int) {
    #expect(PercentHash.bound(percent: percent) == bound)
  }
}
