// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Buffers whose memory is lent for the duration of a closure.
///
/// A buffer that outlives its closure is harmless: its memory is no longer accessed, and each use throws an
/// error with the code `buffer-expired`. The loan ends only after a reader on another thread has finished.
extension PixelBuffer {
  /// Lends memory to a buffer for the duration of `body`, without a copy.
  ///
  /// Concurrent readers take turns; a pass into a tensor takes well below a millisecond.
  /// - Parameters:
  ///   - layout: The layout of the pixels.
  ///   - planes: The memory of each plane. It must stay valid and unchanged until this method returns.
  ///   - orientation: The orientation of the stored pixels.
  ///   - name: The image's name in error messages.
  ///   - body: Uses the buffer.
  /// - Returns: The result of `body`.
  /// - Throws: `ImageError` with `invalid-buffer` if a plane is missing or too short; any error of `body`.
  public static func withUnsafeBorrowed<R>(
    _ layout: PixelLayout, planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer", _ body: (PixelBuffer) throws -> R
  ) throws -> R {
    let buffer = unsafe try lent(layout, planes, orientation, name)
    defer { buffer.storage.endLoan() }
    return try body(buffer)
  }

  /// Lends memory to a buffer for the duration of an asynchronous `body`, without a copy.
  /// - Parameters:
  ///   - layout: The layout of the pixels.
  ///   - planes: The memory of each plane. It must stay valid and unchanged until this method returns.
  ///   - orientation: The orientation of the stored pixels.
  ///   - name: The image's name in error messages.
  ///   - body: Uses the buffer.
  /// - Returns: The result of `body`.
  /// - Throws: `ImageError` with `invalid-buffer` if a plane is missing or too short; any error of `body`.
  public static func withUnsafeBorrowed<R>(
    _ layout: PixelLayout, planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer", _ body: (PixelBuffer) async throws -> R
  ) async throws -> R {
    let buffer = unsafe try lent(layout, planes, orientation, name)
    defer { buffer.storage.endLoan() }
    return try await body(buffer)
  }

  /// Lends a span with consecutive planes to a buffer for the duration of `body`, without a copy.
  /// - Parameters:
  ///   - layout: The layout of the pixels.
  ///   - bytes: The planes, each with all its rows; the gap after the very last row may be missing.
  ///   - orientation: The orientation of the stored pixels.
  ///   - name: The image's name in error messages.
  ///   - body: Uses the buffer.
  /// - Returns: The result of `body`.
  /// - Throws: `ImageError` with `invalid-buffer` if the number of bytes does not fit the layout; any error
  ///   of `body`.
  public static func withBorrowed<R>(
    _ layout: PixelLayout, bytes: Span<UInt8>, orientation: Orientation = .up, name: String = "pixel buffer",
    _ body: (PixelBuffer) throws -> R
  ) throws -> R {
    try layout.check(blockOf: bytes.count, name: name)
    // SAFETY: the span outlives this call, and the loan ends before it returns.
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
