// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct NaturalOrderTests {
  @Test(arguments: [
    ["1", "2", "10"], ["a1b2", "a1b10", "a2"], ["A", "b", "C"], ["img9.jpg", "img09.png", "img10.jpg"],
    ["", "a", "aa"], ["007", "07", "7", "8"], ["a", "a1"],
    ["99999999999999999999998", "99999999999999999999999", "100000000000000000000000"],
  ])
  func `names are in natural order`(_ names: [String]) {
    for (index, left) in names.enumerated() {
      for right in names[(index + 1)...] {
        let (l, r) = (Array(left.utf8)[...], Array(right.utf8)[...])
        #expect(NaturalOrder.precedes(l, r), "\(left) before \(right)")
        #expect(!NaturalOrder.precedes(r, l), "\(right) not before \(left)")
      }
      let name = Array(left.utf8)[...]
      #expect(!NaturalOrder.precedes(name, name))
    }
  }
}
