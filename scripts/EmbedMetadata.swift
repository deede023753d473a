// SPDX-License-Identifier: Apache-2.0
//
// Writes the metadata of the embedded models. scripts/embed-metadata compiles this file together with the
// sources of FoveaMetadata, hence no import of that module.

import FoundationEssentials

@main
enum EmbedMetadata {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else { throw Usage() }
    let folder = CommandLine.arguments[1]
    let names = try String(contentsOf: URL(fileURLWithPath: folder + "/coco80_labels.txt"), encoding: .utf8)
    try embed(
      detector(), files: [AssociatedFileContents(name: "coco80_labels.txt", contents: Array(names.utf8))],
      in: folder + "/detector80_int8.tflite")
    try embed(localizer(), files: [], in: folder + "/localizer_int8.tflite")
    let labels = AssociatedFileContents(name: "labels.txt", contents: Array(coarseLabels.utf8))
    try embed(coarse(), files: [labels], in: folder + "/coarse_int8.tflite")
  }

  struct Usage: Error, CustomStringConvertible {
    var description: String {
      "usage: embed-metadata FOLDER (with the three models and coco80_labels.txt)"
    }
  }

  static let coarseLabels = "Fashion good\nFood\nHome good\nPlace\nPlant\n"

  static func embed(_ metadata: ModelMetadata, files: [AssociatedFileContents], in path: String) throws {
    let url = URL(fileURLWithPath: path)
    let model = [UInt8](try Data(contentsOf: url))
    let result = try MetadataWriter.write(metadata, files: files, to: model)
    try Data(result).write(to: url, options: .atomic)
    print("\(path): \(model.count) -> \(result.count) bytes")
  }

  static func common(_ name: String, _ description: String) -> ModelMetadata {
    var metadata = ModelMetadata()
    metadata.name = name
    metadata.description = description
    metadata.version = "1.0.0"
    metadata.author = "Fovea contributors"
    metadata.license =
      "Apache License, Version 2.0, https://www.apache.org/licenses/LICENSE-2.0. Attributions: MODEL_CARD.md of Fovea."
    return metadata
  }

  static func image(_ side: Int, mean: Float = 127.5) -> TensorMetadata {
    var tensor = TensorMetadata(
      name: "image",
      description: "The picture as RGB, \(side) x \(side) pixels, stretched without keeping its proportions.",
      content: .image(colorSpace: .rgb, defaultSize: ImageSize(width: side, height: side)))
    tensor.processUnits = [.normalization(Normalization(mean: [mean], standardDeviation: [127.5]))]
    tensor.minimum = [0]
    tensor.maximum = [255]
    return tensor
  }

  static func detector() -> ModelMetadata {
    var metadata = common(
      "Fovea object detector, 80 classes", "Finds and names objects of the 80 classes of COCO in a photo.")
    metadata.author =
      "Fovea contributors; started from NanoDet-Plus-m (RangiLyu and contributors, Apache-2.0)"
    metadata.license =
      "Apache License, Version 2.0, https://www.apache.org/licenses/LICENSE-2.0. Started from the weights of "
      + "NanoDet-Plus-m 416, https://github.com/RangiLyu/nanodet, Apache License 2.0; changed: quantised and trained "
      + "further in every layer. Attributions: MODEL_CARD.md of Fovea."
    var detections = TensorMetadata(
      name: "detections",
      description:
        "A row for each cell of strides 8, 16, 32 and 64: centre x, centre y, width and height as fractions of the "
        + "input, then the score of each of the 80 classes, 0 to 1.", content: .features)
    detections.processUnits = [.scoreThreshold(0.37)]
    detections.files = [
      AssociatedFile(
        name: "coco80_labels.txt", kind: .axisLabels,
        description: "The 80 classes, in the order of the scores.")
    ]
    var subgraph = ModelMetadata.Subgraph()
    subgraph.inputs = [image(352, mean: 127)]
    subgraph.outputs = [detections]
    metadata.subgraphs = [subgraph]
    return metadata
  }

  static func localizer() -> ModelMetadata {
    var metadata = common(
      "Fovea object localizer",
      "Finds up to five prominent objects of any kind in a photo; it does not name them.")
    let boxes = TensorMetadata(
      name: "boxes",
      description:
        "SSD box codes ty, tx, th, tw (scales 10, 10, 5, 5) for each of the 738 anchors; the anchors are "
        + "in the model card.", content: .features)
    var scores = TensorMetadata(
      name: "scores", description: "The score of each anchor, 0 to 1.", content: .features)
    scores.processUnits = [.scoreThreshold(0.3)]
    var subgraph = ModelMetadata.Subgraph()
    subgraph.inputs = [image(192)]
    subgraph.outputs = [boxes, scores]
    metadata.subgraphs = [subgraph]
    return metadata
  }

  static func coarse() -> ModelMetadata {
    var metadata = common(
      "Fovea coarse classifier",
      "Puts the picture of one object into one of five coarse categories, or, with all scores low, into none."
    )
    var scores = TensorMetadata(
      name: "scores",
      description: "The score of each category, 0 to 1, each by itself: they do not add up to 1.",
      content: .features)
    scores.processUnits = [.scoreThreshold(0.5)]
    scores.files = [
      AssociatedFile(
        name: "labels.txt", kind: .axisLabels, description: "The five categories, in the order of the scores."
      )
    ]
    var subgraph = ModelMetadata.Subgraph()
    subgraph.inputs = [image(160)]
    subgraph.outputs = [scores]
    metadata.subgraphs = [subgraph]
    return metadata
  }
}
