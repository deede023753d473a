// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaGeometry
import FoveaCore

/// A region of the image with its own confidences.
///
/// **Source:** DOODS2, `DetectRegion` in odrpc.py and `filter_detections` in doods.py.
struct DoodsRegion: Sendable {
  private(set) var id: String?
  /// The sides, 0…1 of the image.
  private var top = 0.0
  private var left = 0.0
  private var bottom = 1.0
  private var right = 1.0
  /// The minimum confidence of each label, 0…100; `*` stands for all others.
  private(set) var confidences: [String: Double] = [:]
  /// Whether an object must lie entirely inside; otherwise overlap is enough.
  private var covers = false

  private static let names = ["bottom", "covers", "detect", "id", "left", "right", "top"]

  /// Reads an element of `regions`.
  init(_ reader: inout JSONReader) throws(JSONFailure) {
    var hasConfidences = false
    try reader.object("a region as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "id": id = try reader.textOrNull("'id' of a region")
      case "top": top = try DoodsRegion.side("top", &reader)
      case "left": left = try DoodsRegion.side("left", &reader)
      case "bottom": bottom = try DoodsRegion.side("bottom", &reader)
      case "right": right = try DoodsRegion.side("right", &reader)
      case "covers": covers = try reader.flag("'covers' of a region")
      case "detect":
        confidences = try DoodsRequest.confidences(&reader)
        hasConfidences = true
      default: throw reader.unknownMember(of: "a region", among: DoodsRegion.names)
      }
    }
    guard hasConfidences else {
      throw reader.mismatch("a region has no 'detect'", #"write it as {"person": 60, "*": 50}"#)
    }
    guard top <= bottom, left <= right else {
      throw reader.mismatch("a region has its top below its bottom, or its left beyond its right")
    }
  }

  private static func side(_ name: String, _ reader: inout JSONReader) throws(JSONFailure) -> Double {
    let value = try reader.double("'\(name)' of a region")
    guard 0...1 ~= value else {
      throw reader.mismatch(
        "'\(name)' of a region is \(DecimalText.exact(value))", "sides are fractions of 0 to 1, not pixels")
    }
    return value
  }

  /// Returns whether an object counts in this region.
  /// - Parameters:
  ///   - label: The object's name.
  ///   - confidence: 0…100.
  ///   - box: The object's sides, 0…1 of the image.
  /// - Returns: Whether the object is in the region and its confidence is high enough.
  func takes(_ label: String, _ confidence: Double, _ box: BoundingBox) -> Bool {
    let isHere =
      covers
      ? top <= box.minY && left <= box.minX && bottom >= box.maxY && right >= box.maxX
      : box.minY <= bottom && box.minX <= right && box.maxY >= top && box.maxX >= left
    guard isHere, let least = confidences[label] ?? confidences["*"] else { return false }
    return confidence >= least
  }
}
#endif
