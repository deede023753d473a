// SPDX-License-Identifier: Apache-2.0

/// What a labeler is asked for: a snapshot of the options, taken when the labeler is made.
///
/// Labelers with equal requests share their model.
package struct LabelingRequest: VisionRequest {
  /// The custom model; nil for the embedded coarse classifier.
  package var model: ModelReference?
  /// The lowest confidence of a label, 0…1; nil takes the model's own, else 0.
  package var threshold: Float?
  /// The most labels.
  package var maxLabels = DetectionRequest.defaultMaxLabels
  /// The locale of label names; nil takes the plain class names.
  package var locale: String?
  /// The normalisation of the custom model's input; nil takes the model's own.
  package var normalization: PixelNormalization?

  /// Whether the custom model sees full-size images and computes as it is stored.
  package var isExact = false

  /// The threshold of the embedded classifier by default, as in ML Kit's own.
  package static let defaultThreshold: Float = 0.5

  /// The defaults.
  package init() {}

  /// The defaults with a model of the caller's.
  package static func custom(_ model: ModelReference) -> LabelingRequest {
    var request = LabelingRequest()
    request.model = model
    return request
  }

  /// The custom model; nil for the embedded one.
  package var customModel: ModelReference? { model }
}
