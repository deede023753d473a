// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Buffers whose memory is lent for the length of a closure.
///
/// A buffer that outlives its closure does no harm: its memory is not touched again, and each use of it is an error with
/// the code `buffer-expired`. While the closure returns, a reader on another thread is waited for.
extension PixelBuffer {
  /// Lends memory to a buffer for the length of `body`, without a copy.
  ///
  /// Two readers at the same time take turns; a pass into a tensor takes well below a millisecond.
  /// - Parameters:
  ///   - layout: Where each pixel lies.
  ///   - planes: One piece of memory for each plane. It must stay valid and unchanged until this returns.
  ///   - orientation: How the pixels must be rotated to be upright.
  ///   - name: What errors call the image.
  ///   - body: Uses the buffer.
  /// - Returns: What `body` returns.
  /// - Throws: `ImageError` with `invalid-buffer` when a plane is missing or too short; what `body` throws.
  public static func withUnsafeBorrowed<R>(
    _ layout: PixelLayout, planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer", _ body: (PixelBuffer) throws -> R
  ) throws -> R {
    let buffer = unsafe try lent(layout, planes, orientation, name)
    defer { buffer.storage.endLoan() }
    return try body(buffer)
  }

  /// Lends memory to a buffer for the length of `body`, which may wait for a detector; without a copy.
  /// - Parameters:
  ///   - layout: Where each pixel lies.
  ///   - planes: One piece of memory for each plane. It must stay valid and unchanged until this returns.
  ///   - orientation: How the pixels must be rotated to be upright.
  ///   - name: What errors call the image.
  ///   - body: Uses the buffer.
  /// - Returns: What `body` returns.
  /// - Throws: `ImageError` with `invalid-buffer` when a plane is missing or too short; what `body` throws.
  public static func withUnsafeBorrowed<R>(
    _ layout: PixelLayout, planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer", _ body: (PixelBuffer) async throws -> R
  ) async throws -> R {
    let buffer = unsafe try lent(layout, planes, orientation, name)
    defer { buffer.storage.endLoan() }
    return try await body(buffer)
  }

  /// Lends a span that holds the planes one after the other to a buffer for the length of `body`, without a copy.
  /// - Parameters:
  ///   - layout: Where each pixel lies.
  ///   - bytes: The planes, each with all its rows; the gap after the very last row may be missing.
  ///   - orientation: How the pixels must be rotated to be upright.
  ///   - name: What errors call the image.
  ///   - body: Uses the buffer.
  /// - Returns: What `body` returns.
  /// - Throws: `ImageError` with `invalid-buffer` when there are fewer or more bytes than the layout has; what `body`
  ///   throws.
  public static func withBorrowed<R>(
    _ layout: PixelLayout, bytes: Span<UInt8>, orientation: Orientation = .up, name: String = "pixel buffer",
    _ body: (PixelBuffer) throws -> R
  ) throws -> R {
    try layout.check(blockOf: bytes.count, name: name)
    // SAFETY: the span cannot end before this returns, and the loan ends then too.
    return try unsafe bytes.bytes.withUnsafeBytes { bytes in
      let planes = unsafe zip(layout.planeOffsets, layout.planeByteCounts).map { start, count in
        unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
      }
      return try unsafe withUnsafeBorrowed(layout, planes: planes, orientation: orientation, name: name, body)
    }
  }

  private static func lent(
    _ layout: PixelLayout, _ planes: [UnsafeRawBufferPointer], _ orientation: Orientation, _ name: String
  ) throws(ImageError) -> PixelBuffer {
    try unsafe layout.check(planes, name: name)
    return PixelBuffer(
      layout, storage: unsafe PixelStorage(lent: planes), orientation: orientation, name: name)
  }
}
