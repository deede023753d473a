// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaLabeling

/// An object found in a picture.
public struct DetectedObject: Sendable, Hashable {
  /// Where it is, in pixels of the unrotated input image, clipped to the image.
  public var box: BoundingBox
  /// How sure the detector is, 0…1.
  public var score: Float
  /// What it is: the detector's class where it has classes, then the classifier's labels, most confident first.
  ///
  /// Empty where there is no classifier or no label reached its threshold.
  public var labels: [Label]
  /// The identity that a tracker gave it; nil in single pictures.
  public var trackID: Int?

  /// Makes an object.
  public init(box: BoundingBox, score: Float, labels: [Label] = [], trackID: Int? = nil) {
    self.box = box
    self.score = score
    self.labels = labels
    self.trackID = trackID
  }
}
