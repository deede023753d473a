// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
package import FoveaGeometry
import FoveaHTTP
import HTTPTypes

/// A loaded model that answers requests.
@dynamicMemberLookup
package struct ServedModel: Sendable {
  /// The model's function.
  package enum Engine: Sendable {
    case detector(ObjectDetector)
    case labeler(ImageLabeler)
    case segmenter(ImageSegmenter)
    case embedder(ImageEmbedder)
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
    let task = entry.settings.task(of: inspection)
    let started = try await StartedEngine(
      task, source, inspection, entry.settings, sessions: sessions + spare, loading.limits)
    let sum = inspection.fileChecksum
    inspection.model.releasePages()
    return ServedModel(
      facts: ServedModelFacts(
        name: entry.name, version: version, task: task, labels: started.labels,
        keypointSet: started.keypointSet, keypointThreshold: loading.keypointThreshold,
        dimension: started.dimension, family: family(of: inspection, for: task), sha256: sum,
        byteCount: inspection.fileSize, inputShape: inspection.inputs.first?.shape ?? [],
        memory: memory(from: before, to: loading.heldMemory(), file: inspection.fileSize) * sessions),
      engine: started.engine,
      tensors: TensorModel(
        inspection.model, inputs: inspection.inputs, outputs: inspection.outputs, sessions: sessions + spare
      ),
      texts: ModelTexts(entry, path: source.path),
      notes: started.assumptions + (inspection.lacksLabels && task != .embed ? [withoutLabels] : []))
  }

  /// Returns the name of the model's kind, also for models that the inspection names no family for.
  private static func family(of inspection: ModelInspection, for task: ServedTask) -> String {
    switch task {
    case .segment: ModelKind.segmenterName
    case .embed: inspection.family ?? embedderName
    case .detect, .label: inspection.family ?? ""
    }
  }

  /// The family of models that end in features.
  private static let embedderName = "embedding"

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
}

extension ServedModel {
  private var labels: [String] { facts.labels }

  /// Returns the refusal of the first name that no result of the model has; nil if all are labels.
  ///
  /// Results without a label are called `object` or `class 3`.
  func refusal(of names: [String]) -> Refusal? {
    let names = names.filter { name in
      name != "object" && !(labels.isEmpty && name.hasPrefix("class ") && Int(name.dropFirst(6)) != nil)
    }
    guard let first = names.first, labels.isEmpty else {
      return ClassFilter.error(of: names, among: labels, modelName: self.name)?.refusal
    }
    return Refusal(
      .badRequest, "option-invalid", "'\(first.prefix(80))' is not a label of '\(self.name)', which has none",
      remedy: "Use the names of its classes by number, such as 'class 0'")
  }
}

/// The facts about a model that is or was loaded: lists include it even while it is not in memory.
package struct ServedModelFacts: Sendable, Equatable {
  /// The model's name in requests.
  package let name: String
  /// 1 for the first version this process loaded under the name, then one more for each load of other bytes.
  package internal(set) var version: Int
  package let task: ServedTask
  /// The names of its classes; empty if it has none, or if it computes features.
  package let labels: [String]
  /// The names and edges of the keypoints of each object; nil if there are none, or they are unknown.
  package let keypointSet: KeypointSet?
  /// The least score of a keypoint that is drawn.
  package let keypointThreshold: Float
  /// The number of features of an image; nil for models with other results.
  package internal(set) var dimension: Int?
  /// Fovea's name for its kind: a detector's family, "classifier", "segmentation" or "embedding".
  package let family: String
  package let sha256: String
  package let byteCount: Int
  /// The shape of its input.
  package let inputShape: [Int]
  /// The approximate memory with all its sessions, in bytes.
  package internal(set) var memory: Int
}
#endif
