// SPDX-License-Identifier: Apache-2.0

import Fovea

/// A request as Fovea's options: model, options of the detector, and tracking.
struct DetectionSettings: Sendable {
  /// The detector.
  private(set) var model = ModelSource.embedded(.localizer)
  private(set) var options = ObjectDetector.Options()
  /// The tracking options; nil for single images.
  private(set) var tracking: FrameSession.Options?
  /// The lowest confidence of a detector's own label: a followed object may be less certain than a new one.
  private(set) var classThreshold: Float = 0
  /// The custom model's path, for errors.
  private var path: String?

  /// The score at which a new object starts in a stream; weaker boxes only keep it alive.
  private static let birthThreshold: Float = 0.5

  /// The largest IoU of two boxes of the base model.
  ///
  /// It is looser than in `fovea detect --model localizer`, so that apps keep getting the same objects.
  private static let localizerIoU = 0.6

  /// - Throws: `invalidArgument` for an unknown mode, and the errors of the custom model.
  init(_ request: DetectionRequest) throws(MLError) {
    var birthThreshold = Self.birthThreshold
    options.suppression.iouThreshold = Self.localizerIoU
    switch request.model {
    case .coarse:
      options.classifier = request.isClassifying ? .automatic : .none
    case .custom(let reference):
      let path = try reference.path()
      self.path = path
      let custom = try CustomModel(path: path, normalization: request.normalization, isExact: request.isExact)
      if custom.isDetector {
        model = custom.source
        options.suppression.iouThreshold = nil
        // A detector's label has the confidence of its box.
        if request.isClassifying, let threshold = request.threshold {
          options.threshold = threshold
          birthThreshold = threshold
          classThreshold = threshold
        }
      } else {
        options.classifier = request.isClassifying ? .model(custom.source) : .none
        if request.isClassifying { options.labelThreshold = request.threshold }
      }
      // These options matter only if the custom model runs.
      if custom.isDetector || request.isClassifying {
        options.locale = request.locale
        options.normalization = request.normalization?.normalization
      }
    }
    options.maxLabels = request.maxLabels
    options.exactArithmetic = request.isExact
    options.reducedSizeDecoding = !request.isExact
    switch request.mode {
    case .singleImage:
      options.singleObject = !request.isMultiple
      if request.isMultiple { options.maxObjects = request.maxObjects }
    case .stream:
      follow(objectLimit: request.isMultiple ? request.maxObjects : 1, birthThreshold: birthThreshold)
    case .unknown(let number):
      throw MLError(
        .invalidArgument, "The detector mode \(number) does not exist",
        remedy: "Use .stream or .singleImage")
    }
  }

  /// Sets the options that `fovea track` sets: the tracker keeps its objects, so the detector passes it more
  /// boxes than are followed, including weak ones.
  private mutating func follow(objectLimit: Int, birthThreshold: Float) {
    var session = FrameSession.Options()
    session.tracking = .stream(threshold: Double(birthThreshold), objectLimit: objectLimit)
    let tracker = session.tracking.tracker.foveaConfiguration
    options.threshold = tracker.map { Float($0.lowScore) } ?? birthThreshold
    if objectLimit > DetectionRequest.defaultMaxObjects { options.maxObjects = objectLimit }
    tracking = session
  }

  /// Returns a loading error that names the custom model, as ML Kit does.
  func named(_ error: MLError) -> MLError { path.map { error.about(model: $0) } ?? error }
}
