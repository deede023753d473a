// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaTesting

/// Damaged models, used as by a user: inspected, and detecting or labelling an image.
struct ModelFuzz {
  enum Kind: String, Codable, CaseIterable, Sendable {
    /// All bytes of small models.
    case bytes
    /// The graph of small models: shapes, tensors of operators, options, quantisation, constants.
    case graph
    /// The same for the model that is rewritten to int8.
    case rewritten
    /// Metadata and archive of small models that have both.
    case metadata
    /// Folders: manifests, label files, the model itself.
    case folder
    /// The graph of models with quirks: signatures of other tensors, one scale for many channels.
    case wild
    /// The graph of the embedded models, and of the shared ones if they exist.
    case real
    /// Their metadata and archives.
    case realMetadata

    /// The factor by which one takes longer than the small models.
    var cost: Int { self == .real || self == .realMetadata ? 10 : 1 }

    var parts: [ModelSites.Part] {
      switch self {
      case .metadata, .realMetadata: [.metadata, .archive]
      default: ModelSites.Part.allCases.filter { $0 != .metadata && $0 != .archive }
      }
    }
  }

  let kind: Kind
  private let corpus: [FuzzModels.Entry]
  private let folder: ModelTestFolderBox
  private let image: ImageInput

  private init(_ kind: Kind) throws {
    self.kind = kind
    corpus = try FuzzModels.entries(kind)
    folder = try ModelTestFolderBox()
    image = .data(try AnchoredDetectorTests.blocks.png(), name: "blocks.png")
  }

  /// Runs a batch in this process and prints the outcomes.
  static func run(_ kind: Kind, _ batch: FuzzBatch) async {
    do {
      let fuzz = try ModelFuzz(kind)
      await batch.run(kind.rawValue) { seed in try await fuzz.run(seed) }
    } catch {
      print("failed \(error)")
    }
  }

  private func run(_ seed: UInt64) async throws -> String {
    var mutator = ModelMutator(seed: seed, parts: kind.parts)
    let entry = corpus[mutator.below(corpus.count)]
    var bytes = entry.bytes
    var files = entry.files
    switch kind {
    case .bytes:
      for _ in 0...mutator.below(4) { mutator.damage(&bytes, corpus.map(\.bytes)) }
    case .folder where mutator.below(4) > 0:
      let file = mutator.below(files.count)
      for _ in 0...mutator.below(3) { mutator.damage(&files[file].contents, entry.files.map(\.contents)) }
    default: bytes = mutator.mutated(bytes, try entry.sites.get())
    }
    let name = "\(kind)-\(seed)"
    let path = try write(bytes, files, name)
    defer { if FuzzBatch.keep == nil { try? FileManager.default.removeItem(atPath: path) } }
    return try await use(path)
  }

  /// Writes the model, or its folder.
  private func write(_ bytes: [UInt8], _ files: [FuzzModels.File], _ name: String) throws -> String {
    let place = (FuzzBatch.keep ?? folder.path) + "/" + name
    guard !files.isEmpty else {
      try Data(bytes).write(to: URL(fileURLWithPath: place + ".tflite"))
      return place + ".tflite"
    }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for file in files + [FuzzModels.File(name: "model.tflite", contents: bytes)] {
      try Data(file.contents).write(to: URL(fileURLWithPath: place + "/" + file.name))
    }
    return place
  }

  /// Uses the model and returns the outcome: the code of the error, or "ok".
  private func use(_ path: String) async throws -> String {
    let source = ModelSource.file(path)
    do throws(FoveaError) {
      _ = try ModelInspection(of: source)
    } catch {
      try check(error, path)
    }
    do throws(FoveaError) {
      var options = ObjectDetector.Options()
      options.threads = 1
      let objects = try await ObjectDetector(model: source, options: options).detect(in: image)
      for object in objects {
        let sides = [object.box.minX, object.box.minY, object.box.maxX, object.box.maxY]
        guard sides.allSatisfy(\.isFinite), object.score.isFinite else {
          throw FoveaError(.init(rawValue: "not-finite"), "\(object)", remedy: "")
        }
      }
      return "ok"
    } catch {
      try check(error, path)
      guard !["model-invalid", "model-unsupported"].contains(error.code.rawValue) else {
        return error.code.rawValue
      }
    }
    do throws(FoveaError) {
      var options = ImageLabeler.Options()
      options.threads = 1
      _ = try await ImageLabeler(model: source, options: options).labels(in: image)
      return "ok-label"
    } catch {
      try check(error, path)
      return error.code.rawValue
    }
  }

  /// An error must name the file, the problem and the remedy.
  private func check(_ error: FoveaError, _ path: String) throws {
    guard !error.message.isEmpty, !error.remedy.description.isEmpty, error.code.rawValue != "unexpected",
      error.description.contains(path)
    else { throw FuzzFailure("an error without file, reason or remedy: \(error)") }
  }
}

/// A folder that exists as long as the object.
private final class ModelTestFolderBox {
  private let folder: TemporaryFolder
  var path: String { folder.path }
  init() throws { folder = try TemporaryFolder() }
}
