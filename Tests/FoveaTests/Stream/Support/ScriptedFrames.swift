// SPDX-License-Identifier: Apache-2.0

@testable import Fovea

/// Frames and objects of scripted scenes.
enum Scripted {
  static let size = PixelSize(width: 640, height: 480)
  private static let grey = [UInt8](repeating: 90, count: size.area)

  /// A grey frame at 30 per second.
  static func frame(
    _ number: Int, size: PixelSize = Scripted.size, orientation: Orientation = .up, frameRate: Double = 30
  ) throws -> VideoFrame {
    let layout = try PixelLayout(.grey, size: size)
    let bytes = size == Self.size ? grey : [UInt8](repeating: 90, count: size.area)
    return VideoFrame(
      pixels: try PixelBuffer(layout, bytes: bytes, orientation: orientation), number: number,
      seconds: Double(number - 1) / frameRate)
  }

  /// A small frame, for code that does not read pixels.
  static func smallFrame(_ number: Int) throws -> VideoFrame {
    try frame(number, size: PixelSize(width: 16, height: 16))
  }

  /// A frame whose pixels are no longer readable.
  static func expiredFrame(_ number: Int, size: PixelSize = Scripted.size) throws -> VideoFrame {
    let bytes = [UInt8](repeating: 90, count: size.area)
    let pixels = try PixelBuffer.withBorrowed(PixelLayout(.grey, size: size), bytes: bytes.span) { $0 }
    return VideoFrame(pixels: pixels, number: number, seconds: Double(number - 1) / 30)
  }

  static func box(_ x: Double, _ y: Double, _ width: Double = 40, _ height: Double = 80) -> BoundingBox {
    BoundingBox(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  static func object(_ box: BoundingBox, score: Float = 0.9, label: Int? = nil) -> DetectedObject {
    DetectedObject(
      box: box, score: score,
      labels: label.map { [Label(text: "class \($0)", index: $0, confidence: score)] } ?? [])
  }

  static func result(_ objects: [DetectedObject], in frame: VideoFrame) -> DetectionResult {
    DetectionResult(
      size: frame.pixels.size, orientation: frame.pixels.orientation, objects: objects,
      timings: StageTimings())
  }
}
