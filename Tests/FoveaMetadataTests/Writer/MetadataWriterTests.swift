// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaMetadata

@Suite struct MetadataWriterTests {
  @Test func `written metadata reads back, with every field`() throws {
    let model = try SyntheticModel.rich()
    var expected = SyntheticModel.richMetadata()
    expected.modelDescription = "synthetic"
    expected.minParserVersion = "1.4.1"
    #expect(try ModelMetadata.read(model) == expected)
    let archive = try #require(try ModelArchive.read(model))
    #expect(archive.entries.map(\.name) == SyntheticModel.richFiles.map(\.name))
    for file in SyntheticModel.richFiles {
      #expect(try archive.contents(of: file.name, in: model) == file.contents)
    }
  }

  @Test func `the old model stays whole, at a multiple of 64`() throws {
    let old = SyntheticModel.make(outputs: 2)
    let new = try SyntheticModel.rich()
    let summary = try ModelGraphSummary.read(new)
    #expect(summary == (try ModelGraphSummary.read(old)))
    #expect(summary.customOperators == [.init(name: "TFLite_Detection_PostProcess", options: [1, 2, 3])])
    #expect(summary.schemaVersion == 3)
    #expect(summary.operatorCount == 2)
    #expect(summary.outputCount == 2)
    #expect(summary.hasCustomOperator("TFLite_Detection_PostProcess"))
    #expect(!summary.hasCustomOperator("other"))
    let start = try #require(stride(from: 64, to: new.count, by: 64).first { new[$0...].starts(with: old) })
    #expect(start < 4096)
    #expect(try MetadataWriter.removing(from: new) == old)
    #expect(try MetadataWriter.removing(from: old) == old)
  }

  @Test(arguments: [0, 13, 16, 32, 48, 61])
  func `the old model keeps its alignment for any length of metadata`(_ length: Int) throws {
    let old = SyntheticModel.make()
    var metadata = ModelMetadata()
    metadata.name = String(repeating: "n", count: length)
    let new = try MetadataWriter.write(metadata, to: old)
    #expect(new.suffix(old.count).elementsEqual(old))
    #expect((new.count - old.count).isMultiple(of: 64))
    #expect(try MetadataWriter.removing(from: new) == old)
  }

  @Test func `writing twice replaces and gives equal bytes`() throws {
    let once = try SyntheticModel.rich()
    let twice = try MetadataWriter.write(
      SyntheticModel.richMetadata(), files: SyntheticModel.richFiles, to: once)
    #expect(once == twice)
    var metadata = ModelMetadata()
    metadata.name = "New"
    let replaced = try #require(try ModelMetadata.read(try MetadataWriter.write(metadata, to: once)))
    #expect(replaced.name == "New")
    #expect(replaced.outputs.isEmpty)
    #expect(try ModelArchive.read(try MetadataWriter.write(metadata, to: once)) == nil)
  }

  @Test func `another tool's metadata is replaced`() throws {
    var metadata = ModelMetadata()
    metadata.name = "Ours"
    let model = SyntheticModel.make(metadataEntries: ["TFLITE_METADATA", "min_runtime_version"])
    #expect(failure { () throws(MetadataError) in try ModelMetadata.read(model) }?.code == .damagedModel)
    #expect(try ModelMetadata.read(try MetadataWriter.write(metadata, to: model))?.name == "Ours")
  }

  @Test func `a model without metadata gives nil`() throws {
    #expect(try ModelMetadata.read(SyntheticModel.make()) == nil)
    #expect(try ModelArchive.read(SyntheticModel.make()) == nil)
  }

  struct RefusedCase: CustomTestStringConvertible {
    let testDescription: String
    var metadata = ModelMetadata()
    var files: [AssociatedFileContents] = []
    var model = SyntheticModel.make()
    let message: String
    let code: MetadataCode

    static func tensors(inputs: [TensorMetadata] = [], outputs: [TensorMetadata] = []) -> ModelMetadata {
      var subgraph = ModelMetadata.Subgraph()
      subgraph.inputs = inputs
      subgraph.outputs = outputs
      var metadata = ModelMetadata()
      metadata.subgraphs = [subgraph]
      return metadata
    }

    static func unit(_ unit: ProcessUnit) -> ModelMetadata {
      var tensor = TensorMetadata()
      tensor.processUnits = [unit]
      return tensors(inputs: [tensor])
    }

