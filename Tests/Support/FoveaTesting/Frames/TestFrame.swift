// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// An image in red, green and blue for pixel buffers of any format.
public struct TestFrame: Sendable {
  /// Width and height in pixels.
  public let size: PixelSize
  /// Three bytes a pixel, rows from the top, without gaps.
  public private(set) var rgb: [UInt8]

  /// Creates a frame from `color`: x, y to red, green, blue.
  public init(size: PixelSize, color: (Int, Int) -> (UInt8, UInt8, UInt8)) {
    self.size = size
    rgb = []
    rgb.reserveCapacity(size.area * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (red, green, blue) = color(x, y)
        rgb.append(red)
        rgb.append(green)
        rgb.append(blue)
      }
    }
  }

  /// Creates a frame from pixels: three bytes each, rows from the top, without gaps.
  public init(size: PixelSize, rgb: [UInt8]) {
    self.size = size
    self.rgb = rgb
  }

  /// Creates a frame from the pixels of a canvas.
  public init(_ canvas: PixelCanvas) {
    size = canvas.size
    let stride = canvas.bytesPerRow
    let size = size
    rgb = unsafe canvas.withUnsafeMutableBytes { bytes in
      unsafe [UInt8](unsafeUninitializedCapacity: size.area * 3) { target, count in
        for y in 0..<size.height {
          for x in 0..<size.width {
            let source = y * stride + x * 4
            for channel in 0..<3 {
              unsafe target[(y * size.width + x) * 3 + channel] = bytes[source + 2 - channel]
            }
          }
        }
        count = size.area * 3
      }
    }
  }

  /// A smooth image whose eight rotations differ: the colours run in three directions, by at most 5 levels
  /// per pixel.
  public static func gradient(_ size: PixelSize) -> TestFrame {
    TestFrame(size: size) { x, y in
      let (u, v) = (Double(x) / Double(max(size.width - 1, 40)), Double(y) / Double(max(size.height - 1, 40)))
      return (UInt8(40 + 180 * u), UInt8(40 + 150 * v), UInt8(220 - 90 * u - 80 * v * v))
    }
  }

  /// Returns the image stored so that `orientation` makes it upright.
  public func stored(as orientation: Orientation) -> TestFrame {
    let stored = orientation.isTransposed ? size.transposed : size
    let (lastX, lastY) = (stored.width - 1, stored.height - 1)
    return TestFrame(size: stored) { x, y in
      // Returns the stored pixel's position in the upright image; the table of
      // docs/explanation/coordinates.md.
      let (u, v) =
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (lastX - x, y)
        case .down: (lastX - x, lastY - y)
        case .downMirrored: (x, lastY - y)
        case .leftMirrored: (y, x)
        case .right: (lastY - y, x)
        case .rightMirrored: (lastY - y, lastX - x)
        case .left: (y, lastX - x)
        }
      let source = (v * size.width + u) * 3
      return (rgb[source], rgb[source + 1], rgb[source + 2])
    }
  }

  /// The same image without colour: BT.601 luma in all three channels.
  public var grey: TestFrame {
    TestFrame(size: size) { x, y in
      let source = (y * size.width + x) * 3
      let (red, green, blue) = (Double(rgb[source]), Double(rgb[source + 1]), Double(rgb[source + 2]))
      let value = UInt8((0.299 * red + 0.587 * green + 0.114 * blue).rounded())
      return (value, value, value)
    }
  }
}
