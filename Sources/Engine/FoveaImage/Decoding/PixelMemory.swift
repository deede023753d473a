// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Pixel memory that throws an error instead of trapping when allocation fails.
@safe final class PixelMemory {
  // SAFETY: allocated in init or adopted from a library, freed in deinit, never replaced.
  let base: UnsafeMutablePointer<UInt8>
  let count: Int
  private let release: () -> Void

  /// Allocates `count` bytes with undefined values.
  init(count: Int, name: String) throws(ImageError) {
    guard let memory = unsafe malloc(max(count, 1)) else { throw .outOfMemory(name, byteCount: count) }
    unsafe base = memory.bindMemory(to: UInt8.self, capacity: max(count, 1))
    self.count = count
    release = { unsafe free(memory) }
  }

  /// Adopts memory that belongs to a library's object until `release` is called.
  init(adopting base: UnsafeMutablePointer<UInt8>, count: Int, release: @escaping () -> Void) {
    unsafe self.base = unsafe base
    self.count = count
    self.release = release
  }

  deinit { release() }
}
