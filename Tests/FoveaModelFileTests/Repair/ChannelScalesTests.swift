// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Filters with one scale for all channels get one per channel if LiteRT reads one per channel.
@Suite struct ChannelScalesTests {
  static let message =
    "a filter has one scale for all channels, but LiteRT reads one per channel: it is repeated for each"

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: HybridFilter.Kind
    let scales: Int
    let dimension: UInt32
    var isRepaired = false
    var error: String?

    func filter() -> HybridFilter {
      HybridFilter(kind, scales: [Float](repeating: 0.01, count: scales), dimension: dimension)
    }
  }

  static let cases = [
    Case(
      testDescription: "depthwise, one scale along the side of 1", kind: .depthwise, scales: 1, dimension: 0,
      isRepaired: true),
    Case(
      testDescription: "depthwise, one scale along the channels", kind: .depthwise, scales: 1, dimension: 3,
      isRepaired: true),
    Case(
      testDescription: "depthwise, one scale along no side", kind: .depthwise, scales: 1, dimension: 9,
      isRepaired: true),
    Case(testDescription: "depthwise, a scale for each", kind: .depthwise, scales: 16, dimension: 3),
    Case(
      testDescription: "depthwise, scales along the height", kind: .depthwise, scales: 3, dimension: 1,
      error:
        "operator 0 has 3 scales along dimension 1 of its weights [1, 3, 3, 16], expected 16 along dimension 3"
    ),
    Case(
      testDescription: "transposed, one scale", kind: .transposed, scales: 1, dimension: 0, isRepaired: true),
    Case(testDescription: "transposed, a scale for each", kind: .transposed, scales: 16, dimension: 0),
    Case(
      testDescription: "transposed, scales along the width", kind: .transposed, scales: 2, dimension: 2,
      error:
        "operator 0 has 2 scales along dimension 2 of its weights [16, 2, 2, 4], expected 16 along dimension 0"
    ),
    Case(testDescription: "dense, one scale", kind: .dense, scales: 1, dimension: 1),
    Case(
      testDescription: "dense, scales along the inputs", kind: .dense, scales: 4, dimension: 1,
      error: "operator 0 has 4 scales along dimension 1 of its weights [16, 4], expected 16 along dimension 0"
    ),
  ]

  @Test(arguments: cases) func `there is one scale per channel`(_ item: Case) throws {
    let bytes = item.filter().model().bytes()
    if let error = item.error {
      #expect(failure { () throws(MetadataError) in try ModelGraphCheck.check(bytes.span) }?.message == error)
      return
    }
    #expect(try ModelGraphCheck.check(bytes.span).map(\.message) == (item.isRepaired ? [Self.message] : []))
    guard item.isRepaired else { return }
    let patched = try SignatureRepairTests.patched(bytes)
    #expect(try ModelGraphCheck.check(patched.span).isEmpty)
    let filter = try GraphReading(patched).tensors[1]
    #expect(filter.scales == [Float](repeating: 0.01, count: 16))
    #expect(filter.zeroPoints == [Int](repeating: 0, count: 16))
  }

  @Test func `a computed filter cannot be repaired`() {
    var model = HybridFilter(.depthwise, scales: [0.01], dimension: 0).model()
    model.graphs[0].tensors[1].buffer = 0
    model.graphs[0].inputs.append(1)
    let bytes = model.bytes()
    #expect(
      failure { () throws(MetadataError) in try ModelGraphCheck.check(bytes.span) }?.message
        == "operator 0 has one scale for the 16 channels of its weights")
  }

  @Test func `a depthwise filter of int8 activations keeps its one scale`() throws {
    var model = HybridFilter(.depthwise, scales: [0.01], dimension: 0).model()
    for tensor in [0, 3] {
      model.graphs[0].tensors[tensor].type = 9
      model.graphs[0].tensors[tensor].scales = [0.1]
      model.graphs[0].tensors[tensor].zeroPoints = [0]
    }
    #expect(try ModelGraphCheck.check(model.bytes().span).isEmpty)
  }
}
