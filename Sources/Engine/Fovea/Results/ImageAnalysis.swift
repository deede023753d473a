// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaGeometry

/// How long each stage took for one image.
///
/// A stage that did not run took no time.
public struct StageTimings: Sendable, Hashable {
  /// Opening the file and decoding its pixels.
  public var decode: Duration = .zero
  /// Cropping, resizing, turning and normalising into the models' input tensors.
  public var prepare: Duration = .zero
  /// Running the detector and decoding its output.
  public var detect: Duration = .zero
  /// Running the classifier (on each object's crop, or on the whole image) and decoding its output.
  public var classify: Duration = .zero
  /// From opening the file to the answer; waiting for a free session is not counted.
  public var total: Duration = .zero

  /// No time at all.
  public init() {}
}

/// What a detector found in one image, with what is needed to interpret it.
public struct DetectionResult: Sendable, Hashable {
  /// The size of the stored (unrotated) image, in pixels; boxes refer to it.
  public var size: PixelSize
  /// How the stored image must be rotated to be upright.
  public var orientation: Orientation
  /// The objects, best score first.
  public var objects: [DetectedObject]
  /// How long each stage took.
  public var timings: StageTimings
  /// What the user should know of the file, a sentence each without the final stop; empty for a sound one.
  public var notes: [String] = []
}

/// What a labeler found in one image.
public struct LabelingResult: Sendable, Hashable {
  /// The size of the stored (unrotated) image, in pixels.
  public var size: PixelSize
  /// How the stored image must be rotated to be upright.
  public var orientation: Orientation
  /// The labels, most confident first.
  public var labels: [Label]
  /// How long each stage took.
  public var timings: StageTimings
  /// What the user should know of the file, a sentence each without the final stop; empty for a sound one.
  public var notes: [String] = []
}
