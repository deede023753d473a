// SPDX-License-Identifier: Apache-2.0

@testable import FoveaMetadata

/// Small TFLite files made in code: a graph without tensors, but with everything that metadata refers to.
enum SyntheticModel {
  /// A model with one subgraph, a custom operator, and an empty buffer, as real converters write it.
  static func make(
    inputs: Int = 1, outputs: Int = 1, description: String? = "synthetic",
    customOptions: [UInt8] = [1, 2, 3],
    metadataEntries: [String] = ["min_runtime_version"], largeBuffer: Bool = false, subgraphs: Int = 1
  ) -> [UInt8] {
    var code = FlatNode()
    code.set(FlatField(1, "custom_code"), string: "TFLite_Detection_PostProcess")
    var node = FlatNode()
    node.set(FlatField(0, "opcode_index"), .uint32(1))
    node.set(FlatField(5, "custom_options"), .bytes(customOptions, alignment: 1))
    var subgraph = FlatNode()
    subgraph.set(FlatField(1, "inputs"), .uint32s([UInt32](0..<UInt32(inputs))))
    subgraph.set(FlatField(2, "outputs"), .uint32s([UInt32](0..<UInt32(outputs))))
    subgraph.set(FlatField(3, "operators"), nodes: [FlatNode(), node])
    var weights = FlatNode()
    if largeBuffer {
      // Both are 64 bits wide, but the writer's fields have 32: each one's upper half is the field after it.
      weights.set(FlatField(1, "offset"), .uint32(4096))
      weights.set(FlatField(2, "size"), .uint32(16))
      weights.set(FlatField(3, "padding"), .uint32(0))
    } else {
      weights.set(FlatField(0, "data"), .bytes(Array(0..<100), alignment: 16))
    }
    var root = FlatNode()
    root.set(FlatField(0, "version"), .uint32(3))
    root.set(FlatField(1, "operator_codes"), nodes: [FlatNode(), code])
    root.set(FlatField(2, "subgraphs"), nodes: Array(repeating: subgraph, count: subgraphs))
    root.set(FlatField(3, "description"), string: description)
    root.set(FlatField(4, "buffers"), nodes: [FlatNode(), weights])
    root.set(
      FlatField(6, "metadata"),
      nodes: metadataEntries.map { name in
        var entry = FlatNode()
        entry.set(FlatField(0, "name"), string: name)
        entry.set(FlatField(1, "buffer"), .uint32(1))
        return entry
      })
    var writer = FlatBufferWriter(identifier: Array("TFL3".utf8))
    writer.root(root)
    return writer.bytes
  }

  /// Metadata that uses every part that is read and written, for a model with one input and two outputs.
  static func richMetadata() -> ModelMetadata {
    var metadata = ModelMetadata()
    metadata.name = "Rich"
    metadata.description = "Everything at once, with ü and 日本"
    metadata.version = "2.1"
    metadata.author = "Someone"
    metadata.license = "CC0"
    metadata.files = [AssociatedFile(name: "README.txt", kind: .descriptions, description: "About")]
    var input = TensorMetadata(
      name: "image", description: "A picture",
      content: .image(colorSpace: .rgb, defaultSize: ImageSize(width: 320, height: 240)))
    input.dimensionNames = ["batch", "height", "width", "channel"]
    input.processUnits = [.normalization(Normalization(mean: [1, 2, 3], standardDeviation: [4, 5, 6]))]
    input.minimum = [0]
    input.maximum = [255]
    var boxes = TensorMetadata(
      name: "location", content: .boundingBoxes(BoundingBoxLayout(kind: .boundaries, index: [1, 0, 3, 2])))
    boxes.contentRange = 2...2
    var scores = TensorMetadata(name: "score", content: .features)
    scores.processUnits = [
      .scoreCalibration(ScoreCalibrationOptions(transformation: .inverseLogistic, defaultScore: -0.5)),
      .scoreThreshold(0.25),
    ]
    scores.files = [
      AssociatedFile(name: "labels.txt", kind: .axisLabels),
      AssociatedFile(name: "labels-en.txt", kind: .axisLabels, locale: "en"),
      AssociatedFile(name: "calibration.csv", kind: .axisScoreCalibration),
    ]
    var subgraph = ModelMetadata.Subgraph()
    subgraph.name = "main"
    subgraph.description = "The only part"
    subgraph.inputs = [input]
    subgraph.outputs = [boxes, scores]
    subgraph.files = [AssociatedFile(name: "part.txt", kind: .unknown, version: "7")]
    subgraph.inputGroups = [ModelMetadata.TensorGroup(name: nil, tensorNames: ["image"])]
    subgraph.outputGroups = [ModelMetadata.TensorGroup(name: "result", tensorNames: ["location", "score"])]
    metadata.subgraphs = [subgraph]
    return metadata
  }

  /// The contents of the files that `richMetadata` names.
  static let richFiles: [AssociatedFileContents] = [
    file("README.txt", "Read me"), file("labels.txt", "cat\n???\n\ndog\n"),
    file("labels-en.txt", "Cat\r\n???\r\n\r\nDog\r\n"),
    file("calibration.csv", "1,2,3\n\n1,2,3,0.5\n1,2,3\n"),
    file("part.txt", ""),
  ]

  /// A text as an archive's file.
  static func file(_ name: String, _ text: String) -> AssociatedFileContents {
    AssociatedFileContents(name: name, contents: Array(text.utf8))
  }

  /// A whole small model with metadata and files.
  static func rich() throws -> [UInt8] {
    try MetadataWriter.write(richMetadata(), files: richFiles, to: make(outputs: 2))
  }
}

/// Runs `body` and gives the error's code and message, or nil where nothing is thrown.
func failure<Result>(_ body: () throws(MetadataError) -> Result) -> MetadataError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
