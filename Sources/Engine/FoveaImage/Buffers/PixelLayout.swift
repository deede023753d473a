// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Where each pixel of a buffer lies: its format, its size and the distance between rows.
///
/// Checked once, when it is made; the frames of a camera or video share one.
public struct PixelLayout: Sendable, Hashable {
  /// The longest side in pixels that a buffer may have, as with `ImageLimits.maxDimension`.
  public static let maximumSide = 65_535

  /// How the pixels are laid out.
  public let format: PixelFormat
  /// Width and height as stored, in pixels.
  public let size: PixelSize
  /// For each plane the distance between the starts of two rows, in bytes; above 0 in either order.
  public let bytesPerRow: [Int]
  /// Whether the first row of each plane lies at the highest address and the last one at the lowest, as in Windows' bitmaps
  /// and in an array that was flipped without a copy.
  public let isBottomUp: Bool
  /// For each plane the bytes that it has at least: the last row may end with its last pixel.
  public let planeByteCounts: [Int]
  /// For each plane where it begins when the planes follow each other in one block, in bytes.
  public let planeOffsets: [Int]

  /// Describes a buffer.
  /// - Parameters:
  ///   - format: How the pixels are laid out.
  ///   - size: Width and height as stored, 1…65,535 pixels each.
  ///   - bytesPerRow: For each plane the distance between the starts of two rows, at least a row's bytes; nil for rows
  ///     without gaps. Distances below 0, then for all planes, are those of a bottom-up buffer.
  /// - Throws: `ImageError` with `invalid-buffer` for a size or distance that cannot be, naming what was expected.
  public init(_ format: PixelFormat, size: PixelSize, bytesPerRow: [Int]? = nil) throws(ImageError) {
    guard (1...Self.maximumSide).contains(size.width), (1...Self.maximumSide).contains(size.height) else {
      throw .invalidBuffer(
        "the buffer is \(size) pixels, 1…\(Self.maximumSide) each way expected",
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
    // At most 2³¹ times 65,535 for each of three planes: no overflow.
    planeByteCounts = planes.indices.map { strides[$0] * (shapes[$0].rows - 1) + shapes[$0].rowBytes }
    var offsets = [0]
    for index in planes.indices.dropLast() {
      offsets.append(offsets[index] + strides[index] * shapes[index].rows)
    }
    planeOffsets = offsets
    maximumByteCount = offsets[planes.count - 1] + strides[planes.count - 1] * shapes[planes.count - 1].rows
  }

  /// The bytes that one block with all planes has at least.
  public var byteCount: Int { planeOffsets[planeOffsets.count - 1] + planeByteCounts[planeOffsets.count - 1] }

  /// Where the first row of a plane begins, in bytes from the plane's lowest address.
  package func firstRowOffset(plane index: Int) -> Int {
    guard isBottomUp else { return 0 }
    return bytesPerRow[index]
      * ((size.height + format.planes[index].step - 1) / format.planes[index].step - 1)
  }

  /// The bytes of one block with all planes, with the gap after the very last row.
  let maximumByteCount: Int

  /// Refuses a block that cannot be the planes one after the other.
  ///
  /// Too many bytes are refused as well: the image is probably higher than said, and the chroma elsewhere.
  func check(blockOf count: Int, name: String) throws(ImageError) {
    guard count < byteCount || count > maximumByteCount else { return }
    let expected = byteCount == maximumByteCount ? "\(byteCount)" : "\(byteCount)…\(maximumByteCount)"
    throw .invalidBuffer(
      "the buffer has \(count) bytes, \(expected) expected for \(size) pixels of \(format)"
        + " with \(bytesPerRow.map(String.init).joined(separator: ", ")) bytes a row",
      remedy: "Give the format, size and row distances that the bytes have", name: name)
  }

  /// Refuses planes that are too few, too many, too short or nowhere.
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
          "plane \(index) (\(format.planeNames[index])) has \(count) bytes, \(planeByteCounts[index]) expected"
            + " for \(size) pixels of \(format) with \(bytesPerRow[index]) bytes a row",
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
