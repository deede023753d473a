// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoundationEssentials
  internal import FoveaErrors

  /// What `manifest.json` in an exported folder says.
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

    /// Whether the bytes are the `manifest.json` that AutoML writes next to a model.
    static func isOfAutoML(_ bytes: [UInt8]) -> Bool {
      struct Members: Decodable {
        var modelFile: String?
        var inferenceType: String?
        var format: Int?
      }
      guard let found = try? JSONDecoder().decode(Members.self, from: Data(bytes)) else { return false }
      return found.format == nil && (found.modelFile != nil || found.inferenceType != nil)
    }

    /// The content of a file.
    /// - Throws: `invalid` for bytes that are no manifest, or one of a newer program.
    package static func read(_ bytes: [UInt8]) throws(HostError) -> HostManifest {
      guard let manifest = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
        throw HostError(
          .invalid, "The manifest.json of the folder cannot be read", remedy: "Export the models again")
      }
      guard manifest.format <= presentFormat else {
        throw HostError(
          .invalid,
          "The manifest has format \(manifest.format), and this program knows format \(presentFormat)",
          remedy: "Use the program that wrote it, or a newer one")
      }
      for model in manifest.models {
        let isGood = model.versions.allSatisfy { version in
          version.number > 0 && HostName.isSHA256(version.sha256)
            // No other path: what a manifest names must not lead out of its folder.
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
