// SPDX-License-Identifier: Apache-2.0
#if Server
  package import Fovea
  internal import FoveaGeometry
  internal import FoveaImage
  internal import FoveaSystem

  /// A model that is loaded and answers.
  package struct ServedModel: Sendable {
    /// What it does with an image.
    package enum Engine: Sendable {
      case detector(ObjectDetector)
      case labeler(ImageLabeler)
    }

    /// What calls name it.
    package let name: String
    /// 1 for the first that this process has loaded under the name, then 2, 3 and so on.
    package let version: Int
    package let engine: Engine
    /// Its graph, for callers who prepare and decode themselves.
    package let tensors: TensorModel
    /// The names of its classes; empty where it has none.
    package let labels: [String]
    /// What Fovea calls its kind: a detector's family, or "classifier".
    package let family: String
    package let sha256: String
    package let byteCount: Int
    /// The shape of its input.
    package let inputShape: [Int]

    /// "detect" or "label".
    package var task: String {
      switch engine {
      case .detector: "detect"
      case .labeler: "label"
      }
    }
  }

  extension ServedModel {
    /// Loads a model, with a session for each slot, and runs it once, so that its first answer is as quick as others.
    static func load(
      _ name: String, _ source: ModelSource, version: Int, slots: Int, limits: ImageLimits
    ) async throws(FoveaError) -> ServedModel {
      let inspection = try ModelInspection(of: source)
      let isClassifier = inspection.family == "classifier"
      let engine: Engine
      let labels: [String]
      if isClassifier {
        var options = ImageLabeler.Options()
        options.sessions = slots
        options.threads = 1
        options.imageLimits = limits
        let labeler = try await ImageLabeler(model: source, options: options)
        _ = try await labeler.analyze(try greyImage())
        engine = .labeler(labeler)
        labels = inspection.labels.map { $0.displayNames ?? $0.names } ?? []
      } else {
        var options = ObjectDetector.Options()
        options.sessions = slots
        options.threads = 1
        options.imageLimits = limits
        let detector = try await ObjectDetector(model: source, options: options)
        _ = try await detector.analyze(try greyImage())
        engine = .detector(detector)
        labels = try await detector.classNames()
      }
      let sum = inspection.withBytes { SHA256.hexadecimal(of: $0) }
      return ServedModel(
        name: name, version: version, engine: engine,
        tensors: TensorModel(
          inspection.model, inputs: inspection.inputs, outputs: inspection.outputs, sessions: slots),
        labels: labels, family: inspection.family ?? "",
        sha256: sum,
        byteCount: inspection.byteCount, inputShape: inspection.inputs.first?.shape ?? [])
    }

    /// A small image of one grey, for the run that no one waits for.
    private static func greyImage() throws(FoveaError) -> ImageInput {
      let size = PixelSize(width: 64, height: 64)
      do {
        let layout = try PixelLayout(.rgb, size: size)
        return .pixels(
          try PixelBuffer(layout, bytes: [UInt8](repeating: 128, count: layout.byteCount)))
      } catch {
        throw FoveaError(error)
      }
    }
  }
#endif
