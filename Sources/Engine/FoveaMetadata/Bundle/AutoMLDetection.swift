// SPDX-License-Identifier: Apache-2.0

/// The description of an AutoML object detection model in `tflite_metadata.json`.
///
/// All fields are optional in the file; missing ones are nil or empty.
package struct AutoMLDetection: Sendable, Hashable {
  /// The type of the weights, such as `QUANTIZED_UINT8`.
  package var inferenceType: String?
  /// The shape of the input, `[1, H, W, 3]`.
  package var inputShape: [Int] = []
  /// The name of the input tensor in the graph.
  package var inputTensor: String?
  /// The maximum number of detections; AutoML's default is 40.
  package var maxDetections: Int?
  /// The meaning of each output, in order: `bounding_boxes`, `class_labels`, `class_confidences`,
  /// `num_of_boxes`.
  package var outputTensorRepresentation: [String] = []
  /// The names of the output tensors in the graph, in the same order.
  package var outputTensors: [String] = []

  /// Creates an empty description.
  package init() {}
}

extension AutoMLDetection {
  /// Reads the fields of a parsed `tflite_metadata.json`.
  init(_ file: ManifestFile) throws(MetadataError) {
    let manifest = file.manifest
    inferenceType = manifest.inferenceType
    inputShape = manifest.inputShape ?? []
    inputTensor = manifest.inputTensor
    maxDetections = manifest.maxDetections
    outputTensorRepresentation = manifest.outputTensorRepresentation ?? []
    outputTensors = manifest.outputTensors ?? []
    guard inputShape.allSatisfy({ $0 >= -1 }), maxDetections.map({ $0 > 0 }) ?? true else {
      throw file.error(
        "has inputShape \(inputShape) and maxDetections \(maxDetections ?? 0), which are not sizes")
    }
    let roles = outputTensorRepresentation.count
    guard roles == 0 || outputTensors.isEmpty || roles == outputTensors.count else {
      throw file.error("names \(outputTensors.count) outputTensors, but \(roles) outputTensorRepresentation")
    }
  }
}
