// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import FoveaTesting
import Testing

/// A graph that XNNPACK cannot prepare is computed by LiteRT's own kernels.
@Suite struct KernelFallbackTests {
  @Test func `a graph that XNNPACK refuses is computed without it, with a note`() throws {
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
