// SPDX-License-Identifier: Apache-2.0

/// Zeroed memory, aligned to 64 bytes as LiteRT wants tensors, freed with its owner.
@safe
final class AlignedBytes: @unchecked Sendable {
  // SAFETY: @unchecked Sendable: a Model never writes the memory after filling it; a Session's memory has the
  // session's one owner.
  let memory: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    unsafe memory = .allocate(byteCount: max(byteCount, 1), alignment: 64)
    unsafe _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    unsafe memory.deallocate()
  }
}