    static func named(_ name: String) -> ModelMetadata {
      var metadata = ModelMetadata()
      metadata.files = [AssociatedFile(name: name, kind: .unknown)]
      return metadata
    }
  }

  static let refused: [RefusedCase] = [
    RefusedCase(
      testDescription: "two inputs for a model of one",
      metadata: RefusedCase.tensors(inputs: [.init(), .init()]),
      message: "The metadata describes 2 inputs, but the model has 1 inputs", code: .countMismatch),
    RefusedCase(
      testDescription: "three outputs for a model of one",
      metadata: RefusedCase.tensors(outputs: [.init(), .init(), .init()]),
      message: "The metadata describes 3 outputs, but the model has 1 outputs", code: .countMismatch),
    RefusedCase(
      testDescription: "a named file without content", metadata: RefusedCase.named("labels.txt"),
      message: "The metadata names the file 'labels.txt', but its content is not given", code: .missingFile),
    RefusedCase(
      testDescription: "a file that is not named", files: [SyntheticModel.file("x", "")],
      message: "The file 'x' is given, but the metadata does not name it", code: .cannotWrite),
    RefusedCase(
      testDescription: "a file given twice", metadata: RefusedCase.named("x"),
      files: [SyntheticModel.file("x", "1"), SyntheticModel.file("x", "2")],
      message: "The file name 'x' is empty, too long, or given twice", code: .cannotWrite),
    RefusedCase(
      testDescription: "an unknown process unit", metadata: RefusedCase.unit(.other(5)),
      message: "A process unit is of type 5, which this package cannot write", code: .cannotWrite),
    RefusedCase(
      testDescription: "a deviation of zero",
      metadata: RefusedCase.unit(.normalization(Normalization(mean: [0], standardDeviation: [0]))),
      message:
        "The normalisation is (x - [0.0]) / [0.0]; expected as many finite means as deviations, none of them 0",
      code: .cannotWrite),
    RefusedCase(
      testDescription: "a threshold that is not a number", metadata: RefusedCase.unit(.scoreThreshold(.nan)),
      message: "The score threshold is nan; expected a number", code: .cannotWrite),
    RefusedCase(
      testDescription: "a bounding box index with a repetition",
      metadata: RefusedCase.tensors(inputs: [
        TensorMetadata(content: .boundingBoxes(BoundingBoxLayout(kind: .center, index: [0, 0, 1, 2])))
      ]),
      message: "The bounding box index is [0, 0, 1, 2]; expected an order of 0, 1, 2, 3", code: .cannotWrite),
    RefusedCase(
      testDescription: "a model with weights after the FlatBuffer",
      model: SyntheticModel.make(largeBuffer: true),
      message: "The model stores its weights after the FlatBuffer (buffer offset and size fields)",
      code: .cannotWrite),
    RefusedCase(
      testDescription: "no model", model: Array("hello world".utf8),
      message: "The file is not a TFLite model: bytes 4 to 7 must be TFL3, and it has 11 bytes",
      code: .notAModel),
    RefusedCase(
      testDescription: "an empty file", model: [],
      message: "The file is not a TFLite model: bytes 4 to 7 must be TFL3, and it has 0 bytes",
      code: .notAModel),
  ]

  @Test(arguments: refused) func `metadata that cannot be written is rejected`(_ row: RefusedCase) {
    let error = failure { () throws(MetadataError) in
      try MetadataWriter.write(row.metadata, files: row.files, to: row.model)
    }
    #expect(error?.message == row.message)
    #expect(error?.code == row.code)
  }

  struct VersionCase: CustomTestStringConvertible {
    let testDescription: String
    let kind: AssociatedFile.Kind
    let version: String
  }

  @Test(arguments: [
    VersionCase(testDescription: "labels", kind: .axisLabels, version: "1.0.0"),
    VersionCase(testDescription: "a vocabulary", kind: .vocabulary, version: "1.0.1"),
    VersionCase(testDescription: "an index", kind: .scannIndex, version: "1.4.0"),
  ]) func `the minimum parser version follows from the fields in use`(_ row: VersionCase) throws {
    var metadata = ModelMetadata()
    metadata.files = [AssociatedFile(name: "f", kind: row.kind)]
    #expect(MetadataEncoder.minParserVersion(for: metadata) == row.version)
  }
}
