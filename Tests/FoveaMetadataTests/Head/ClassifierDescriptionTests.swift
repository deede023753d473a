// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct ClassifierDescriptionTests {
  static func description() -> ClassifierDescription {
    var description = ClassifierDescription(labels: ["daisy", "Löwenzahn", "None_of_the_above"])
    description.name = "flowers"
    description.description = "classifier of 3 classes on classifier_uint8"
    description.version = "2"
    description.author = "Someone"
    description.license = "Apache-2.0"
    description.scoreThreshold = 0.375
    description.training = Array("{}\n".utf8)
    return description
  }

  @Test func `written descriptions read back`() throws {
    let graph = try HeadFixture.graph("classifier_uint8")
    let model = try graph.classifier(HeadFixture.head(), Self.description())
    let metadata = try #require(try ModelMetadata.read(model))
    #expect(metadata.name == "flowers")
    #expect(metadata.description == "classifier of 3 classes on classifier_uint8")
    #expect(metadata.version == "2")
    #expect(metadata.author == "Someone")
    #expect(metadata.license == "Apache-2.0")
    #expect(metadata.files.map(\.name) == ["training.json"])
    #expect(metadata.outputs[0].scoreThreshold == 0.375)
    #expect(
      try LabelMap.read(for: metadata.outputs[0], locale: nil, model: model)?.names
        == Self.description().labels)
    let archive = try #require(try ModelArchive.read(model))
    #expect(archive.entries.map(\.name) == ["labels.txt", "training.json"])
    #expect(try archive.contents(of: "training.json", in: model) == Array("{}\n".utf8))
    #expect(try graph.classifier(HeadFixture.head(), Self.description()) == model)
    #expect(throws: Never.self) { try ModelGraphCheck.check(model.span) }
    #expect(try MetadataWriter.removing(from: model) == graph.appending(HeadFixture.head()))
  }

  @Test func `the input keeps its metadata, except its files`() throws {
    var metadata = ModelMetadata()
    var subgraph = ModelMetadata.Subgraph()
    var input = TensorMetadata(
      name: "picture", description: "A flower", content: .image(colorSpace: .rgb, defaultSize: nil))
    input.processUnits = [.normalization(Normalization(mean: [127.5], standardDeviation: [127.5]))]
    input.minimum = [-1]
    input.maximum = [1]
    input.files = [AssociatedFile(name: "README", kind: .descriptions)]
    subgraph.inputs = [input]
    metadata.subgraphs = [subgraph]
    metadata.license = "CC0"
    let described = try MetadataWriter.write(
      metadata, files: [SyntheticModel.file("README", "Read me")], to: HeadFixture.model("logits"))
    let graph = try EmbeddingGraph(model: described, name: "described")
    #expect(graph.metadata?.license == "CC0")
    #expect(graph.normalization == Normalization(mean: [127.5], standardDeviation: [127.5]))
    var description = ClassifierDescription(labels: ["a", "b", "c"])
    let written = try #require(
      try ModelMetadata.read(graph.classifier(HeadFixture.head(), description)))
    input.files = []
    #expect(written.inputs == [input])
    #expect(written.outputs[0].scoreThreshold == nil)
    #expect(written.files.isEmpty)
    description.normalization = Normalization(mean: [0], standardDeviation: [255])
    let given = try #require(try ModelMetadata.read(graph.classifier(HeadFixture.head(), description)))
    #expect(given.inputs[0].normalization == description.normalization)
  }

  @Test func `a graph that scales its pixels declares it`() throws {
    #expect(try HeadFixture.graph("colors_rescaled").normalization == PixelScale.bytes.normalization)
    #expect(try HeadFixture.graph("colors_unit").normalization == nil)
    #expect(try HeadFixture.graph("classifier_uint8").normalization == nil)
  }

  @Test(
    arguments: [
      ([], MetadataCode.countMismatch), (["a", "b"], .countMismatch), (["a", "b", "c", "d"], .countMismatch),
      (["a", "", "c"], .badLabels), (["a", " ", "c"], .badLabels), (["a", "b\nc", "d"], .badLabels),
      (["a", "b\r", "c"], .badLabels), (["a", "b\0", "c"], .badLabels),
      // A file that counts its lines.
      (["1 Euro", "2 Euro", "3 Cent"], nil), (["0 a", "1 b", "2 c"], .badLabels),
      (["\u{FEFF}a", "b", "c"], .badLabels), (["a", "a", "ä"], nil),
    ] as [([String], MetadataCode?)])
  func `labels that a reader would mistake for others are rejected`(_ labels: [String], _ code: MetadataCode?)
    throws
  {
    let graph = try HeadFixture.graph("logits")
    let error = failure { () throws(MetadataError) in
      try graph.classifier(HeadFixture.head(), ClassifierDescription(labels: labels))
    }
    #expect(error?.code == code)
  }
}
