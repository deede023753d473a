// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaGeometry

/// The pixels that the boxes of one image refer to, to be compared with those of a ground truth.
struct BoxSpace {
  /// The size of the image in these pixels; nil if it is not known.
  var size: PixelSize?
  /// The rotation that makes the stored image upright; nil if it is not known.
  var orientation: Orientation?
  /// Whether they are declared as the pixels of the upright image.
  var isUpright = false

  /// The conversion of boxes to the pixels of a ground truth.
  enum Conversion: Equatable {
    /// The boxes stay as they are.
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

    func point(_ point: PixelPoint) -> PixelPoint {
      switch self {
      case .same: point
      case .toStored(let orientation, let size): orientation.storedPoint(fromUpright: point, stored: size)
      case .toUpright(let orientation, let size): orientation.uprightPoint(fromStored: point, stored: size)
      }
    }

    /// Converts a mask, which is of the whole image.
    /// - Throws: `GeometryError` `maskInvalid` if the object is too large.
    func mask(_ runs: RunLengths) throws(GeometryError) -> RunLengths {
      switch self {
      case .same: runs
      case .toStored(let orientation, let size):
        try orientation.storedMask(fromUpright: ObjectMask(runs), stored: size).runLengths(in: size)
      case .toUpright(let orientation, let size):
        try orientation.uprightMask(fromStored: ObjectMask(runs), stored: size)
          .runLengths(in: orientation.uprightSize(ofStored: size))
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

  /// Whether the boxes of the stored and of the upright image differ, and either can be mapped to the other.
  var isRotated: Bool {
    guard let orientation, let size else { return false }
    return orientation != .up && size.width > 0 && size.height > 0
  }

  /// Checks that the boxes can be converted to the pixels of a ground truth.
  /// - Parameter listed: The size of the image in the ground truth; nil if it is not known.
  /// - Throws: The reason why they cannot.
  func check(against listed: PixelSize?) throws(Mismatch) {
    if isUpright {
      guard orientation == .up || isRotated else { throw .upright }
      return
    }
    guard let size, let listed, size != listed, size == listed.transposed else { return }
    guard let orientation, orientation.isTransposed else { throw .exchanged(size, listed: listed) }
  }

  /// Returns whether the ground truth has the upright image.
  /// - Parameter listed: The size of the image in the ground truth; nil if it is not known.
  /// - Returns: nil if the size does not show it, as for a square photo or one upside down.
  func isUpright(in listed: PixelSize?) -> Bool? {
    guard let orientation, let size, let listed, orientation.isTransposed, size != size.transposed
    else { return nil }
    if listed == size { return isUpright }
    return listed == size.transposed ? !isUpright : nil
  }

  /// Returns the conversion to upright or stored pixels.
  func conversion(toUpright isWanted: Bool) -> Conversion {
    guard isWanted != isUpright, isRotated, let orientation, let size else { return .same }
    return isUpright
      ? .toStored(orientation, orientation.uprightSize(ofStored: size)) : .toUpright(orientation, size)
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
