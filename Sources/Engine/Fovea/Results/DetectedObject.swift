// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaGeometry

/// An object found in an image.
public struct DetectedObject: Sendable, Hashable {
  /// The box, in pixels of the unrotated input image, clipped to the image.
  public var box: BoundingBox
  /// The detector's score for the object, 0…1.
  public var score: Float
  /// The labels: the detector's class if it has classes, then the classifier's labels, most confident first.
  ///
  /// Empty if there is no classifier or no label reached its threshold.
  public var labels: [Label]
  /// The identity from a tracker; nil in single images.
  public var trackingID: Int?
  /// The keypoints of the object, in the detector's order, in pixels of the unrotated input image; they may
  /// lie outside it.
  ///
  /// ``ObjectDetector/keypointSet`` has their names. Empty for families without keypoints. In frames in which
  /// the object was only moved with the image, the last points move with the box.
  public var keypoints: [PixelPoint]
  /// The probability of each keypoint to be visible, 0…1, as many as ``keypoints``; empty for models without
  /// them.
  public var keypointScores: [Float]
  /// The shape of the object, in pixels of the unrotated input image, within ``box``; nil for families
  /// without masks.
  ///
  /// In frames in which the object was only moved with the image, the last shape moves with the box.
  public var mask: ObjectMask?
  /// The rotated box of the object, in pixels of the unrotated input image; nil for families without rotated
  /// boxes.
  ///
  /// ``box`` is the upright box around it, clipped to the image; the corners may lie outside. In frames in
  /// which the object was only moved with the image, the last one moves with the box.
  public var orientedBox: OrientedBox?
  /// The depths and other values of the keypoints that a landmark model found; nil for other keypoints.
  package var landmarkDetails: LandmarkDetails?
  /// The square that the landmark model reads, in pixels of the upright image; nil in results.
  var square: OrientedBox?
  /// The filters of the points over the frames of a video; nil in results, and if they are not smoothed.
  var smoother: LandmarkSmoother?

  /// Creates an object.
  public init(
    box: BoundingBox, score: Float, labels: [Label] = [], trackingID: Int? = nil,
    keypoints: [PixelPoint] = [], keypointScores: [Float] = [], mask: ObjectMask? = nil,
    orientedBox: OrientedBox? = nil
  ) {
    self.box = box
    self.score = score
    self.labels = labels
    self.trackingID = trackingID
    self.keypoints = keypoints
    self.keypointScores = keypointScores
    self.mask = mask
    self.orientedBox = orientedBox
  }

  /// Maps the object's places to the pixels of the upright image.
  /// - Parameters:
  ///   - orientation: The rotation that makes the stored image upright.
  ///   - stored: The size of the stored image.
  /// - Returns: The same object in pixels of the upright image.
  public func upright(_ orientation: Orientation, stored: PixelSize) -> DetectedObject {
    var object = self
    object.box = orientation.uprightBox(fromStored: box, stored: stored)
    object.keypoints = keypoints.map { orientation.uprightPoint(fromStored: $0, stored: stored) }
    object.mask = mask.map { orientation.uprightMask(fromStored: $0, stored: stored) }
    object.orientedBox = orientedBox.map { orientation.uprightBox(fromStored: $0, stored: stored) }
    object.landmarkDetails?.mapAxes { orientation.uprightPoint(fromStored: $0, stored: stored) }
    return object
  }

  /// Sets the shape and the keypoints to those of another object, moved as that object's box becomes `box`.
  mutating func moveShape(of object: DetectedObject, to box: BoundingBox) {
    keypoints = object.keypoints.map { $0.moved(from: object.box, to: box) }
    keypointScores = object.keypointScores
    landmarkDetails = object.landmarkDetails
    mask = object.mask?.moved(from: object.box, to: box)
    orientedBox = object.orientedBox?.moved(from: object.box, to: box)
  }
}

extension [DetectedObject] {
  /// Returns the objects by descending score, equal scores in their order.
  func byScore() -> [DetectedObject] {
    enumerated().sorted { first, second in
      let (a, b) = (first.element.score, second.element.score)
      return a == b ? first.offset < second.offset : a > b
    }.map(\.element)
  }
}
