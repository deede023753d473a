// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// The worker of a model after its first run, with the facts that only the worker has.
struct StartedEngine: Sendable {
  let engine: ServedModel.Engine
  let assumptions: [Advice]
  var labels: [String] = []
  var keypointSet: KeypointSet?
  /// The number of features; nil for models with other results.
  var dimension: Int?

  /// Creates the worker for a task, and runs it once on a grey image.
  /// - Throws: The worker's error for a model that it cannot use; `option-invalid` for a setting that does
  ///   not apply to it.
  init(
    _ task: ServedTask, _ source: ModelSource, _ inspection: ModelInspection, _ settings: ModelSettings,
    sessions: Int, _ limits: ImageLimits
  ) async throws(FoveaError) {
    let grey = try ImageInput.grey()
    switch task {
    case .detect:
      var options = try settings.detector(sessions: sessions)
      options.imageLimits = limits
      let detector = try await ObjectDetector(model: source, options: options)
      _ = try await detector.analyze(grey)
      engine = .detector(detector)
      assumptions = try await detector.assumptions()
      labels = try await detector.classNames()
      keypointSet = detector.keypointSet
    case .label:
      var options = try settings.labeler(sessions: sessions)
      options.imageLimits = limits
      let labeler = try await ImageLabeler(model: source, options: options)
      _ = try await labeler.analyze(grey)
      engine = .labeler(labeler)
      assumptions = labeler.assumptions
      labels = inspection.labels.map { $0.displayNames ?? $0.names } ?? []
    case .segment:
      var options = try settings.segmenter(sessions: sessions)
      options.imageLimits = limits
      let segmenter = try await ImageSegmenter(model: source, options: options)
      _ = try await segmenter.analyze(grey)
      engine = .segmenter(segmenter)
      assumptions = segmenter.assumptions
      labels = segmenter.labels
    case .embed:
      var options = try settings.embedder(sessions: sessions)
      options.imageLimits = limits
      let embedder = try await ImageEmbedder(model: source, options: options)
      _ = try await embedder.analyze(grey)
      engine = .embedder(embedder)
      assumptions = embedder.assumptions
      dimension = embedder.dimension
    }
  }
}
#endif
