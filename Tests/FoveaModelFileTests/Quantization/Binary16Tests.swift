// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaModelFile

@Suite struct Binary16Tests {
  @Test func `each finite number survives as bits`() {
    for bits in UInt16.min...UInt16.max where bits >> 10 & 0x1F != 31 {
      #expect(Binary16.bits(Binary16.float(bits)) == bits)
    }
  }

  @Test(
    arguments: [
      (1, 0x3C00), (-2, 0xC000), (0.1, 0x2E66), (65_504, 0x7BFF), (65_520, 0x7BFF), (1e30, 0x7BFF),
      (-1e30, 0xFBFF), (.infinity, 0x7C00), (-.infinity, 0xFC00), (0x1p-24, 1), (0x1p-25, 0), (0x1.8p-24, 2),
      // Between two neighbours the even one is nearest; 2047.5 steps carry into the next exponent.
      (1 + 0x1p-11, 0x3C00), (1 + 0x3p-11, 0x3C02), (2 - 0x1p-11, 0x4000), (0x1p-14 - 0x1p-25, 0x0400),
    ] as [(Float, UInt16)])
  func `a number becomes the nearest one`(number: Float, bits: UInt16) {
    #expect(Binary16.bits(number) == bits)
  }

  @Test(arguments: [
    (UInt16(0x3C00), Float(1)), (0xBC00, -1), (0x0000, 0), (0x3555, 0.333251953125), (0x7BFF, 65504),
    (0x0001, 0x1p-24),
    (0x0400, 0x1p-14), (0x7C00, .infinity), (0xFC00, -.infinity),
  ])
  func `half precision numbers are read`(_ bits: UInt16, _ value: Float) {
    #expect(Binary16.float(bits) == value)
  }

  @Test func `half precision has values that are not numbers`() {
    #expect(Binary16.float(0x7E00).isNaN)
  }

  @Test func `NaN stays NaN`() { #expect(Binary16.float(Binary16.bits(.nan)).isNaN) }
}
