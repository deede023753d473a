// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct SplitMix64Tests {
  /// The numbers of Vigna's splitmix64.c, which implements the paper's algorithm.
  @Test(
    arguments: [
      (0, [16_294_208_416_658_607_535, 7_960_286_522_194_355_700]),
      (1_234_567, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]),
      (.max, [16_490_336_266_968_443_936, 16_834_447_057_089_888_969]),
    ] as [(UInt64, [UInt64])])
  func `the numbers of a seed match the paper`(_ seed: UInt64, _ numbers: [UInt64]) {
    var random = SplitMix64(seed: seed)
    let found = numbers.map { _ in random.next() }
    #expect(found == numbers)
  }

  @Test func `numbers below a bound are remainders`() {
    var bits = SplitMix64(seed: 5)
    var random = bits
    for bound in [1, 2, 3, 1_000, Int.max] {
      let (found, expected) = (random.below(bound), Int(bits.next() % UInt64(bound)))
      #expect(found == expected)
    }
  }

  @Test func `a seed has one order`() {
    var random = SplitMix64(seed: 7)
    var values = Array(0..<8)
    random.shuffle(&values)
    #expect(values == [1, 4, 5, 2, 6, 0, 3, 7])
    for few in [[], [1]] {
      var same = few
      random.shuffle(&same)
      #expect(same == few)
    }
  }
}
