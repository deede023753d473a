// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry

/// The columns of the maps of a result's images.
struct MapColumns {
  /// True if the model outputs more than class numbers.
  private(set) var hasConfidences = false
  private(set) var offsets: [Int64] = [0]
  private(set) var classes: [UInt8] = []
  private(set) var confidences: [UInt8] = []
  private(set) var sizes: [Int32] = []
  private(set) var places: [Double] = []

  /// Adds the map of the next image; nil if it failed.
  mutating func add(_ map: SegmentationMap?) {
    defer { offsets.append(Int64(classes.count)) }
    guard let map else {
      sizes += [0, 0]
      places += repeatElement(.nan, count: 8)
      return
    }
    hasConfidences = hasConfidences || !map.confidences.isEmpty
    classes += map.classes
    confidences += map.confidences
    sizes += [Int32(clamping: map.width), Int32(clamping: map.height)]
    for box in [map.bounds, map.region] { places += [box.minX, box.minY, box.maxX, box.maxY] }
  }
}
