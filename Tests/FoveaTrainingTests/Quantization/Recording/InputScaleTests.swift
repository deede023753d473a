// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaModelFile
import Testing

@testable import FoveaTraining

@Suite struct InputScaleTests {
  struct Case: Sendable {
    let normalization: Normalization?
    let readsValues: Bool
    let scale: Float
    let zeroPoint: Int
    let offset: Float
  }

  @Test(arguments: [
    Case(normalization: nil, readsValues: false, scale: 1, zeroPoint: -128, offset: 0),
    Case(
      normalization: Normalization(mean: [0], standardDeviation: [255]), readsValues: true, scale: 1 / 255,
      zeroPoint: -128, offset: 0),
    Case(
      normalization: Normalization(mean: [127.5], standardDeviation: [127.5]), readsValues: false,
      scale: 1 / 127.5, zeroPoint: -1, offset: -0.5 / 127.5),
    Case(
      normalization: Normalization(mean: [127.5], standardDeviation: [127.5]), readsValues: true,
      scale: 1 / 127, zeroPoint: 0, offset: 0),
    Case(
      normalization: Normalization(mean: [128], standardDeviation: [64]), readsValues: true, scale: 1 / 64,
      zeroPoint: 0, offset: 0),
  ])
  func `the scale of the input fits its bytes`(example: Case) {
    let found = InputScale.of(example.normalization, readsValues: example.readsValues)
    #expect(abs(found.scale.scale - example.scale) < 1e-6)
    #expect(found.scale.zeroPoint == example.zeroPoint)
    #expect(abs(found.offset - example.offset) < 1e-6)
  }

  @Test func `channels of their own share a scale that holds all values`() {
    let found = InputScale.of(
      Normalization(mean: [123.7, 116.3, 103.5], standardDeviation: [58.4, 57.1, 57.4]), readsValues: true)
    #expect(
      found.range.lowerBound <= -123.7 / 58.4 + 1e-3 && found.range.upperBound >= (255 - 103.5) / 57.4 - 1e-3)
    #expect(found.scale == TensorScale(holding: found.range))
  }
}
