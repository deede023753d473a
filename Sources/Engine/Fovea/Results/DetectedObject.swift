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
  /// For a face of `mediapipe-face`: right eye, left eye, tip of the nose, middle of the mouth, right ear and
  /// left ear; for a palm of `mediapipe-palm`: seven joints. Empty for other families, and in frames in which
  /// the object was only moved with the image.
  public var keypoints: [PixelPoint]

  /// Creates an object.
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
  ///   - orientation: The rotation that makes the stored image upright.
  ///   - stored: The size of the stored image.
  /// - Returns: The same object in pixels of the upright image.
  public func upright(_ orientation: Orientation, stored: PixelSize) -> DetectedObject {
    var object = self
    object.box = orientation.uprightBox(fromStored: box, stored: stored)
    object.keypoints = keypoints.map { orientation.uprightPoint(fromStored: $0, stored: stored) }
    return object
  }
}
