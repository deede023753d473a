// SPDX-License-Identifier: Apache-2.0

/// The request to a labeler: a snapshot of the options, taken when the labeler is created.
///
/// Labelers with equal requests share their model.
package struct LabelingRequest: VisionRequest {
  /// The custom model; nil for the embedded coarse classifier.
  package var model: ModelReference?
  /// The lowest confidence of a label, 0…1; nil uses the model's own, else 0.
  package var threshold: Float?
  /// The largest number of labels.
  package var maxLabels = DetectionRequest.defaultMaxLabels
  /// The locale of label names; nil uses the plain class names.
  package var locale: String?
  /// The normalisation of the custom model's input; nil uses the model's own.
  package var normalization: PixelNormalization?

  /// Whether the custom model gets full-size images and computes in its stored precision.
  package var isExact = false

  /// The default threshold of the embedded classifier, as in ML Kit.
  package static let defaultThreshold: Float = 0.5

  /// Creates a request with the defaults.
  package init() {}

  /// Returns a request with the defaults and a custom model.
  package static func custom(_ model: ModelReference) -> LabelingRequest {
    var request = LabelingRequest()
    request.model = model
    return request
  }

  /// The custom model; nil for the embedded one.
  package var customModel: ModelReference? { model }
}
