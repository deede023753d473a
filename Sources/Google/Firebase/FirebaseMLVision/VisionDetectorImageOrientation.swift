// SPDX-License-Identifier: Apache-2.0

package import AppleShims

/// The rotation and mirroring that make the stored pixels of an image upright: the eight values of EXIF tag
/// 274.
///
/// Each name states where row 0 and column 0 of the stored image are in the upright image.
public enum VisionDetectorImageOrientation: UInt, Sendable, CaseIterable {
  /// EXIF 1: stored upright.
  case topLeft = 1
  /// EXIF 2: mirrored left to right.
  case topRight = 2
  /// EXIF 3: upside down.
  case bottomRight = 3
  /// EXIF 4: mirrored top to bottom.
  case bottomLeft = 4
  /// EXIF 5: mirrored along the main diagonal.
  case leftTop = 5
  /// EXIF 6: to be rotated by 90° clockwise.
  case rightTop = 6
  /// EXIF 7: mirrored along the other diagonal.
  case rightBottom = 7
  /// EXIF 8: to be rotated by 90° counter-clockwise.
  case leftBottom = 8

  /// The equivalent UIKit orientation.
  package var orientation: UIImage.Orientation {
    switch self {
    case .topLeft: .up
    case .topRight: .upMirrored
    case .bottomRight: .down
    case .bottomLeft: .downMirrored
    case .leftTop: .leftMirrored
    case .rightTop: .right
    case .rightBottom: .rightMirrored
    case .leftBottom: .left
    }
  }
}
