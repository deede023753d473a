// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

extension UIImage {
  /// The rotation and mirroring that make the stored pixels of an image upright.
  ///
  /// The numbers are UIKit's, not those of EXIF.
  public enum Orientation: Int, Sendable, CaseIterable {
    /// Stored upright; EXIF 1.
    case up = 0
    /// Upside down; EXIF 3.
    case down = 1
    /// Rotate by 90° counter-clockwise to see it upright; EXIF 8.
    case left = 2
    /// Rotate by 90° clockwise to see it upright; EXIF 6.
    case right = 3
    /// Mirrored left to right; EXIF 2.
    case upMirrored = 4
    /// Mirrored top to bottom; EXIF 4.
    case downMirrored = 5
    /// Mirrored along the main diagonal; EXIF 5.
    case leftMirrored = 6
    /// Mirrored along the other diagonal; EXIF 7.
    case rightMirrored = 7
  }
}

extension UIImage.Orientation {
  /// The same orientation in the package's own type.
  package var orientation: FoveaGeometry.Orientation {
    switch self {
    case .up: .up
    case .down: .down
    case .left: .left
    case .right: .right
    case .upMirrored: .upMirrored
    case .downMirrored: .downMirrored
    case .leftMirrored: .leftMirrored
    case .rightMirrored: .rightMirrored
    }
  }

  /// Creates an orientation from the package's own type.
  package init(_ orientation: FoveaGeometry.Orientation) {
    self = Self.allCases.first { $0.orientation == orientation } ?? .up
  }
}
