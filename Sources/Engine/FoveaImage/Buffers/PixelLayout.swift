// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The layout of a buffer's pixels: format, size and distance between rows.
///
/// It is checked once, when it is created; the frames of a camera or video share one.
public struct PixelLayout: Sendable, Hashable {
  /// The longest side of a buffer in pixels, the same as `ImageLimits.maxDimension`.
  package static let maximumSide = 65_535

  /// The format of the pixels.
  public let format: PixelFormat
  /// The size as stored, in pixels.
  public let size: PixelSize
  /// The distance between the starts of two rows of each plane, in bytes; positive for bottom-up buffers too.
  public let bytesPerRow: [Int]
  /// Whether the first row of each plane is at the highest address and the last one at the lowest, as in
  /// Windows bitmaps and in arrays that were flipped without a copy.
  public let isBottomUp: Bool
  /// The minimum number of bytes of each plane: the last row may end with its last pixel.
  public let planeByteCounts: [Int]
  /// The offset of each plane in a block of consecutive planes, in bytes.
  package let planeOffsets: [Int]

  /// Creates the layout of a buffer.
  /// - Parameters:
  ///   - format: The format of the pixels.
  ///   - size: The size as stored, 1…65,535 pixels in each direction.
  ///   - bytesPerRow: The distance between the starts of two rows of each plane, at least the bytes of a row;
  ///     nil for rows without gaps. Negative distances, for all planes, describe a bottom-up buffer.
  /// - Throws: `ImageError` with `invalid-buffer` for an impossible size or distance; the message contains
  ///   the expected values.
  public init(_ format: PixelFormat, size: PixelSize, bytesPerRow: [Int]? = nil) throws(ImageError) {
    guard (1...Self.maximumSide).contains(size.width), (1...Self.maximumSide).contains(size.height) else {
      throw .invalidBuffer(
        "the buffer is \(size) pixels; each side must be 1…\(Self.maximumSide)",
        remedy: "Give the size that the pixels have")
    }
    let planes = format.planes
    let shapes = planes.map { plane in
      (
        rowBytes: (size.width + plane.step - 1) / plane.step * plane.bytesPerSample,
        rows: (size.height + plane.step - 1) / plane.step
      )
    }
    isBottomUp = (bytesPerRow?.first ?? 0) < 0
    let strides =
      bytesPerRow.map { [isBottomUp] in $0.map { isBottomUp ? 0 &- $0 : $0 } } ?? shapes.map(\.rowBytes)
    guard strides.count == planes.count else {
      throw .invalidBuffer(
        "\(strides.count) row distances were given, \(format) has \(planes.count) planes",
        remedy: "Give one distance for each plane")
    }
    for index in planes.indices {
      guard strides[index] >= shapes[index].rowBytes, strides[index] <= Int(Int32.max) else {
        throw .invalidBuffer(
          "the rows of plane \(index) (\(format.planeNames[index])) are \(strides[index]) bytes apart,"
            + " \(shapes[index].rowBytes)…\(Int32.max) expected for \(size) pixels of \(format)",
          remedy: "Give the distance between the starts of two rows in bytes")
      }
    }
    self.format = format
    self.size = size
    self.bytesPerRow = strides
    // At most 2³¹ times 65,535 for each of three planes, so this cannot overflow.
    planeByteCounts = planes.indices.map { strides[$0] * (shapes[$0].rows - 1) + shapes[$0].rowBytes }
    var offsets = [0]
    for index in planes.indices.dropLast() {
      offsets.append(offsets[index] + strides[index] * shapes[index].rows)
    }
    planeOffsets = offsets
    maximumByteCount = offsets[planes.count - 1] + strides[planes.count - 1] * shapes[planes.count - 1].rows
  }

  /// The minimum number of bytes of a block with all planes.
  public var byteCount: Int { planeOffsets[planeOffsets.count - 1] + planeByteCounts[planeOffsets.count - 1] }

  /// Returns the offset of a plane's first row, in bytes from the plane's lowest address.
  package func firstRowOffset(plane index: Int) -> Int {
    guard isBottomUp else { return 0 }
    return bytesPerRow[index]
      * ((size.height + format.planes[index].step - 1) / format.planes[index].step - 1)
  }

  /// The number of bytes of a block with all planes, including the gap after the last row.
  let maximumByteCount: Int

  /// Throws for a block that cannot hold the consecutive planes.
  ///
  /// Too many bytes are refused as well: the image is probably taller, and its chroma elsewhere.
  func check(blockOf count: Int, name: String) throws(ImageError) {
    guard count < byteCount || count > maximumByteCount else { return }
    let expected = byteCount == maximumByteCount ? "\(byteCount)" : "\(byteCount)…\(maximumByteCount)"
    throw .invalidBuffer(
      "the buffer has \(count) bytes, \(expected) expected for \(size) pixels of \(format)"
        + " with \(bytesPerRow.map(String.init).joined(separator: ", ")) bytes a row",
      remedy: "Give the format, size and row distances that the bytes have", name: name)
  }

  /// Throws if planes are missing, surplus or too short.
  func check(_ planes: [UnsafeRawBufferPointer], name: String) throws(ImageError) {
    let planeCount = unsafe planes.count
    guard planeCount == planeByteCounts.count else {
      throw .invalidBuffer(
        "\(planeCount) planes were given, \(format) has \(planeByteCounts.count)",
        remedy: "Give one piece of memory for each plane", name: name)
    }
    for index in 0..<planeCount {
      let count = unsafe planes[index].count
      guard count >= planeByteCounts[index] else {
        throw .invalidBuffer(
          "plane \(index) (\(format.planeNames[index])) has \(count) bytes,"
            + " \(planeByteCounts[index]) expected for \(size) pixels of \(format)"
            + " with \(bytesPerRow[index]) bytes a row",
          remedy: "Give the whole plane, and the distance between its rows", name: name)
      }
    }
  }
}

extension ImageError {
  static func invalidBuffer(_ message: String, remedy: Advice, name: String = "pixel buffer") -> ImageError {
    ImageError(.invalidBuffer, message, remedy: remedy, subject: name)
  }
}
