// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Writes lines of MOT Challenge's text files.
public enum MOTWriter {
  /// One line of results: `frame,identity,x,y,width,height,score,-1,-1,-1` and a line end.
  ///
  /// - Parameters:
  ///   - frame: The frame, from 1.
  ///   - identity: The identity, from 1 as most tools expect; -1 for a detection.
  ///   - box: The box in pixels of the frame.
  ///   - score: The confidence.
  ///   - places: Decimals of the box, 0 to 6: 3 by default, which moves no edge by more than 0.001 pixels. The score has
  ///     twice as many, 6 at most.
  /// - Returns: The line.
  public static func line(
    frame: Int, identity: Int, box: BoundingBox, score: Double, places: Int = 3
  ) -> String {
    var bytes: [UInt8] = []
    start(frame, identity, box, places, &bytes)
    FixedDecimal.append(score, places: 2 * places, to: &bytes)
    bytes.append(contentsOf: ",-1,-1,-1\n".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A whole file of results, frame by frame.
  public static func results(_ tracks: TrackFrames, places: Int = 3) -> String {
    var text = ""
    for frame in tracks.frames {
      for annotation in tracks.annotations(inFrame: frame) {
        text += line(
          frame: frame, identity: annotation.identity, box: annotation.box, score: annotation.score,
          places: places)
      }
    }
    return text
  }

  /// A whole file of ground truth: flag, class and visibility follow the box.
  public static func groundTruth(_ tracks: TrackFrames, places: Int = 3) -> String {
    var bytes: [UInt8] = []
    for frame in tracks.frames {
      for annotation in tracks.annotations(inFrame: frame) {
        start(frame, annotation.identity, annotation.box, places, &bytes)
        bytes.append(contentsOf: annotation.score == 0 ? "0,".utf8 : "1,".utf8)
        FixedDecimal.append(annotation.classID, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        FixedDecimal.append(annotation.visibility, places: 6, to: &bytes)
        bytes.append(0x0A)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func start(
    _ frame: Int, _ identity: Int, _ box: BoundingBox, _ places: Int, _ bytes: inout [UInt8]
  ) {
    FixedDecimal.append(frame, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    FixedDecimal.append(identity, to: &bytes)
    for value in [box.minX, box.minY, box.width, box.height] {
      bytes.append(UInt8(ascii: ","))
      FixedDecimal.append(value, places: places, to: &bytes)
    }
    bytes.append(UInt8(ascii: ","))
  }
}
