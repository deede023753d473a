// SPDX-License-Identifier: Apache-2.0

/// The request to a detector: a snapshot of the options, taken when the detector is created.
///
/// Detectors with equal requests share their models and, in stream mode, the identities of objects.
package struct DetectionRequest: VisionRequest {
  /// The models that find and label objects.
  package enum Model: Sendable, Hashable {
    /// The embedded localizer and the coarse classifier.
    case coarse
    /// A classifier for the objects that the embedded localizer finds, or a detector.
    case custom(ModelReference)
  }

  /// The relation between successive images.
  package enum Mode: Sendable, Hashable {
    /// Independent images.
    case singleImage
    /// Frames of one stream, with identities.
    case stream
    /// An unknown mode number.
    case unknown(Int)
  }

  /// The models that find and label objects.
  package var model = Model.coarse
  /// The relation between successive images.
  package var mode = Mode.stream
  /// Whether objects get labels.
  package var isClassifying = false
  /// Whether all objects are reported, and not only the most prominent one.
  package var isMultiple = false
  /// The largest number of objects, if all are reported.
  package var maxObjects = DetectionRequest.defaultMaxObjects
  /// The lowest confidence of a label, 0…1; nil uses the model's own, else 0.
  package var threshold: Float?
  /// The largest number of labels per object.
  package var maxLabels = DetectionRequest.defaultMaxLabels
  /// The locale of label names; nil uses the plain class names.
  package var locale: String?
  /// The normalisation of the custom model's input; nil uses the model's own.
  package var normalization: PixelNormalization?

  /// Whether the custom model gets full-size images and computes in its stored precision.
  package var isExact = false

  /// The default limit of objects, as in ML Kit.
  package static let defaultMaxObjects = 5
  /// The highest limit of objects, the most that the tracker can follow.
  package static let largestMaxObjects = 100_000
  /// The default limit of labels, as in ML Kit.
  package static let defaultMaxLabels = 10

  /// Creates a request with the defaults.
  package init() {}

  /// Returns a request with the defaults and a custom model.
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
