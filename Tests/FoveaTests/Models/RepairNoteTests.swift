// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// Repairs of a model are reported with its assumptions, and by the inspection.
@Suite struct RepairNoteTests {
  /// A classifier of float [1, 8, 6, 3] with 24 scores, whose signature names tensors inside the graph.
  private static func misnamed() -> [UInt8] {
    var model = TestModel.runnable()
    model.signatures = [.init(inputs: [3], outputs: [4])]
    return model.bytes()
  }

  @Test func `the labeler and the inspection report an ignored signature`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("m.tflite", Self.misnamed())
    let sentence =
      "In '\(path)' the signature 'serving_default' is ignored: it names tensor 3 as input, but the graph's inputs are [0]"
    let labeler = try await ImageLabeler(model: .file(path))
    #expect(labeler.assumptions.map(\.description).first == sentence)
    let inspection = try ModelInspection(of: .file(path))
    #expect(inspection.notes == [sentence])
    #expect(inspection.family == "classifier")
  }

  @Test func `a model without flaws has no notes`() throws {
    #expect(try ModelInspection(of: .embedded(.localizer)).notes == [])
    let folder = try TemporaryFolder()
    #expect(
      try ModelInspection(of: .file(folder.write("m.tflite", TestModel.runnable().bytes()))).notes == [])
  }

  @Test func `the inspection reports kernels that replace XNNPACK`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("m.tflite", RefusedConvolution.model().bytes())
    #expect(
      try ModelInspection(of: .file(path)).notes == [
        "XNNPACK cannot prepare '\(path)', so LiteRT's own kernels compute it, which is slower"
      ])
  }

  @Test func `damage has its previous message, and names the file`() throws {
    let folder = try TemporaryFolder()
    var model = TestModel.sound()
    model.graphs[0].operators[1].inputs = [4]
    let path = try folder.write("m.tflite", model.bytes())
    let error = #expect(throws: FoveaError.self) { try ModelInspection(of: .file(path)) }
    #expect(error?.code.rawValue == "metadata-damaged-model")
    #expect(error?.message == "operator 1 reads tensor 4, which no earlier operator writes")
    #expect(error?.subject == path)
    #expect(error?.cause is MetadataError)
  }
}
