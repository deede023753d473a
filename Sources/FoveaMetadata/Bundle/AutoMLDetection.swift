// SPDX-License-Identifier: Apache-2.0

/// What `tflite_metadata.json` says of an AutoML object detection model.
///
/// Every part is optional in the file; what is missing is nil or empty here.
public struct AutoMLDetection: Sendable, Hashable {
  /// The type of the weights, for example `QUANTIZED_UINT8`.
  public var inferenceType: String?
  /// The shape of the input, `[1, H, W, 3]`.
  public var inputShape: [Int] = []
  /// The name of the input tensor in the graph.
  public var inputTensor: String?
  /// The most objects that the model gives; 40 where AutoML left its default.
  public var maxDetections: Int?
  /// What each output is, in order: `bounding_boxes`, `class_labels`, `class_confidences`, `num_of_boxes`.
  public var outputTensorRepresentation: [String] = []
  /// The names of the output tensors in the graph, in the same order.
  public var outputTensors: [String] = []

  /// Makes an empty description.
  public init() {}
}

extension AutoMLDetection {
  /// Takes what is known from a parsed `tflite_metadata.json`.
  init(_ members: [String: JSONValue], source: String) throws(MetadataError) {
    let file = ManifestMembers(members: members, source: source)
    inferenceType = try file.value("inferenceType", "a text", \.string)
    inputShape = try file.value("inputShape", "a list of whole numbers", \.integers) ?? []
    inputTensor = try file.value("inputTensor", "a text", \.string)
    maxDetections = try file.value("maxDetections", "a whole number", \.integer)
    outputTensorRepresentation =
      try file.value("outputTensorRepresentation", "a list of texts", \.strings) ?? []
    outputTensors = try file.value("outputTensors", "a list of texts", \.strings) ?? []
    guard inputShape.allSatisfy({ $0 >= -1 }), maxDetections.map({ $0 > 0 }) ?? true else {
      throw file.error("has inputShape \(inputShape) and maxDetections \(maxDetections ?? 0), not sizes")
    }
    let roles = outputTensorRepresentation.count
    guard roles == 0 || outputTensors.isEmpty || roles == outputTensors.count else {
      throw file.error("names \(outputTensors.count) outputTensors, but \(roles) outputTensorRepresentation")
    }
  }
}

/// The members of a manifest, with errors that name file and key.
struct ManifestMembers {
  let members: [String: JSONValue]
  let source: String

  /// The value of a key, nil where it is absent or null; a value of another type is an error.
  func value<Value>(
    _ key: String, _ expected: String, _ convert: (JSONValue) -> Value?
  ) throws(MetadataError) -> Value? {
    guard let value = members[key], value != .null else { return nil }
    guard let converted = convert(value) else {
      throw error("has \(value.kind) as '\(key)'; expected \(expected)")
    }
    return converted
  }

  func error(_ message: String) -> MetadataError {
    MetadataError(.badManifest, "\(source) \(message)", remedy: "Export the model again, or correct the file")
  }
}
