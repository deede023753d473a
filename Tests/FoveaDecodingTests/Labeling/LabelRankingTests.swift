// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaRuntime
import Testing

@Suite struct LabelRankingTests {
  struct RankingCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var scores: [Float]
    var threshold: Float = 0
    var limit = 10
    var isAllowed: [Bool]?
    var ranked: [Int]
  }

  static let cases = [
    RankingCase(testDescription: "no classes", scores: [], ranked: []),
    RankingCase(testDescription: "one class", scores: [0.3], ranked: [0]),
    RankingCase(testDescription: "most confident first", scores: [0.1, 0.7, 0.2], ranked: [1, 2, 0]),
    RankingCase(
      testDescription: "ties keep the order of classes", scores: [0.5, 0.9, 0.5, 0.9], ranked: [1, 3, 0, 2]),
    RankingCase(testDescription: "ties at the limit", scores: [0.5, 0.5, 0.5], limit: 2, ranked: [0, 1]),
    RankingCase(
      testDescription: "a late better one pushes a tie out", scores: [0.5, 0.5, 0.6], limit: 2,
      ranked: [2, 0]),
    RankingCase(
      testDescription: "the threshold itself is kept", scores: [0.3, 0.29, 0.31], threshold: 0.3,
      ranked: [2, 0]),
    RankingCase(testDescription: "not a number", scores: [.nan, 0.1, .nan], ranked: [1]),
    RankingCase(testDescription: "infinite", scores: [.infinity, 0.1, -.infinity], ranked: [0, 1]),
    RankingCase(testDescription: "limit zero", scores: [1], limit: 0, ranked: []),
    RankingCase(testDescription: "limit one", scores: [0.1, 0.9, 0.9], limit: 1, ranked: [1]),
    RankingCase(
      testDescription: "only allowed ones", scores: [0.9, 0.8, 0.7], isAllowed: [false, true, true],
      ranked: [1, 2]),
    RankingCase(
      testDescription: "beyond the list nothing is allowed", scores: [0.9, 0.8], isAllowed: [true],
      ranked: [0]),
  ]

  @Test(arguments: cases)
  func `labels are ranked`(_ ranking: RankingCase) {
    let rule = LabelRanking(threshold: ranking.threshold, limit: ranking.limit, isAllowed: ranking.isAllowed)
    let labels = rule.labels(scores: ranking.scores, names: [])
    #expect(labels.map(\.index) == ranking.ranked)
    #expect(labels.allSatisfy { $0.text == nil })
  }

  @Test func `a thousand random scores are ranked as by a full sort`() {
    var state: UInt64 = 7
    let scores = (0..<1000).map { _ -> Float in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 56) / 255
    }
    let expected = scores.indices.sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
    for limit in [1, 7, 100, 1000, 5000] {
      let labels = LabelRanking(threshold: 0, limit: limit).labels(scores: scores, names: [])
      #expect(labels.map(\.index) == Array(expected.prefix(limit)))
    }
  }

  @Test func `names follow their classes, as far as there are any`() {
    let labels = LabelRanking(threshold: 0, limit: 3).labels(scores: [0.1, 0.2, 0.3], names: ["a", "b"])
    #expect(labels.map(\.text) == [nil, "b", "a"])
  }
}

@Suite struct ClassifierHeadTests {
  private static func signature(_ outputs: [TensorDescription]) -> ModelSignature {
    ModelSignature(
      key: nil, inputs: [TensorDescription(name: "image", elementType: .uint8, shape: [1, 8, 8, 3])],
      outputs: outputs)
  }

  @Test(arguments: [([1, 5], 5), ([1, 1, 1, 7], 7), ([1, 1], 1)])
  func `one row of scores is a classifier`(_ shape: [Int], _ classes: Int) throws {
    for type in [ElementType.uint8, .int8, .float32, .float16] {
      let head = try ClassifierHead(
        modelName: "m",
        signature: Self.signature([TensorDescription(name: "s", elementType: type, shape: shape)]))
      #expect(head.classCount == classes)
      #expect(head.outputIndex == 0)
    }
  }

  @Test(arguments: [[], [5], [2, 5], [1, 0], [1, 10, 4], [1, 2, 1, 5], [1, -1]])
  func `other shapes are not a classifier`(_ shape: [Int]) {
    #expect(throws: LabelingError.self) {
      try ClassifierHead(
        modelName: "m",
        signature: Self.signature([TensorDescription(name: "s", elementType: .float32, shape: shape)]))
    }
  }

  @Test func `the error names the outputs and the rule`() {
    let error = #expect(throws: LabelingError.self) {
      try ClassifierHead(
        modelName: "ssd.tflite",
        signature: Self.signature([
          TensorDescription(name: "boxes", elementType: .float32, shape: [1, 10, 4])
        ]))
    }
    #expect(
      error?.message
        == "'ssd.tflite' is not an image classifier: its outputs are 'boxes' float32 [1, 10, 4]; a classifier has one"
        + " output [1, N] or [1, 1, 1, N] of uint8, int8 or float32")
  }

  @Test func `a model without outputs is not a classifier`() {
    #expect(throws: LabelingError.self) { try ClassifierHead(modelName: "m", signature: Self.signature([])) }
  }
}
