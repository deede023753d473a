// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension PixelPoint {
  /// Returns the point with the same relative position in `target` as this one has in `source`.
  func moved(from source: BoundingBox, to target: BoundingBox) -> PixelPoint {
    func moved(_ place: Double, _ from: Double, _ length: Double, _ to: Double, _ newLength: Double) -> Double
    {
      length > 0 ? to + (place - from) / length * newLength : place - from + to
    }
    return PixelPoint(
      x: moved(x, source.minX, source.width, target.minX, target.width),
      y: moved(y, source.minY, source.height, target.minY, target.height))
  }
}
