// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaCore

/// The content of `manifest.json` in an exported folder.
package struct HostManifest: Sendable, Codable, Equatable {
  package struct Version: Sendable, Codable, Equatable {
    package var number: Int
    /// The path of the file in the folder: `NAME.tflite` or `NAME/NUMBER.tflite`.
    package var file: String
    package var sha256: String
    package var size: Int64
    package var created: Timestamp
    package var author: String
    package var notes: String
  }

  package struct Model: Sendable, Codable, Equatable {
    package var name: String
    package var tags: [String]
    package var channels: [String: Int]
    package var versions: [Version]
  }

  package static let presentFormat = 1

  package var format = HostManifest.presentFormat
  package var project: String
  package var models: [Model]

  package init(project: String, models: [Model]) {
    self.project = project
    self.models = models
  }

  /// A `manifest.json` that does not belong to an export, such as the `manifest.json` that AutoML writes next
  /// to a model.
  struct OfAutoML: Decodable {
    var modelFile: String?
    var labelsFile: String?
    private var inferenceType: String?
    private var format: Int?

    /// Nil for anything but a JSON object, and for the manifest of an export.
    init?(_ bytes: [UInt8]) {
      guard let found = try? JSONValue.decode(Self.self, from: bytes), found.format == nil else { return nil }
      self = found
    }

    /// Whether AutoML has written it.
    var isCertain: Bool { modelFile != nil || inferenceType != nil }
  }

  /// Reads the content of a file.
  /// - Throws: `invalid` if it is not a manifest, or comes from a newer program.
  package static func read(_ bytes: [UInt8]) throws(HostError) -> HostManifest {
    guard let manifest = try? JSONValue.decode(Self.self, from: bytes) else {
      throw HostError(
        .invalid, "The folder's manifest.json is damaged, or does not belong to an export",
        remedy: "Export the models again, or remove the file to import each NAME.tflite as a model")
    }
    guard manifest.format <= presentFormat else {
      throw HostError(
        .invalid,
        "The manifest has format \(manifest.format); this program supports format \(presentFormat)",
        remedy: "Use the program that wrote it, or a newer one")
    }
    for model in manifest.models {
      let isGood = model.versions.allSatisfy { version in
        version.number > 0 && version.sha256.isSHA256
          // No other path is allowed: files of a manifest must not be outside its folder.
          && [model.name + ".tflite", "\(model.name)/\(version.number).tflite"].contains(version.file)
      }
      guard HostName.isName(model.name), isGood else {
        throw HostError(
          .invalid,
          "The manifest has a model \(HostName.shown(model.name)) with a name or file that is not allowed",
          remedy: "Export the models again")
      }
    }
    return manifest
  }

  package func bytes() throws(HostError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw HostError(.inner, "The manifest cannot be written as JSON", remedy: "Report it with this text")
    }
    return Array(data) + [0x0A]
  }
}
#endif
