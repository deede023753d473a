// SPDX-License-Identifier: Apache-2.0

/// Tunes how the C library keeps freed memory.
package enum Allocator {
  /// Returns large blocks to the system immediately, and shares one heap among several threads.
  ///
  /// glibc gives each thread its own heap and raises the minimum size of blocks that it returns to the
  /// system, up to 32 MiB, as the program frees memory. A server that loads models while others run would
  /// otherwise keep several times the memory it uses: 191 MiB instead of 103 after a hundred loads.
  /// Environment variables `MALLOC_…` take precedence; other C libraries are not changed. Call it before the
  /// process has threads.
  /// - Parameter heaps: The maximum number of heaps, at least 1.
  package static func returnMemory(heaps: Int) {
    #if canImport(Glibc)
    let own = ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"]
    guard own.allSatisfy({ Environment.value($0) == nil }) else { return }
    // Swift's module of glibc lacks <malloc.h>.
    guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
    // SAFETY: mallopt has this type in every glibc; its parameters are numbers only.
    let mallopt = unsafe unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    _ = mallopt(Parameter.arenaMax, CInt(clamping: max(1, heaps)))
    _ = mallopt(Parameter.mapThreshold, 1 << 20)
    _ = mallopt(Parameter.trimThreshold, 2 << 20)
    #endif
  }

  /// Returns freed memory to the system, for example after a large object is released; takes a few
  /// milliseconds.
  package static func trim() {
    #if canImport(Glibc)
    guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
    // SAFETY: malloc_trim has this type in every glibc; its parameter is a number.
    let trim = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)
    _ = trim(0)
    #endif
  }

  /// The constants of <malloc.h>.
  private enum Parameter {
    static let trimThreshold: CInt = -1
    static let mapThreshold: CInt = -3
    static let arenaMax: CInt = -8
  }
}
