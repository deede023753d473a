// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The memory of a pixel buffer, and who gets it back.
@safe final class PixelMemory: @unchecked Sendable {
  // SAFETY: the addresses are set in init and never change. Who writes the bytes locks the buffer, and writes while no
  // detector reads, as with Core Video.

  /// One plane.
  @safe struct Plane {
    // SAFETY: read and written only through the buffer that owns the memory.
    var base: UnsafeMutableRawPointer?
    var width: Int
    var height: Int
    var bytesPerRow: Int
    /// The bytes that may be read from `base` on.
    var byteCount: Int
  }

  let planes: [Plane]
  private let release: () -> Void

  /// Takes memory over until `release` is called, once.
  init(_ planes: [Plane], release: @escaping () -> Void) {
    self.planes = planes
    self.release = release
  }

  /// Takes new memory, all zeros, or gives nil where there is none; the planes lie one after the other.
  ///
  /// Each begins at a multiple of 64 bytes.
  /// - Parameter shapes: What each plane holds; and how far its rows are apart.
  init?(_ shapes: [PlaneShape]) {
    let counts = shapes.map { ($0.bytesPerRow * $0.height + 63) / 64 * 64 }
    let total = counts.reduce(0, +)
    // Zero pages of the system: what no one writes takes no memory, however large the buffer is said to be.
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
