// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A small, upright JPEG of an image, for display in a page.
public struct Thumbnail: Sendable, Hashable {
  /// The bytes of a JPEG file.
  public var jpeg: [UInt8]
  /// The size in pixels.
  public var size: PixelSize

  /// Wraps an existing JPEG.
  public init(jpeg: [UInt8], size: PixelSize) {
    self.jpeg = jpeg
    self.size = size
  }

  /// Decodes an image as small as its format allows, rotates it upright and scales it down.
  /// - Parameters:
  ///   - image: The image; a smaller one keeps its size.
  ///   - longestSide: The longer side in pixels, at least 1; the default, 320, is a column of a page. The
  ///     size of pages grows with the square of this value.
  ///   - quality: 1…100; the artefacts of the default, 70, are not visible at a small size.
  /// - Throws: `ImageError` if the file is damaged or truncated, or memory is exhausted.
  public init(of image: EncodedImage, longestSide: Int = 320, quality: Int = 70) throws(ImageError) {
    let size = Thumbnail.size(of: image.uprightSize, longestSide: max(1, longestSide))
    let stored = image.orientation.isTransposed ? size.transposed : size
    let decoded = try image.decode(scaledFor: .atLeast(stored))
    try unsafe self.init(size, quality: quality) { (spec, bytes) throws(ImageError) in
      unsafe try decoded.write(spec: spec, into: bytes, scratch: TensorScratch())
    }
  }

  /// Crops a region of an image, rotates it upright and scales it down.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The region, in pixels of the unrotated image, inside it; a smaller one keeps its size.
  ///   - longestSide: The longer side in pixels, at least 1.
  /// - Throws: `ImageError` if the file is damaged or truncated, or memory is exhausted.
  package init(of image: EncodedImage, region: BoundingBox, longestSide: Int) throws(ImageError) {
    let shown = PixelSize(width: Int(region.width.rounded(.up)), height: Int(region.height.rounded(.up)))
    let size = Thumbnail.size(
      of: image.orientation.isTransposed ? shown.transposed : shown, longestSide: max(1, longestSide))
    let scale = Double(max(size.width, size.height)) / Double(max(shown.width, shown.height, 1))
    let decoded = try image.decode(
      scaledFor: .atLeast(
        PixelSize(
          width: Int((Double(image.size.width) * scale).rounded(.up)),
          height: Int((Double(image.size.height) * scale).rounded(.up)))))
    try unsafe self.init(size, quality: 70) { (spec, bytes) throws(ImageError) in
      unsafe _ = try decoded.write(
        region: region, upright: decoded.orientation, spec: spec, into: bytes, scratch: TensorScratch())
    }
  }

  /// Scales a canvas down.
  /// - Parameters:
  ///   - canvas: The upright image; a smaller one keeps its size.
  ///   - longestSide: The longer side in pixels, at least 1, 320 by default, as in
  ///     `init(of:longestSide:quality:)`.
  ///   - quality: 1…100, 70 by default.
  /// - Throws: `ImageError` if memory is exhausted.
  public init(of canvas: PixelCanvas, longestSide: Int = 320, quality: Int = 70) throws(ImageError) {
    let size = Thumbnail.size(of: canvas.size, longestSide: max(1, longestSide))
    let layout = try PixelLayout(.bgra, size: canvas.size, bytesPerRow: [canvas.bytesPerRow])
    try unsafe self.init(size, quality: quality) { (spec, bytes) throws(ImageError) in
      let written: Result<Void, ImageError> = unsafe canvas.withUnsafeMutableBytes { source in
        Result { () throws(ImageError) in
          do {
            _ = try unsafe PixelBuffer.withUnsafeBorrowed(layout, planes: [UnsafeRawBufferPointer(source)]) {
              unsafe try $0.write(spec: spec, into: bytes, scratch: TensorScratch())
            }
          } catch let error as ImageError {
            throw error
          } catch {
            throw ImageError(
              .invalidBuffer, "\(error)", remedy: "Use a smaller canvas", subject: "canvas")
          }
        }
      }
      try written.get()
    }
  }

  /// Encodes the pixels that `fill` writes: blue, green and red of each.
  private init(
    _ size: PixelSize, quality: Int,
    _ fill: (ImageTensorSpec, UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
  ) throws(ImageError) {
    let spec = ImageTensorSpec(size: size, channelOrder: .bgr)
    var pixels = [UInt8](repeating: 0, count: spec.byteCount)
    // A typed catch needs the closure's error type, which the standard library's `throws` does not carry.
    let written: Result<Void, ImageError> = unsafe pixels.withUnsafeMutableBytes { bytes in
      Result { () throws(ImageError) in unsafe try fill(spec, bytes) }
    }
    try written.get()
    let canvas = PixelCanvas(size: size)
    unsafe canvas.withUnsafeMutableBytes { target in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let from = (y * size.width + x) * 3
          let to = y * canvas.bytesPerRow + x * 4
          unsafe target[to] = pixels[from]
          unsafe target[to + 1] = pixels[from + 1]
          unsafe target[to + 2] = pixels[from + 2]
        }
      }
    }
    self.init(jpeg: try canvas.encoded(as: .jpeg, quality: quality), size: size)
  }

  /// Returns `size` scaled down to a longer side of at most `longestSide`; at least one pixel, and never
  /// scaled up.
  static func size(of size: PixelSize, longestSide: Int) -> PixelSize {
    let longer = max(size.width, size.height)
    guard longer > longestSide else {
      return PixelSize(width: max(1, size.width), height: max(1, size.height))
    }
    let factor = Double(longestSide) / Double(longer)
    return PixelSize(
      width: max(1, Int((Double(size.width) * factor).rounded())),
      height: max(1, Int((Double(size.height) * factor).rounded())))
  }
}
