// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Gives the planes where they lie for the length of `body`.
  /// - Parameter body: Reads the planes, as many as the layout has, each of `PixelLayout.planeByteCounts` bytes from its
  ///   lowest address, which is that of the last row where the layout is bottom-up; the pointers must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: `ImageError` with `buffer-expired` when the pixels were lent for a call that is over.
  package func withUnsafePlanes<R: Sendable>(
    _ body: ([UnsafeRawBufferPointer]) -> R
  ) throws(ImageError) -> R {
    try unsafe storage.withBases(name: name) { (bases) throws(ImageError) in
      let starts = unsafe [bases.first, bases.second, bases.third]
      let planes = unsafe zip(starts, layout.planeByteCounts).map { start, count in
        unsafe UnsafeRawBufferPointer(start: start, count: count)
      }
      return unsafe body(planes)
    }
  }
}
