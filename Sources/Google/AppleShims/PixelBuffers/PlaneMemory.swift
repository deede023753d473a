// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The memory of a pixel buffer, and the function that releases it.
@safe final class PlaneMemory: @unchecked Sendable {
  // SAFETY: the addresses are set in init and never change. Callers that write the bytes lock the buffer, and
  // write while no detector reads, as with Core Video.

  /// One plane.
  @safe struct Plane {
    // SAFETY: read and written only through the buffer that owns the memory.
    var base: UnsafeMutableRawPointer?
    var width: Int
    var height: Int
    var bytesPerRow: Int
    /// The number of bytes that may be read from `base`.
    var byteCount: Int
  }

  let planes: [Plane]
  private let release: () -> Void

  /// Adopts memory until `release` is called, once.
  init(_ planes: [Plane], release: @escaping () -> Void) {
    self.planes = planes
    self.release = release
  }

  /// Allocates memory, all zeros, with consecutive planes; nil if memory is exhausted.
  ///
  /// Each plane starts at a multiple of 64 bytes.
  /// - Parameter shapes: The content and the row distance of each plane.
  init?(_ shapes: [PlaneShape]) {
    let counts = shapes.map { ($0.bytesPerRow * $0.height + 63) / 64 * 64 }
    let total = counts.reduce(0, +)
    // Zero pages of the system: pages that are never written use no memory, however large the buffer is
    // declared.
    guard total > 0, let block = unsafe calloc(total / 64 + 1, 64) else { return nil }
    var offset = (64 - Int(bitPattern: block) % 64) % 64
    var planes: [Plane] = []
    for (shape, count) in zip(shapes, counts) {
      planes.append(
        unsafe Plane(
          base: block + offset, width: shape.width, height: shape.height, bytesPerRow: shape.bytesPerRow,
          byteCount: count))
      offset += count
    }
    self.planes = planes
    release = { unsafe free(block) }
  }

  deinit { release() }
}
