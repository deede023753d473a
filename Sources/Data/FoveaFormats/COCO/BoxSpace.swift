// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaGeometry

/// The pixels that the boxes of one image refer to, to be compared with those of the ground truth.
struct BoxSpace {
  /// The size of the image in these pixels; nil if it is not known.
  var size: PixelSize?
  /// The rotation that makes the stored image upright; nil if it is not known.
  var orientation: Orientation?
  /// Whether they are declared as the pixels of the upright image.
  var isUpright = false

  /// The conversion of boxes to the pixels of the ground truth.
  enum Conversion: Equatable {
    /// The boxes do not change.
    case same
    /// The size is that of the stored image.
    case toStored(Orientation, PixelSize), toUpright(Orientation, PixelSize)

    /// Converts a box.
    func box(_ box: COCOBox) -> COCOBox {
      let bounds = BoundingBox(x: box.x, y: box.y, width: box.width, height: box.height)
      return switch self {
      case .same: box
      case .toStored(let orientation, let size):
        COCOBox(orientation.storedBox(fromUpright: bounds, stored: size))
      case .toUpright(let orientation, let size):
        COCOBox(orientation.uprightBox(fromStored: bounds, stored: size))
      }
    }
  }

  /// The reason why boxes cannot be converted.
  enum Mismatch: Error {
    /// They are in the upright image, whose orientation is not known.
    case upright
    /// Width and height are exchanged in the ground truth.
    case exchanged(PixelSize, listed: PixelSize)
  }

  /// Returns the conversion to the pixels of the ground truth: stored pixels, unless its size is that of the
  /// upright image.
  /// - Parameter listed: The size of the image in the ground truth; nil if it is not known.
  /// - Returns: The conversion.
  /// - Throws: The reason why there is none.
  func conversion(to listed: PixelSize?) throws(Mismatch) -> Conversion {
    if isUpright {
      if orientation == .up { return .same }
      guard let orientation, let size, size.width > 0, size.height > 0 else { throw .upright }
      let stored = orientation.uprightSize(ofStored: size)
      return listed == size && listed != stored ? .same : .toStored(orientation, stored)
    }
    guard let size, let listed, size != listed, size == listed.transposed else { return .same }
    guard let orientation, orientation.isTransposed else { throw .exchanged(size, listed: listed) }
    return .toUpright(orientation, size)
  }
}

extension BoxSpace.Mismatch {
  /// Returns the error of an image; `record` is the place of its record in the file `name`.
  func error(_ name: String, _ record: String, image: String) -> EvaluationError {
    switch self {
    case .upright:
      EvaluationError(
        .invalidDetections, "\(name)\(record), has boxes in the upright photo",
        remedy: "Detect again without \(flag: "upright", "upright()"); the ground truth is in stored pixels")
    case .exchanged(let size, let listed):
      EvaluationError(
        .invalidDetections,
        "\(name): '\(image)' is \(size) pixels there and \(listed) in the ground truth, so only one of them "
          + "has the upright photo",
        remedy: "Detect again with or without \(flag: "upright", "upright()"), as in the ground truth")
    }
  }
}
