// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry

extension DetectionRecord.Findings {
  /// Returns the same findings with boxes and size in pixels of the stored image.
  package func stored() -> Self {
    guard space == .upright else { return self }
    let stored = orientation.uprightSize(ofStored: size)
    var findings = self
    findings.space = .stored
    findings.size = stored
    switch content {
    case .objects(let objects):
      findings.content = .objects(objects.map { $0.stored(orientation, stored: stored) })
    case .map(let map): findings.content = .map(map.stored(orientation, stored: stored))
    case .labels: break
    }
    return findings
  }

  private static let keys = (
    width: JSONKey("width"), height: JSONKey("height"), orientation: JSONKey("orientation"),
    space: JSONKey("space")
  )

  /// Reads a member of a record if it is about the pixels that boxes refer to; skips any other.
  mutating func readPixels(_ key: JSONKey, _ reader: inout JSONReader) throws(JSONFailure) {
    switch key {
    case Self.keys.width: size.width = try reader.optionalNumber().flatMap(Int.init(exactly:)) ?? 0
    case Self.keys.height: size.height = try reader.optionalNumber().flatMap(Int.init(exactly:)) ?? 0
    case Self.keys.orientation:
      orientation = try reader.optionalString().flatMap(Orientation.init(name:)) ?? .up
    case Self.keys.space: space = try reader.optionalString().flatMap(Space.init(rawValue:)) ?? .stored
    default: try reader.skip()
    }
  }
}

extension DetectedObject {
  /// Maps the places of the object in the upright image to the pixels of the stored image.
  fileprivate func stored(_ orientation: Orientation, stored: PixelSize) -> DetectedObject {
    var object = self
    object.box = orientation.storedBox(fromUpright: box, stored: stored)
    object.keypoints = keypoints.map { orientation.storedPoint(fromUpright: $0, stored: stored) }
    object.mask = mask.map { orientation.storedMask(fromUpright: $0, stored: stored) }
    object.orientedBox = orientedBox.map { orientation.storedBox(fromUpright: $0, stored: stored) }
    return object
  }
}
