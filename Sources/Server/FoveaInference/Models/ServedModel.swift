// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// A model that is loaded and answers.
@dynamicMemberLookup
package struct ServedModel: Sendable {
  /// What it does with an image.
  package enum Engine: Sendable {
    case detector(ObjectDetector)
    case labeler(ImageLabeler)
  }

  package internal(set) var facts: ModelFacts
  package let engine: Engine
  /// Its graph, for callers who prepare and decode themselves.
  package let tensors: TensorModel
  /// What callers read where an error names its files.
  let texts: ModelTexts
  /// What was assumed or changed when it was loaded, as `fovea detect` prints it.
  let notes: [Advice]
  /// What this version has done so far.
  package let statistics = ModelStatistics()

  /// Whether this is the other one, not the same bytes loaded another time: with other labels, other settings, or again
  /// after it was given up.
  func isSameLoad(as other: ServedModel?) -> Bool { statistics === other?.statistics }

  /// What is known of it, as `name`, `task` and `labels`.
  package subscript<Value>(dynamicMember fact: KeyPath<ModelFacts, Value>) -> Value { facts[keyPath: fact] }
}

extension ServedModel {
  /// Loads a model, with as many sessions as images may be processed at a time, and runs it once, so that its first
  /// answer is as quick as others.
  static func load(
    _ entry: ModelEntry, _ source: ModelSource, version: Int, with loading: ModelLoading
  ) async throws(FoveaError) -> ServedModel {
    let sessions = min(loading.slots, entry.settings.sessions ?? loading.slots)
    // Those of images that are worked on after their deadline, while others have their slots; made when they are needed.
    let spare = entry.settings.sessions == nil ? loading.slots : 0
    let before = loading.heldMemory()
    let inspection = try ModelInspection(of: source, options: entry.settings.options.detector)
    let engine: Engine
    let labels: [String]
    let notes: [Advice]
    if inspection.family == "classifier" {
      var options = try entry.settings.labeler(sessions: sessions + spare)
      options.imageLimits = loading.limits
      let labeler = try await ImageLabeler(model: source, options: options)
      _ = try await labeler.analyze(try greyImage())
      engine = .labeler(labeler)
      notes = labeler.assumptions
      labels = inspection.labels.map { $0.displayNames ?? $0.names } ?? []
    } else {
      var options = entry.settings.detector(sessions: sessions + spare)
      options.imageLimits = loading.limits
      let detector = try await ObjectDetector(model: source, options: options)
      _ = try await detector.analyze(try greyImage())
      engine = .detector(detector)
      notes = try await detector.assumptions()
      labels = try await detector.classNames()
    }
    let sum = inspection.withBytes { SHA256.hexadecimal(of: $0) }
    inspection.model.releasePages()
    return ServedModel(
      facts: ModelFacts(
        name: entry.name, version: version, task: inspection.family == "classifier" ? "label" : "detect",
        labels: labels, family: inspection.family ?? "", sha256: sum, byteCount: inspection.byteCount,
        inputShape: inspection.inputs.first?.shape ?? [],
        memory: memory(from: before, to: loading.heldMemory(), file: inspection.byteCount) * sessions),
      engine: engine,
      tensors: TensorModel(
        inspection.model, inputs: inspection.inputs, outputs: inspection.outputs, sessions: sessions + spare
      ),
      texts: ModelTexts(entry, path: source.path), notes: notes)
  }

  /// What the first session has taken, in bytes.
  ///
  /// The runtime reports nothing, so this is by how much the process has grown. Other work falsifies it, within bounds:
  /// at least the weights, which each session packs for itself, and at most what images of strangers cannot pass.
  private static func memory(from before: Int?, to after: Int?, file: Int) -> Int {
    let growth = before.flatMap { before in after.map { $0 - before } } ?? 0
    return min(max(growth, file), 16 * file + (64 << 20))
  }

  /// A small image of one grey, for the run that no one waits for.
  private static func greyImage() throws(FoveaError) -> ImageInput {
    let size = PixelSize(width: 64, height: 64)
    do {
      let layout = try PixelLayout(.rgb, size: size)
      return .pixels(try PixelBuffer(layout, bytes: [UInt8](repeating: 128, count: layout.byteCount)))
    } catch {
      throw FoveaError(error)
    }
  }
}

/// What is known of a model that is loaded, or was: lists name it also while it is not in memory.
package struct ModelFacts: Sendable, Equatable {
  /// What calls name it.
  package let name: String
  /// 1 for the first that this process has loaded under the name, then 2, 3 and so on.
  package internal(set) var version: Int
  /// "detect" or "label".
  package let task: String
  /// The names of its classes; empty where it has none.
  package let labels: [String]
  /// What Fovea calls its kind: a detector's family, or "classifier".
  package let family: String
  package let sha256: String
  package let byteCount: Int
  /// The shape of its input.
  package let inputShape: [Int]
  /// About what it takes of the memory with all its sessions, in bytes.
  package internal(set) var memory: Int

  /// A task in words.
  static func words(for task: String) -> String { task == "detect" ? "finds objects" : "labels whole images" }
}
#endif
