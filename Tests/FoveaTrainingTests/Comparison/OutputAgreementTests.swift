// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaTraining
import Testing

@Suite struct OutputAgreementTests {
  static func labels(_ scores: [Float]) -> [Label] {
    scores.enumerated().map { Label(text: nil, index: $0, confidence: $1) }
  }

  @Test(
    arguments: [
      ([], [], nil, nil),
      ([[]], [[]], nil, nil),
      ([[0.9, 0.1]], [[0.75, 0.25]], 1, 0.15),
      ([[0.9, 0.1]], [[0.4, 0.6]], 0, 0.5),
      ([[0.9, 0.1], [0.2, 0.8]], [[0.9, 0.1], [0.6, 0.4]], 0.5, 0.2),
      // Of equal scores, the first is the first label.
      ([[0.5, 0.5]], [[0.5, 0.5]], 1, 0), ([[0.5, 0.5]], [[0.4, 0.6]], 0, 0.1),
      // A model without an answer agrees with nothing.
      ([[0.9]], [[]], 0, nil), ([[]], [[0.9]], 0, nil),
    ] as [([[Float]], [[Float]], Double?, Double?)])
  func `first labels are shared, and their scores change`(
    _ first: [[Float]], _ second: [[Float]], _ shared: Double?, _ change: Double?
  ) {
    let agreement = LabelAgreement(of: first.map(Self.labels), and: second.map(Self.labels))
    #expect(agreement.shared == shared)
    #expect((agreement.meanChange == nil) == (change == nil))
    if let change, let found = agreement.meanChange { #expect(abs(found - change) < 1e-6) }
  }

  @Test(
    arguments: [
      ([1, 2], [1, 2], 1), ([1, 0], [0, 1], 0), ([1, 0], [-1, 0], -1), ([1, 1], [2, 2], 1),
      ([0, 0], [0, 0], 1), ([0, 0], [1, 0], 0), ([], [], 1),
      // The squares of large numbers do not overflow.
      ([3e38, 3e38], [3e38, 3e38], 1), ([3e38, 0], [0, 3e38], 0), ([0x1p-140, 0], [0x1p-140, 0], 1),
    ] as [([Float], [Float], Double)])
  func `the cosine of two vectors`(_ first: [Float], _ second: [Float], _ cosine: Double) {
    #expect(abs(VectorAgreement.cosine(first, second) - cosine) < 1e-12)
  }

  @Test func `equal vectors have a cosine of exactly 1, and a number that is none shows`() {
    let vector: [Float] = (0..<1_000).map { Float($0).squareRoot() * 0.1 }
    #expect(VectorAgreement.cosine(vector, vector) == 1)
    #expect(VectorAgreement.cosine([.nan], [1]).isNaN)
    var agreement = VectorAgreement()
    #expect(agreement.meanCosine == nil)
    agreement.add([[1, 0], [1]], [[0, 1], [1]])
    #expect(agreement.meanCosine == 0.5)
  }

  @Test(
    arguments: [
      ([], [], nil, nil), ([255], [0], nil, nil), ([0, 1], [0, 1], 1, 1), ([0, 0], [1, 1], 0, 0),
      ([0, 0, 1, 1], [0, 1, 1, 1], (0.5 + 2.0 / 3) / 2, 0.75), ([0, 0], [0, 255], 0.5, 0.5),
    ] as [([UInt8], [UInt8], Double?, Double?)])
  func `maps share pixels of each class`(
    _ first: [UInt8], _ second: [UInt8], _ iou: Double?, _ equal: Double?
  ) {
    var agreement = MapAgreement()
    agreement.add(first, second)
    #expect(agreement.meanIoU == iou)
    #expect(agreement.equalShare == equal)
  }

  @Test func `classes of maps are compared by name`() throws {
    var agreement = MapAgreement()
    agreement.add([0, 1, 1], [1, 0, 0], try ClassPairing(["road", "sky"], ["sky", "road"]))
    #expect(agreement.meanIoU == 1)
  }
}
