// SPDX-License-Identifier: Apache-2.0

public import FoveaMetadata

/// What is known of a detector besides its tensors and its metadata: by its graph, its files, and its caller.
///
/// Everything may be missing. What a family cannot do without is an error that says which option gives it.
public struct DetectorHints: Sendable, Hashable {
  /// The names of the classes, in the model's order.
  public var labels: LabelMap?
  /// What the graph does last with each output, by the tensor's name; nil where the graph was not read.
  public var activations: [String: OutputActivation]?
  /// What the model's post-processing operator is set to.
  public var postProcess: PostProcessOptions?
  /// The calibration of the scores.
  public var calibration: ScoreCalibration?
  /// What `tflite_metadata.json` says, for a model out of AutoML.
  public var autoML: AutoMLDetection?
  /// What the caller says the scores need.
  public var scores: ScoreActivation?
  /// Whether the caller says that the first score of a row is the background's.
  public var hasBackground: Bool?
  /// What the exporter describes the model for: `detect`, `segment`, `pose` or `obb`; nil where it is not described.
  package var task: String?

  /// Makes hints that say nothing.
  public init() {}
}
