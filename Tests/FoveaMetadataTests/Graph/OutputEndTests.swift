// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaMetadata
import FoveaTesting
import Testing

/// The last operators in the graphs of small models.
@Suite struct OutputEndTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var model: String
    var end: OutputActivation
    var testDescription: String { model }
  }

  static let rows = [
    Row(model: "logits", end: .linear), Row(model: "logits_softmax", end: .softmax),
    Row(model: "logits_written_out", end: .softmax), Row(model: "logits_unknown", end: .other),
    Row(model: "embedding", end: .unitLength), Row(model: "colors_unit", end: .pooled),
    Row(model: "grey_last", end: .sigmoid), Row(model: "grey_logit", end: .linear),
    Row(model: "classifier_uint8", end: .softmax), Row(model: "ssd_sigmoid", end: .sigmoid),
    Row(model: "mask", end: .other),
  ]

  @Test(arguments: rows) func `the end of a graph determines the meaning of its numbers`(_ row: Row) throws {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(row.model).tflite"
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let ends = try OutputActivation.read(bytes.span)
    #expect(ends.values.contains(row.end), "\(ends)")
  }
}
