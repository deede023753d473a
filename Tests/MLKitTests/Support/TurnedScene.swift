// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

/// The cat in the top-left part of a grey image, stored in any rotation and format: its box has another
/// position for each of the eight orientations.
enum TurnedScene {
  /// The upright image.
  static let upright = Result {
    let cat = TestFrame(try EncodedImage(path: Photo.url("cat").path).canvas())
    return TestFrame(size: PixelSize(width: 320, height: 220)) { x, y in
      guard x * 2 < cat.size.width, y * 2 < cat.size.height else { return (110, 110, 110) }
      let source = (y * 2 * cat.size.width + x * 2) * 3
      return (cat.rgb[source], cat.rgb[source + 1], cat.rgb[source + 2])
    }
  }
  private static let stored = Result {
    try Dictionary(
      uniqueKeysWithValues: Orientation.allCases.map { ($0, try upright.get().stored(as: $0)) })
  }

  /// The position of the cat in the upright image, in pixels.
  static let cat = BoundingBox(minX: 4, minY: 0, maxX: 200, maxY: 149)

  /// The pixels stored so that `orientation` makes them upright.
  static func buffer(_ orientation: Orientation, _ format: FrameFormat = FrameFormat.all[0]) throws
    -> CVPixelBuffer
  {
    let frame = try #require(try stored.get()[orientation])
    return try CVPixelBuffer(pixels: frame.buffer(format))
  }

  /// Verifies that the three frames of a result lie on the cat, each in its space.
  static func check(
    frame: CGRect, upright: CGRect, normalized: CGRect, _ orientation: Orientation,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let size = try self.upright.get().size
    let stored = orientation.isTransposed ? size.transposed : size
    let place = orientation.storedBox(fromUpright: cat, stored: stored)
    #expect(BoundingBox(frame).iou(with: place) > 0.8, "\(frame)", sourceLocation: sourceLocation)
    #expect(BoundingBox(upright).iou(with: cat) > 0.8, "\(upright)", sourceLocation: sourceLocation)
    let scaled = BoundingBox(
      minX: Double(normalized.minX) * Double(stored.width),
      minY: Double(normalized.minY) * Double(stored.height),
      maxX: Double(normalized.maxX) * Double(stored.width),
      maxY: Double(normalized.maxY) * Double(stored.height))
    #expect(scaled.iou(with: BoundingBox(frame)) > 0.999, "\(normalized)", sourceLocation: sourceLocation)
  }
}

extension BoundingBox {
  fileprivate init(_ rect: CGRect) {
    self.init(
      minX: Double(rect.minX), minY: Double(rect.minY), maxX: Double(rect.maxX), maxY: Double(rect.maxY))
  }
}
