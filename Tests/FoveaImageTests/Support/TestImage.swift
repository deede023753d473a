// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// A pixel's colour.
struct RGB: Equatable, CustomStringConvertible {
  var red: Int
  var green: Int
  var blue: Int

  init(_ red: Int, _ green: Int, _ blue: Int) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  var description: String { "(\(red), \(green), \(blue))" }

  func distance(to other: RGB) -> Int {
    max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
  }
}

/// Images generated in code.
enum TestImage {
  /// A canvas of the pixels returned by `color`.
  static func canvas(_ size: PixelSize, _ color: (Int, Int) -> RGB) -> PixelCanvas {
    let canvas = PixelCanvas(size: size)
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let pixel = color(x, y)
          let offset = y * canvas.bytesPerRow + x * 4
          unsafe bytes[offset] = UInt8(pixel.blue)
          unsafe bytes[offset + 1] = UInt8(pixel.green)
          unsafe bytes[offset + 2] = UInt8(pixel.red)
        }
      }
    }
    return canvas
  }

  /// Four quarters: red, green / blue, white; no rotation or mirror image of it equals another.
  static func quarters(_ size: PixelSize) -> PixelCanvas {
    canvas(size) { x, y in
      switch (x < size.width / 2, y < size.height / 2) {
      case (true, true): RGB(255, 0, 0)
      case (false, true): RGB(0, 255, 0)
      case (true, false): RGB(0, 0, 255)
      case (false, false): RGB(255, 255, 255)
      }
    }
  }

  static func pixel(_ canvas: PixelCanvas, _ x: Int, _ y: Int) -> RGB {
    unsafe canvas.withUnsafeMutableBytes { bytes in
      let offset = y * canvas.bytesPerRow + x * 4
      return unsafe RGB(Int(bytes[offset + 2]), Int(bytes[offset + 1]), Int(bytes[offset]))
    }
  }
}

/// A tensor of bytes, read as pixels.
struct TensorBytes {
  let size: PixelSize
  let bytes: [UInt8]

  subscript(x: Int, y: Int) -> RGB {
    let offset = (y * size.width + x) * 3
    return RGB(Int(bytes[offset]), Int(bytes[offset + 1]), Int(bytes[offset + 2]))
  }

  /// The mean absolute difference of all values.
  func difference(to other: TensorBytes) -> Double {
    let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(max(bytes.count, 1))
  }
}

extension DecodedImage {
  /// The bytes of a tensor, and the region it is filled with.
  func tensor(
    _ spec: ImageTensorSpec, region: BoundingBox? = nil, upright: Orientation? = nil,
    scratch: TensorScratch = TensorScratch()
  ) throws(ImageError) -> (bytes: [UInt8], region: BoundingBox) {
    let whole = BoundingBox(x: 0, y: 0, width: Double(fullSize.width), height: Double(fullSize.height))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: spec.byteCount, alignment: 64)
    defer { unsafe memory.deallocate() }
    let used = try unsafe write(
      region: region ?? whole, upright: upright ?? orientation, spec: spec, into: memory, scratch: scratch)
    return unsafe ([UInt8](memory), used)
  }

  /// A tensor of plain bytes.
  func pixels(
    _ size: PixelSize, region: BoundingBox? = nil, upright: Orientation? = nil
  ) throws(ImageError) -> TensorBytes {
    let spec = ImageTensorSpec(size: size)
    return TensorBytes(size: size, bytes: try tensor(spec, region: region, upright: upright).bytes)
  }
}

/// The error that `body` throws, for tests of its text.
func imageError<R>(_ body: () throws(ImageError) -> R) -> ImageError? {
  do throws(ImageError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
