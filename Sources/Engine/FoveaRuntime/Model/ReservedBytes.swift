// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Zeroed pages that the system allocates only when they are written, freed with their owner.
@safe
final class ReservedBytes {
  // SAFETY: mapped in init, unmapped in deinit; a Session's memory has the session's one owner.
  let memory: UnsafeMutableRawBufferPointer

  /// Reserves `byteCount` bytes, at least one; returns nil if the system has no room for them.
  init?(byteCount: Int) {
    let size = max(byteCount, 1)
    #if os(Linux)
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #else
    let flags = MAP_PRIVATE | MAP_ANON
    #endif
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    #if os(Linux)
    // Otherwise the first byte of a small output would allocate a 2 MiB page.
    unsafe _ = madvise(address, size, MADV_NOHUGEPAGE)
    #endif
    unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  deinit {
    unsafe _ = munmap(memory.baseAddress, memory.count)
  }
}
