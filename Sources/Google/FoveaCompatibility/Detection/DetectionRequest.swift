// SPDX-License-Identifier: Apache-2.0

/// What a detector is asked for: a snapshot of the options, taken when the detector is made.
///
/// Detectors with equal requests share their models and, in stream mode, the identities of objects.
package struct DetectionRequest: VisionRequest {
  /// Which models find and label objects.
  package enum Model: Sendable, Hashable {
    /// The embedded localizer and the coarse classifier.
    case coarse
    /// A classifier for what the embedded localizer finds, or a detector.
    case custom(ModelReference)
  }

  /// How images belong together.
  package enum Mode: Sendable, Hashable {
    /// Each image for itself.
    case singleImage
    /// Frames of one stream, with identities.
    case stream
    /// A number that is no mode.
    case unknown(Int)
  }

  /// Which models find and label objects.
  package var model = Model.coarse
  /// How images belong together.
  package var mode = Mode.stream
  /// Whether objects get labels.
  package var isClassifying = false
  /// Whether all objects are reported, and not only the most prominent one.
  package var isMultiple = false
  /// The most objects where all are reported.
  package var maxObjects = DetectionRequest.defaultMaxObjects
  /// The lowest confidence of a label, 0…1; nil takes the model's own, else 0.
  package var threshold: Float?
  /// The most labels of an object.
  package var maxLabels = DetectionRequest.defaultMaxLabels
  /// The locale of label names; nil takes the plain class names.
  package var locale: String?
  /// The normalisation of the custom model's input; nil takes the model's own.
  package var normalization: PixelNormalization?

  /// Whether the custom model sees full-size images and computes as it is stored.
  package var isExact = false

  /// The most objects by default, as in ML Kit.
  package static let defaultMaxObjects = 5
  /// The largest number of objects that can be asked for, which is as many as the tracker follows.
  package static let largestMaxObjects = 100_000
  /// The most labels by default, as in ML Kit.
  package static let defaultMaxLabels = 10

  /// The defaults.
  package init() {}

  /// The defaults with a model of the caller's.
  package static func custom(_ model: ModelReference) -> DetectionRequest {
    var request = DetectionRequest()
    request.model = .custom(model)
    return request
  }

  /// The custom model; nil for the embedded ones.
  package var customModel: ModelReference? {
    if case .custom(let reference) = model { reference } else { nil }
  }
}
