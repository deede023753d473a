// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
package import FoveaGeometry
import FoveaImage

/// A loaded model that answers requests.
@dynamicMemberLookup
package struct ServedModel: Sendable {
  /// The model's function.
  package enum Engine: Sendable {
    case detector(ObjectDetector)
    case labeler(ImageLabeler)
  }

  package internal(set) var facts: ServedModelFacts
  package let engine: Engine
  /// The model's graph, for callers who prepare and decode themselves.
  package let tensors: TensorModel
  /// The strings that replace the model's file names in errors sent to callers.
  let texts: ModelTexts
  /// The assumptions and changes made when the model was loaded, as `fovea detect` prints them, and a note if
  /// its classes have no names.
  let notes: [Advice]
  /// The statistics of this version so far.
  package let statistics = ModelStatistics()

  /// Returns whether both are the result of the same load, and not just the same bytes loaded again with
  /// other labels or settings, or after an unload.
  func isSameLoad(as other: ServedModel?) -> Bool { statistics === other?.statistics }

  /// The model's facts, such as `name`, `task` and `labels`.
  package subscript<Value>(dynamicMember fact: KeyPath<ServedModelFacts, Value>) -> Value {
    facts[keyPath: fact]
  }
}

extension ServedModel {
  /// Loads a model with one session per image processed at a time, and runs it once, so that the first
  /// request is as fast as later ones.
  static func load(
    _ entry: ModelEntry, _ source: ModelSource, version: Int, with loading: ModelLoading
  ) async throws(FoveaError) -> ServedModel {
    let sessions = min(loading.slots, entry.settings.sessions ?? loading.slots)
    // An image that exceeds its deadline gives up its slot while its session still runs, so that extra
    // sessions may be needed; they are created on demand.
    let spare = entry.settings.sessions == nil ? loading.slots : 0
    let before = loading.heldMemory()
    let inspection = try ModelInspection(of: source, options: entry.settings.options.detector)
    let engine: Engine
    let labels: [String]
    let assumptions: [Advice]
    var keypointSet: KeypointSet?
    if inspection.family == "classifier" {
      var options = try entry.settings.labeler(sessions: sessions + spare)
      options.imageLimits = loading.limits
      let labeler = try await ImageLabeler(model: source, options: options)
      _ = try await labeler.analyze(try greyImage())
      engine = .labeler(labeler)
      assumptions = labeler.assumptions
      labels = inspection.labels.map { $0.displayNames ?? $0.names } ?? []
    } else {
      var options = try entry.settings.detector(sessions: sessions + spare)
      options.imageLimits = loading.limits
      let detector = try await ObjectDetector(model: source, options: options)
      _ = try await detector.analyze(try greyImage())
      engine = .detector(detector)
      assumptions = try await detector.assumptions()
      labels = try await detector.classNames()
      keypointSet = detector.keypointSet
    }
    let sum = inspection.withBytes { SHA256.hexadecimal(of: $0) }
    inspection.model.releasePages()
    return ServedModel(
      facts: ServedModelFacts(
        name: entry.name, version: version, task: inspection.family == "classifier" ? "label" : "detect",
        labels: labels, keypointSet: keypointSet, keypointThreshold: loading.keypointThreshold,
        family: inspection.family ?? "", sha256: sum, byteCount: inspection.byteCount,
        inputShape: inspection.inputs.first?.shape ?? [],
        memory: memory(from: before, to: loading.heldMemory(), file: inspection.byteCount) * sessions),
      engine: engine,
      tensors: TensorModel(
        inspection.model, inputs: inspection.inputs, outputs: inspection.outputs, sessions: sessions + spare
      ),
      texts: ModelTexts(entry, path: source.path),
      notes: assumptions + (inspection.lacksLabels ? [withoutLabels] : []))
  }

  /// The note for a model whose classes have no names.
  private static var withoutLabels: Advice {
    """
    The model has no labels, so its results have class numbers instead of names; give \
    \(term: .option("labels")), or write them into the model with \(term: .addMetadata())
    """
  }

  /// Returns the memory of the first session, in bytes.
  ///
  /// The runtime does not report it, so the growth of the process is used. Other work distorts it, so it is
  /// bounded: at least the weights, which each session packs for itself, and at most a value that does not
  /// depend on the images of other requests.
  private static func memory(from before: Int?, to after: Int?, file: Int) -> Int {
    let growth = before.flatMap { before in after.map { $0 - before } } ?? 0
    return min(max(growth, file), 16 * file + (64 << 20))
  }

  /// Returns a small grey image for the warm-up run.
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

/// The facts about a model that is or was loaded: lists include it even while it is not in memory.
package struct ServedModelFacts: Sendable, Equatable {
  /// The model's name in requests.
  package let name: String
  /// 1 for the first version this process loaded under the name, then 2, 3 and so on.
  package internal(set) var version: Int
  /// "detect" or "label".
  package let task: String
  /// The names of its classes; empty if it has none.
  package let labels: [String]
  /// The names and edges of the keypoints of each object; nil if there are none, or they are unknown.
  package let keypointSet: KeypointSet?
  /// The least score of a keypoint that is drawn.
  package let keypointThreshold: Float
  /// Fovea's name for its kind: a detector's family, or "classifier".
  package let family: String
  package let sha256: String
  package let byteCount: Int
  /// The shape of its input.
  package let inputShape: [Int]
  /// The approximate memory with all its sessions, in bytes.
  package internal(set) var memory: Int

  /// Returns a description of a task.
  static func words(for task: String) -> String { task == "detect" ? "finds objects" : "labels whole images" }
}
#endif
