// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import FoveaTracking
import Testing

/// A sequence of the shared data, with the detections used for the published figures.
struct SharedSequence: Sendable, CustomTestStringConvertible {
  var set: String
  var name: String

  var testDescription: String { name }

  static let all =
    [
      "ADL-Rundle-6", "ADL-Rundle-8", "ETH-Bahnhof", "ETH-Pedcross2", "ETH-Sunnyday", "KITTI-13", "KITTI-17",
      "PETS09-S2L1", "TUD-Campus", "TUD-Stadtmitte", "Venice-2",
    ].map { SharedSequence(set: "MOT15", name: $0) }
    + ["02", "04", "09", "11"].map { SharedSequence(set: "MOT17", name: "MOT17-\($0)-FRCNN") }

  /// Four short ones, with both kinds of detections and frame rates from 10 to 30.
  static let short = all.filter {
    ["KITTI-17", "ETH-Sunnyday", "TUD-Stadtmitte", "MOT17-09-FRCNN"].contains($0.name)
  }

  /// A box with an identity.
  struct Entry {
    var identity: Int
    var box: BoundingBox
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try SharedData.bytes("mot/\(set)/\(name)/\(path)"), as: UTF8.self)
  }

  /// A number of the sequence's description.
  private func number(_ key: String) throws -> Double {
    let line = try text("seqinfo.ini").split(whereSeparator: \.isNewline).first { $0.hasPrefix(key + "=") }
    return try #require(line.flatMap { Double($0.dropFirst(key.count + 1)) })
  }

  func frameRate() throws -> Double { try number("frameRate") }

  /// The detections of each frame, from frame 1.
  func frames(limit: Int = .max) throws -> [[TrackingDetection]] {
    let count = min(Int(try number("seqLength")), limit)
    var frames = Array(repeating: [TrackingDetection](), count: count)
    for line in try text(set == "MOT15" ? "det/det.txt" : "det/det_yolox_x.txt").split(
      whereSeparator: \.isNewline)
    where try frame(of: line) <= count {
      let values = try numbers(line)
      let box = BoundingBox(x: values[2], y: values[3], width: values[4], height: values[5])
      frames[Int(values[0]) - 1].append(TrackingDetection(box: box, score: values[6]))
    }
    return frames
  }

  /// The tracks of each frame in a golden file.
  func golden(_ tracker: String, limit: Int = .max) throws -> [[Entry]] {
    let count = min(Int(try number("seqLength")), limit)
    var frames = Array(repeating: [Entry](), count: count)
    let text = try GzipFile.text("goldens/tracking/\(tracker)/\(set)/\(name).txt.gz")
    for line in text.split(whereSeparator: \.isNewline) where try frame(of: line) <= count {
      let values = try numbers(line)
      let box = BoundingBox(x: values[2], y: values[3], width: values[4], height: values[5])
      frames[Int(values[0]) - 1].append(Entry(identity: Int(values[1]), box: box))
    }
    return frames
  }

  private func frame(of line: Substring) throws -> Int {
    try #require(Int(line.prefix { $0 != "," }))
  }

  private func numbers(_ line: Substring) throws -> [Double] {
    try line.split(separator: ",").map { try #require(Double($0)) }
  }
}
