// SPDX-License-Identifier: Apache-2.0

import CYUV
import FoveaGeometry

extension Orientation {
  /// Turns stored pixels of 4 bytes upright; a negative height makes libyuv take the rows from the bottom up.
  func turn(
    _ source: UnsafePointer<UInt8>, _ sourceStride: Int, stored size: PixelSize,
    into target: UnsafeMutablePointer<UInt8>, _ targetStride: Int
  ) {
    let width = Int32(size.width)
    let height = Int32(size.height)
    let (from, to) = (Int32(sourceStride), Int32(targetStride))
    func rotate(_ height: Int32, _ mode: RotationMode) {
      unsafe _ = ARGBRotate(source, from, target, to, width, height, mode)
    }
    switch self {
    case .up: unsafe _ = ARGBCopy(source, from, target, to, width, height)
    case .upMirrored: unsafe _ = ARGBMirror(source, from, target, to, width, height)
    case .down: rotate(height, kRotate180)
    case .downMirrored: unsafe _ = ARGBCopy(source, from, target, to, width, -height)
    case .leftMirrored: rotate(-height, kRotate90)
    case .right: rotate(height, kRotate90)
    case .rightMirrored: rotate(-height, kRotate270)
    case .left: rotate(height, kRotate270)
    }
  }
}
