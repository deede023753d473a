// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry

extension LandmarkDetails {
  /// Creates the details of points found in a crop; nil for models without z, which have no other values.
  /// - Parameters:
  ///   - found: The points in fractions of the crop.
  ///   - square: The crop, in pixels of the upright image.
  ///   - toStored: Maps a point of the upright image to the unrotated one.
  init?(_ found: LandmarkPoints, in square: OrientedBox, toStored: (PixelPoint) -> PixelPoint) {
    guard !found.depths.isEmpty else { return nil }
    let (cosine, sine) = (Float(cos(square.angle)), Float(sin(square.angle)))
    self.init(
      depths: found.depths.map { $0 * square.width }, presences: found.presences,
      world: found.world.map { point in
        SIMD3(point.x * cosine - point.y * sine, point.x * sine + point.y * cosine, point.z)
      }, rightHand: found.rightHand)
    mapAxes(toStored)
  }
}
