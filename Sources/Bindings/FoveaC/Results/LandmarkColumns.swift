// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry

/// The columns of the values that landmark models output besides keypoints and their scores.
struct LandmarkColumns {
  /// True if no object has such values.
  private(set) var isEmpty = true
  private(set) var depths: [Float] = []
  private(set) var presences: [Float] = []
  private(set) var worlds: [Float] = []
  private(set) var rightHands: [Float] = []

  /// Adds the next object.
  mutating func add(_ object: DetectedObject) {
    let count = object.keypoints.count
    let details = object.landmarkDetails
    if details != nil { isEmpty = false }
    depths += Self.padded(details?.depths.map { Float($0) }, to: count)
    presences += Self.padded(details?.presences, to: count)
    worlds += Self.padded(details?.world.flatMap { [$0.x, $0.y, $0.z] }, to: 3 * count)
    rightHands.append(details?.rightHand ?? .nan)
  }

  /// Returns values, or as many NaN if there is another number of them.
  private static func padded(_ values: [Float]?, to count: Int) -> [Float] {
    guard let values, values.count == count else { return [Float](repeating: .nan, count: count) }
    return values
  }
}
