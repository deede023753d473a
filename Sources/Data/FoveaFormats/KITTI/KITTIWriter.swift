// SPDX-License-Identifier: Apache-2.0

public import FoveaEvaluation
public import FoveaGeometry

/// Writes lines of KITTI's tracking labels.
public enum KITTIWriter {
  /// Returns one line of results with a newline; columns unknown to a box tracker get KITTI's value for
  /// unknown.
  ///
  /// - Parameters:
  ///   - frame: The frame, from 0.
  ///   - identity: The identity, from 0.
  ///   - kind: The object's type.
  ///   - box: The box in pixels of the frame.
  ///   - score: The confidence.
  ///   - places: Decimals of the box, 0 to 6; 3 by default, which moves no edge by more than 0.001 pixels.
  /// - Returns: The line.
  public static func line(
    frame: Int, identity: Int, kind: KITTIClass, box: BoundingBox, score: Double, places: Int = 3
  ) -> String {
    var bytes = label(
      frame, kind, places,
      TrackAnnotation(identity: identity, box: box, occlusion: -1, truncation: -1))
    bytes.append(UInt8(ascii: " "))
    bytes.append(number: score, places: 6)
    bytes.append(0x0A)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a complete ground truth file; boxes with a class that KITTI does not have get the type `Misc`.
  public static func groundTruth(_ tracks: TrackFrames, places: Int = 3) -> String {
    var bytes: [UInt8] = []
    for frame in tracks.frames {
      for annotation in tracks.annotations(inFrame: frame) {
        bytes += label(frame, KITTIClass(rawValue: annotation.classID) ?? .misc, places, annotation)
        bytes.append(0x0A)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func label(
    _ frame: Int, _ kind: KITTIClass, _ places: Int, _ annotation: TrackAnnotation
  ) -> [UInt8] {
    var bytes = Array("\(frame) \(annotation.identity) \(kind) ".utf8)
    bytes += Array("\(annotation.truncation) \(annotation.occlusion) -10".utf8)
    let box = annotation.box
    for value in [box.minX, box.minY, box.maxX, box.maxY] {
      bytes.append(UInt8(ascii: " "))
      bytes.append(number: value, places: places)
    }
    bytes += Array(" -1 -1 -1 -1000 -1000 -1000 -10".utf8)
    return bytes
  }
}
