// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile
import FoveaRuntime
import FoveaTesting
import Testing

/// A graph that LiteRT would follow outside its own memory is rejected by `Model` itself, in any program.
@Suite struct ModelCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let message: String
    let change: @Sendable (inout TestModel) -> Void
  }

  static let cases = [
    Case(
      testDescription: "scales without zero points, which end the process while the model is opened",
      message: "tensor 1 has 1 scales and 0 zero points"
    ) {
      $0.graphs[0].tensors[1].scales = [0.5]
    },
    Case(
      testDescription: "a missing tensor",
      message: "operator 1 uses tensor 99, but the model has 6 tensors"
    ) {
      $0.graphs[0].operators[1].inputs = [99]
    },
    Case(
      testDescription: "a tensor that nothing writes",
      message: "operator 1 reads tensor 4, which no earlier operator writes"
    ) {
      $0.graphs[0].operators[1].inputs = [4]
    },
  ]

  @Test(arguments: cases) func `a graph that LiteRT would follow outside its memory is rejected`(_ item: Case)
  {
    var graph = TestModel.sound()
    item.change(&graph)
    let bytes = graph.bytes()
    let error = #expect(throws: RuntimeError.self) { try Model(bytes: bytes, name: "m") }
    #expect(error?.code == .modelInvalid)
    #expect(error?.message == "The model 'm' is damaged: \(item.message)")
    #expect(error?.remedy.description == "Download or export the model file again")
    #expect((error?.cause as? MetadataError)?.code == .damagedModel)
  }

  @Test func `a sound graph is accepted and runs`() throws {
    let model = try Model(bytes: TestModel.runnable().bytes(), name: "m")
    let session = try Session(model: model)
    try session.run()
    #expect(session.outputs.map(\.shape) == [[1, 24]])
  }
}
