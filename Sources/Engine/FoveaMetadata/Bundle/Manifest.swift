// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The used keys of the two AutoML manifests, `manifest.json` and `tflite_metadata.json`.
struct Manifest: Equatable {
  var modelFile: String?
  var labelsFile: String?
  var modelType: String?
  var inferenceType: String?
  var inputShape: [Int]?
  var inputTensor: String?
  var maxDetections: Int?
  var outputTensorRepresentation: [String]?
  var outputTensors: [String]?
  /// The keys with strings that are not used, in the order of their names.
  var otherTexts: [String] = []

  /// Reads a manifest.
  /// - Throws: `JSONFailure`: `mismatch` for a value of another kind, another kind of failure for text that
  ///   is not JSON.
  init(_ bytes: [UInt8], name: String) throws(JSONFailure) {
    let json = try ManifestValues(bytes, name: name)
    modelFile = try json.text("modelFile")
    labelsFile = try json.text("labelsFile")
    modelType = try json.text("modelType")
    inferenceType = try json.text("inferenceType")
    inputShape = try json.wholeNumbers("inputShape")
    inputTensor = try json.text("inputTensor")
    maxDetections = try json.wholeNumber("maxDetections")
    outputTensorRepresentation = try json.texts("outputTensorRepresentation")
    outputTensors = try json.texts("outputTensors")
    otherTexts = json.textKeys.filter { !["modelFile", "labelsFile", "modelType"].contains($0) }
  }
}

/// A manifest and the path of its file, which every error names.
struct ManifestFile {
  let source: String
  let manifest: Manifest

  init(_ source: String) throws(MetadataError) {
    self.source = source
    let bytes = try BundleFiles.contents(of: source)
    do throws(JSONFailure) { manifest = try Manifest(bytes, name: source) } catch {
      throw Self.error(source, error.kind == .mismatch ? error.reason : "is not JSON: \(error.reason)")
    }
  }

  func error(_ message: String) -> MetadataError { Self.error(source, message) }

  /// Verifies that no unused key is a misspelt name of a file that the manifest does not have.
  /// - Parameters:
  ///   - key: The name of the file.
  ///   - value: Its value; nil if it is missing.
  /// - Throws: `badManifest`.
  func checkSpelling(of key: String, _ value: String?) throws(MetadataError) {
    guard value == nil else { return }
    for other in manifest.otherTexts where !NameDistance.nearest(to: other, among: [key]).isEmpty {
      throw error("has the unknown member '\(String(other.prefix(40)).printable)'; did you mean '\(key)'?")
    }
  }

  private static func error(_ source: String, _ message: String) -> MetadataError {
    MetadataError(.badManifest, "\(source) \(message)", remedy: "Export the model again, or correct the file")
  }
}
