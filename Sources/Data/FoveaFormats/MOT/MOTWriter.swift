// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
public import FoveaEvaluation
public import FoveaGeometry

/// Writes lines of MOT Challenge's text files.
public enum MOTWriter {
  /// Returns one line of results: `frame,identity,x,y,width,height,score,-1,-1,-1` and a newline.
  ///
  /// - Parameters:
  ///   - frame: The frame, from 1.
  ///   - identity: The identity, from 1 as most tools expect; -1 for a detection.
  ///   - box: The box in pixels of the frame.
  ///   - score: The confidence.
  ///   - places: Decimals of the box, 0 to 6; 3 by default, which moves no edge by more than 0.001 pixels.
  ///     The score has twice as many, at most 6.
  /// - Returns: The line.
  public static func line(
    frame: Int, identity: Int, box: BoundingBox, score: Double, places: Int = 3
  ) -> String {
    var bytes: [UInt8] = []
    append(frame, identity, box, score, places, padded: true, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a complete file of results, frame by frame.
  public static func results(_ tracks: TrackFrames, places: Int = 3) -> String {
    var bytes: [UInt8] = []
    for frame in tracks.frames {
      for annotation in tracks.annotations(inFrame: frame) {
        append(frame, annotation.identity, annotation.box, annotation.score, places, padded: true, to: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a complete ground truth file: flag, class and visibility follow the box.
  public static func groundTruth(_ tracks: TrackFrames, places: Int = 3) -> String {
    var bytes: [UInt8] = []
    for frame in tracks.frames {
      for annotation in tracks.annotations(inFrame: frame) {
        start(frame, annotation.identity, annotation.box, places, padded: true, to: &bytes)
        bytes.append(contentsOf: annotation.score == 0 ? "0,".utf8 : "1,".utf8)
        DecimalText.append(annotation.classID, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        bytes.append(number: annotation.visibility, places: 6)
        bytes.append(0x0A)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  fileprivate static func append(
    _ frame: Int, _ identity: Int, _ box: BoundingBox, _ score: Double, _ places: Int, padded: Bool,
    to bytes: inout [UInt8]
  ) {
    start(frame, identity, box, places, padded: padded, to: &bytes)
    bytes.append(number: score, places: min(2 * places, 6), padded: padded)
    bytes.append(contentsOf: ",-1,-1,-1\n".utf8)
  }

  private static func start(
    _ frame: Int, _ identity: Int, _ box: BoundingBox, _ places: Int, padded: Bool, to bytes: inout [UInt8]
  ) {
    DecimalText.append(frame, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    DecimalText.append(identity, to: &bytes)
    for value in [box.minX, box.minY, box.width, box.height] {
      bytes.append(UInt8(ascii: ","))
      bytes.append(number: value, places: places, padded: padded)
    }
    bytes.append(UInt8(ascii: ","))
  }
}

extension [UInt8] {
  /// Appends a number; one that is not finite uses Swift's description, which number parsers accept.
  mutating func append(number value: Double, places: Int, padded: Bool = true) {
    if value.isFinite {
      DecimalText.append(value, places: places, padded: padded, to: &self)
    } else {
      append(contentsOf: value.description.utf8)
    }
  }
}

/// The frames of a video as MOTChallenge's results: `frame,id,x,y,width,height,score,-1,-1,-1`.
///
/// Frames without objects have no line. Positions keep six decimals, so that no digit of a tracker's numbers
/// is lost. ``MOTReader`` reads the lines.
///
/// **Source:** Dendorfer et al., "MOT20: A benchmark for multi object tracking in crowded scenes", section 4.
public struct FrameMOTWriter: FrameWriter {
  /// Creates a writer.
  public init() {}

  /// Returns the lines of a frame.
  public func text(for record: FrameRecord) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(80 * record.objects.count)
    for object in record.objects {
      guard let identity = object.trackingID else { continue }
      MOTWriter.append(
        record.number, identity, object.box, Double(object.score), 6, padded: false, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FrameFormat {
  /// ``FrameMOTWriter``.
  package static let mot = FrameFormat("mot", endings: ["txt"]) { _ in FrameMOTWriter() }
}
