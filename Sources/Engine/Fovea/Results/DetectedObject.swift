// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaGeometry

/// An object found in an image.
public struct DetectedObject: Sendable, Hashable {
  /// Where it is, in pixels of the unrotated input image, clipped to the image.
  public var box: BoundingBox
  /// How sure the detector is, 0…1.
  public var score: Float
  /// What it is: the detector's class where it has classes, then the classifier's labels, most confident first.
  ///
  /// Empty where there is no classifier or no label reached its threshold.
  public var labels: [Label]
  /// The identity that a tracker gave it; nil in single images.
  public var trackingID: Int?
  /// The places that the detector names on the object, in its own order, in pixels of the unrotated input image; they may
  /// lie outside of it.
  ///
  /// For a face of `mediapipe-face` right eye, left eye, tip of the nose, middle of the mouth, right ear and left ear; for a
  /// palm of `mediapipe-palm` seven joints. Empty for other families, and in frames in which the object was only moved
  /// with the image.
  public var keypoints: [PixelPoint]

  /// Makes an object.
  public init(
    box: BoundingBox, score: Float, labels: [Label] = [], trackingID: Int? = nil, keypoints: [PixelPoint] = []
  ) {
    self.box = box
    self.score = score
    self.labels = labels
    self.trackingID = trackingID
    self.keypoints = keypoints
  }

  /// Maps box and keypoints to the pixels of the upright image.
  /// - Parameters:
  ///   - orientation: How the stored image must be rotated to be upright.
  ///   - stored: The size of the stored image.
  /// - Returns: The same object in pixels of the upright image.
  public func upright(_ orientation: Orientation, stored: PixelSize) -> DetectedObject {
    var object = self
    object.box = orientation.uprightBox(fromStored: box, stored: stored)
    object.keypoints = keypoints.map { orientation.uprightPoint(fromStored: $0, stored: stored) }
    return object
  }
}
