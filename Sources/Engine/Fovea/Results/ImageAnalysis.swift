// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaGeometry

/// The time that each stage took for one image.
///
/// Zero for a stage that did not run.
public struct StageTimings: Sendable, Hashable {
  /// Opening the file and decoding its pixels.
  public var decode: Duration = .zero
  /// Cropping, resizing, rotating and normalising into the models' input tensors.
  public var prepare: Duration = .zero
  /// Running the detector, segmenter or embedder and decoding its output.
  public var detect: Duration = .zero
  /// Running the classifier (on each object's crop, or on the whole image) and decoding its output.
  public var classify: Duration = .zero
  /// From opening the file to the result; waiting for a free session is not counted.
  public var total: Duration = .zero

  /// Creates timings of zero.
  public init() {}
}

/// The objects that a detector found in one image, with the size and orientation that their boxes refer to.
public struct DetectionResult: Sendable, Hashable {
  /// The size of the stored (unrotated) image, in pixels; boxes refer to it.
  public var size: PixelSize
  /// The rotation that makes the stored image upright.
  public var orientation: Orientation
  /// The objects, best score first.
  public var objects: [DetectedObject]
  /// The time that each stage took.
  public var timings: StageTimings
  /// Problems with the file, each a sentence without the full stop; empty for a sound one.
  public var notes: [String] = []
}

/// The labels that a labeler found for one image.
public struct LabelingResult: Sendable, Hashable {
  /// The size of the stored (unrotated) image, in pixels.
  public var size: PixelSize
  /// The rotation that makes the stored image upright.
  public var orientation: Orientation
  /// The labels, most confident first.
  public var labels: [Label]
  /// The time that each stage took.
  public var timings: StageTimings
  /// Problems with the file, each a sentence without the full stop; empty for a sound one.
  public var notes: [String] = []
}

/// The map that a segmenter made of one image.
public struct SegmentationResult: Sendable, Hashable {
  /// The size of the stored (unrotated) image, in pixels; the map refers to it.
  public var size: PixelSize
  /// The rotation that makes the stored image upright.
  public var orientation: Orientation
  /// The class of each part of the image.
  public var map: SegmentationMap
  /// The time that each stage took.
  public var timings: StageTimings
  /// Problems with the file, each a sentence without the full stop; empty for a sound one.
  public var notes: [String] = []
}
