// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import FoveaTesting
import Testing

/// A graph that XNNPACK cannot prepare is computed by LiteRT's own kernels.
@Suite struct KernelFallbackTests {
  @Test func `a graph that XNNPACK rejects is computed without it, with a note`() throws {
    let session = try Session(model: try Model(bytes: RefusedConvolution.model().bytes(), name: "m"))
    #expect(session.kernels == .builtin)
    #expect(
      session.notes == [
        "XNNPACK cannot prepare 'm', so LiteRT's own kernels compute it, which is slower"
      ])
    try session.write([Int8](repeating: 0, count: 48), toInput: 0)
    try session.run()
    // 5 · 1000 is more than int8 can hold.
    #expect(try session.read(output: 0, as: Int8.self) == (0..<32).map { $0 % 2 == 0 ? 0 : 127 })
  }

  @Test func `a graph that XNNPACK rejects while it runs is run again without it, with a note`() throws {
    // A shape that depends on the input: operators after it are prepared while the model runs.
    var late = RefusedConvolution.model()
    late.graphs[0].tensors += [.init(shape: [4], type: 2), .quantized([1, 4, 4, 3], 9, 0.001)]
    late.graphs[0].operators.insert(.init(code: 22, inputs: [0, 4], outputs: [5]), at: 0)
    late.graphs[0].operators[1].inputs[0] = 5
    late.graphs[0].inputs = [0, 4]
    let session = try Session(model: try Model(bytes: late.bytes(), name: "m"))
    try session.write([Int8](repeating: 0, count: 48), toInput: 0)
    try session.write([1, 4, 4, 3] as [Int32], toInput: 1)
    try session.run()
    #expect(session.kernels == .builtin)
    #expect(
      session.notes == [
        "XNNPACK cannot prepare 'm', so LiteRT's own kernels compute it, which is slower"
      ])
    #expect(try session.read(output: 0, as: Int8.self) == (0..<32).map { $0 % 2 == 0 ? 0 : 127 })
    try session.run()
    #expect(session.notes.count == 1)
  }

  @Test func `a run that fails with all kernels leaves the session unchanged`() throws {
    let path = PackageRoot.path + "/Tests/Fixtures/models/table.tflite"
    let session = try Session(model: try Model(path: path))
    try session.write([7] as [Int32], toInput: 0)
    let error = #expect(throws: RuntimeError.self) { try session.run() }
    #expect(error?.code == .runFailed)
    #expect(session.kernels == .optimized && session.notes == [])
    try session.write([1] as [Int32], toInput: 0)
    try session.run()
    #expect(try session.read(output: 0, as: Float.self) == [3, 4, 5])
  }

  @Test func `a state inside the graph is rejected by its kind, not as damage`() throws {
    var graph = TestModel.runnable()
    graph.graphs[0].tensors.append(.init(shape: [1, 24], isVariable: true))
    graph.append(0, [5, 7], makes: [1, 24], options: [:])
    graph.graphs[0].outputs = [8]
    let error = #expect(throws: RuntimeError.self) { try Model(bytes: graph.bytes(), name: "m") }
    #expect(error?.code == .modelUnsupported)
    #expect(
      error?.message
        == "LiteRT cannot open the model 'm': an operator keeps state between runs inside the graph, which it does not support (LiteRT status 5: unsupported)"
    )
    #expect(
      error?.remedy
        == "Export it without such operators, in Keras with LSTM(unroll=True), or with its state as inputs and outputs"
    )
  }

  @Test func `other models are computed by XNNPACK, without a note`() throws {
    let session = try Session(model: try TestModels.classifier())
    #expect(session.kernels == .optimized)
    #expect(session.notes == [])
  }

  @Test func `a model that no kernel can compute keeps the first error`() throws {
    // An operator that no runtime has.
    var graph = TestModel.sound()
    graph.customName = "Nobody"
    graph.graphs[0].operators[1] = .init(code: 32, inputs: [3], outputs: [4])
    let model = try Model(bytes: graph.bytes(), name: "m")
    let error = #expect(throws: RuntimeError.self) { try Session(model: model) }
    #expect(error?.code == .modelUnsupported)
    #expect(error?.message.contains("'m'") == true)
  }
}
