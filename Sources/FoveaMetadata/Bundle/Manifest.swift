// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// The keys of the two AutoML manifests, `manifest.json` and `tflite_metadata.json`, that are used here.
struct Manifest: Decodable {
  var modelFile: String?
  var labelsFile: String?
  var modelType: String?
  var inferenceType: String?
  var inputShape: [WholeNumber]?
  var inputTensor: String?
  var maxDetections: WholeNumber?
  var outputTensorRepresentation: [String]?
  var outputTensors: [String]?
}

/// A whole number of at most 32 bits; read as a number first, as the decoder's own error for 1.5 names no key.
struct WholeNumber: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let number = try container.decode(Double.self)
    guard let exact = Int32(exactly: number) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected a whole number of at most 32 bits but found \(number)")
    }
    value = Int(exact)
  }
}

/// A manifest and the path of its file, which every error names.
struct ManifestFile {
  let source: String
  let manifest: Manifest

  init(_ source: String) throws(MetadataError) {
    self.source = source
    let bytes = try BundleFiles.contents(of: source)
    do {
      manifest = try UntrustedJSON().decode(Manifest.self, from: bytes[...])
    } catch {
      let message =
        if !error.isMismatch { "is not JSON: \(error.reason)" } else if error.path.isEmpty {
          "is JSON, but not an object"
        } else { "has a wrong value at '\(error.path)': \(error.reason)" }
      throw Self.error(source, message)
    }
  }

  func error(_ message: String) -> MetadataError { Self.error(source, message) }

  private static func error(_ source: String, _ message: String) -> MetadataError {
    MetadataError(.badManifest, "\(source) \(message)", remedy: "Export the model again, or correct the file")
  }
}
