// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile
import FoveaRuntime
import FoveaTesting
import Testing

/// Models repaired in memory compute the graph's result.
@Suite struct ModelRepairTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let kind: HybridFilter.Kind
    let dimension: UInt32
    let kernels: SessionOptions.Kernels
    var testDescription: String { "\(kind), dimension \(dimension), \(kernels)" }
  }

  static let cases = [
    Case(kind: .depthwise, dimension: 0, kernels: .optimized),
    Case(kind: .depthwise, dimension: 3, kernels: .optimized),
    Case(kind: .depthwise, dimension: 0, kernels: .builtin),
    Case(kind: .transposed, dimension: 0, kernels: .optimized),
    Case(kind: .transposed, dimension: 2, kernels: .builtin),
    Case(kind: .dense, dimension: 0, kernels: .optimized),
    Case(kind: .dense, dimension: 0, kernels: .builtin),
  ]

  @Test(arguments: cases) func `a filter with one scale gives the arithmetic's result`(_ item: Case) throws {
    let filter = HybridFilter(item.kind, scales: [0.01], dimension: item.dimension)
    let bytes = filter.model().bytes()
    let model = try Model(bytes: bytes, name: "m")
    #expect(model.repairs.map(\.code) == (item.kind == .dense ? [] : [.scaleRepeated]))
    // The file is unchanged.
    #expect(model.withBytes { span in span.indices.map { span[$0] } } == bytes)
    var options = SessionOptions()
    options.kernels = item.kernels
    let session = try Session(model: model, options: options)
    let count = session.inputs[0].shape.reduce(1, *)
    let values = (0..<count).map { Float(($0 * 29) % 41 - 20) / 20 }
    try session.write(values, toInput: 0)
    try session.run()
    let answer = try session.read(output: 0, as: Float.self)
    let expected = filter.answer(values, scale: 0.01)
    // The activations are rounded to 8 bits, up to 1/254 of the largest, for each of up to nine products.
    let worst = zip(answer, expected).map { abs($0 - $1) }.max() ?? .infinity
    #expect(answer.count == expected.count)
    #expect(worst < 0.06, "\(worst)")
  }

  @Test func `a signature of other tensors is ignored and the graph runs`() throws {
    var graph = TestModel.runnable()
    graph.signatures = [.init(inputs: [3], outputs: [4])]
    let model = try Model(bytes: graph.bytes(), name: "m")
    #expect(
      model.repairs.map(\.message) == [
        "the signature 'serving_default' is ignored: it names tensor 3 as input, but the graph's inputs are [0]"
      ])
    #expect(model.signatures.map(\.key) == [nil])
    let session = try Session(model: model)
    try session.run()
    #expect(session.outputs.map(\.shape) == [[1, 24]])
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `Teachable Machine's quantised download runs`() throws {
    let model = try Model(path: SharedData.path("wild-models/teachable_machine_model_quant.tflite"))
    #expect(model.repairs.map(\.code) == [.signatureIgnored])
    let session = try Session(model: model)
    try session.run()
    #expect(session.inputs.map(\.shape) == [[1, 224, 224, 3]])
  }
}
