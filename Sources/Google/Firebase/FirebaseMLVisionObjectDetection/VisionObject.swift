// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility

// SAFETY: every property is a constant value; numbers never change.
/// An object that the legacy detector found.
public final class VisionObject: NSObject, @unchecked Sendable {
  /// The bounding box, in pixels of the stored image (the buffer, not rotated), top-left origin.
  public let frame: CGRect
  /// The bounding box, in pixels of the upright image, top-left origin; an addition.
  public let uprightFrame: CGRect
  /// The bounding box, as fractions of the stored image's width and height, 0…1, top-left origin; an
  /// addition.
  public let normalizedFrame: CGRect
  /// The category; `unknown` if the object belongs to no category or classification is off.
  public let classificationCategory: VisionObjectCategory
  /// The confidence of the category, 0…1; nil for `unknown`.
  public let confidence: NSNumber?
  /// The identity in the stream, an integer from 0 up; nil in single-image mode.
  public let trackingID: NSNumber?

  /// Creates an object from a result of the engine.
  init(_ object: FoundObject) {
    frame = object.frame
    uprightFrame = object.uprightFrame
    normalizedFrame = object.normalizedFrame
    classificationCategory = VisionObjectCategory(object.labels.first)
    confidence =
      classificationCategory == .unknown ? nil : object.labels.first.map { NSNumber(value: $0.confidence) }
    trackingID = object.identity.map { NSNumber(value: $0) }
  }

  /// Identity, frame and category in one line.
  public override var description: String {
    "\(trackingID.map { "#\($0.stringValue) " } ?? "")\(frame.text) \(classificationCategory)"
  }
}
