// SPDX-License-Identifier: Apache-2.0

import FoveaTesting

@testable import FoveaMetadata

/// Small TFLite files with metadata: a graph without tensors, but with everything that metadata refers to.
enum SyntheticModel {
  /// A model with one subgraph, a custom operator, and an empty buffer, as real converters write it.
  static func make(
    outputs: Int32 = 1, metadataEntries: [String] = ["min_runtime_version"], largeBuffer: Bool = false
  ) -> [UInt8] {
    var model = TestModel(
      operators: [.init(code: 0), .init(code: 32, custom: [1, 2, 3])], inputs: [0],
      outputs: Array(0..<outputs), buffers: [[], Array(0..<100)])
    model.description = "synthetic"
    model.metadata = metadataEntries.map { ($0, 1) }
    model.farBuffer = largeBuffer ? 1 : nil
    return model.bytes()
  }

  /// Metadata that uses each part that is read and written, for a model with one input and two outputs.
  static func richMetadata() -> ModelMetadata {
    var metadata = ModelMetadata()
    metadata.name = "Rich"
    metadata.description = "Everything at once, with ü and 日本"
    metadata.version = "2.1"
    metadata.author = "Someone"
    metadata.license = "CC0"
    metadata.files = [AssociatedFile(name: "README.txt", kind: .descriptions, description: "About")]
    var input = TensorMetadata(
      name: "image", description: "An image",
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

/// Runs `body` and returns the error's code and message, or nil if it throws none.
func failure<Result>(_ body: () throws(MetadataError) -> Result) -> MetadataError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
