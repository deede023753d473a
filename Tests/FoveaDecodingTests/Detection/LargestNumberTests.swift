// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaDecoding

@Suite struct LargestNumberTests {
  @Test(arguments: [0, 1, 7, 8, 9, 16, 23, 90])
  func `the largest number is found at any position, and NaN is kept`(_ count: Int) {
    func largest(_ values: [Float]) -> Float {
      unsafe values.withUnsafeBufferPointer { values in
        unsafe values.baseAddress.map { unsafe largestNumber($0, count: values.count) } ?? -.infinity
      }
    }
    #expect(largest(Array(repeating: .nan, count: count)).isNaN == (count > 0))
    for place in 0..<count {
      var values = [Float](repeating: -3, count: count)
      values[place] = -2
      #expect(largest(values) == -2)
      values[place] = .nan
      #expect(largest(values).isNaN)
      values[place] = .infinity
      #expect(largest(values) == .infinity)
    }
  }
}
