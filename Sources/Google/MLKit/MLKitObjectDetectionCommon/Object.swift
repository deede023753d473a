// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

// SAFETY: every property is a constant value; numbers and labels never change.
/// An object that a detector found.
public final class Object: NSObject, @unchecked Sendable {
  /// The bounding box, in pixels of the stored image (the buffer, not rotated by `orientation`), top-left
  /// origin.
  public let frame: CGRect
  /// The bounding box, in pixels of the upright image, top-left origin.
  ///
  /// An addition, for overlays on the upright image.
  public let uprightFrame: CGRect
  /// The bounding box, as fractions of the stored image's width and height, 0…1, top-left origin.
  ///
  /// An addition: the rectangle that `layerRectConverted(fromMetadataOutputRect:)` accepts.
  public let normalizedFrame: CGRect
  /// The labels, most confident first; empty if classification is off or no label reached its threshold.
  public let labels: [ObjectLabel]
  /// The identity in the stream, an integer from 0 up; nil in single-image mode.
  public let trackingID: NSNumber?

  /// Creates an object from a result of the engine.
  package init(_ object: FoundObject) {
    frame = object.frame
    uprightFrame = object.uprightFrame
    normalizedFrame = object.normalizedFrame
    labels = object.labels.map(ObjectLabel.init)
    trackingID = object.identity.map { NSNumber(value: $0) }
  }

  /// Identity, frame and first label in one line.
  public override var description: String {
    let identity = trackingID.map { "#\($0.stringValue) " } ?? ""
    return "\(identity)\(frame.text)\(labels.first.map { " \($0)" } ?? "")"
  }
}
