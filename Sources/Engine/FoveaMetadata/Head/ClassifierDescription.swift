// SPDX-License-Identifier: Apache-2.0

/// The metadata of a classifier with a new head.
package struct ClassifierDescription: Sendable {
  /// The labels, in the order of the classes.
  package var labels: [String]
  package var name: String?
  package var description: String?
  package var version: String?
  package var author: String?
  package var license: String?
  /// The score below which results are omitted; nil for none.
  package var scoreThreshold: Float?
  /// The normalisation of a float input; nil for the backbone's.
  package var normalization: Normalization?
  /// The content of `training.json`, which describes the training; nil for none.
  package var training: [UInt8]?

  package init(labels: [String]) { self.labels = labels }

  static let labelsName = "labels.txt"
  static let trainingName = "training.json"
}

extension EmbeddingGraph {
  /// Returns a classifier with its metadata, labels and `training.json`.
  /// - Throws: The codes of `appending`, and `badLabels` or `countMismatch` for labels that cannot be read
  ///   back, or do not match the number of classes.
  package func classifier(
    _ head: LinearHead, _ description: ClassifierDescription
  ) throws(MetadataError) -> [UInt8] {
    guard description.labels.count == head.classCount else {
      throw MetadataError(
        .countMismatch, "There are \(description.labels.count) labels for \(head.classCount) classes",
        remedy: "Provide one label per class")
    }
    typealias Names = ClassifierDescription
    var files = [
      AssociatedFileContents(name: Names.labelsName, contents: try LabelLines.bytes(description.labels))
    ]
    var metadata = ModelMetadata()
    metadata.name = description.name
    metadata.description = description.description
    metadata.version = description.version
    metadata.author = description.author
    metadata.license = description.license
    if let training = description.training {
      metadata.files = [
        AssociatedFile(name: Names.trainingName, kind: .unknown, description: "How the model was trained")
      ]
      files.append(AssociatedFileContents(name: Names.trainingName, contents: training))
    }
    var subgraph = ModelMetadata.Subgraph()
    subgraph.inputs = [input(description.normalization)]
    subgraph.outputs = [Self.output(description.scoreThreshold)]
    metadata.subgraphs = [subgraph]
    return try MetadataWriter.write(metadata, files: files, to: appending(head))
  }

  /// Returns the model's own description of the input, without its files, which are not copied.
  private func input(_ normalization: Normalization?) -> TensorMetadata {
    let stated = metadata?.inputs.count == 1 ? metadata?.inputs[0] : nil
    var input = stated ?? TensorMetadata(name: "image")
    input.files = []
    if case .image? = input.content {} else { input.content = .image(colorSpace: .rgb, defaultSize: nil) }
    if let normalization = normalization ?? self.normalization {
      input.processUnits = [.normalization(normalization)]
    } else {
      input.processUnits = []
    }
    return input
  }

  private static func output(_ threshold: Float?) -> TensorMetadata {
    var output = TensorMetadata(name: "scores", description: "A score for each class", content: .features)
    output.processUnits = threshold.map { [.scoreThreshold($0)] } ?? []
    output.minimum = [0]
    output.maximum = [1]
    output.files = [
      AssociatedFile(name: ClassifierDescription.labelsName, kind: .axisLabels, description: "A label a line")
    ]
    return output
  }
}
