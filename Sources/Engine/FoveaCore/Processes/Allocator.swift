// SPDX-License-Identifier: Apache-2.0

/// How the C library keeps memory that was given back to it.
package enum Allocator {
  /// Returns large blocks to the system at once, and shares one heap among several threads.
  ///
  /// glibc gives each thread a heap of its own and raises the size from which blocks are returned, up to 32 MiB, with what the
  /// program frees. A server that loads one model while another answers then keeps several times what it uses: 191 MiB in
  /// place of 103 after a hundred loads. Variables `MALLOC_…` of the environment count more; other C libraries are left as they are. Call it before
  /// the process has threads.
  /// - Parameter heaps: The most heaps, at least 1.
  package static func returnMemory(heaps: Int) {
    #if canImport(Glibc)
    let own = ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"]
    guard own.allSatisfy({ Environment.value($0) == nil }) else { return }
    // Swift's module of glibc lacks <malloc.h>.
    guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
    // SAFETY: mallopt has this type in every glibc; it takes numbers alone.
    let mallopt = unsafe unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    _ = mallopt(Parameter.arenaMax, CInt(clamping: max(1, heaps)))
    _ = mallopt(Parameter.mapThreshold, 1 << 20)
    _ = mallopt(Parameter.trimThreshold, 2 << 20)
    #endif
  }

  /// Returns what can be returned now, as after something large has gone; it takes a few milliseconds.
  package static func trim() {
    #if canImport(Glibc)
    guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
    // SAFETY: malloc_trim has this type in every glibc; it takes a number alone.
    let trim = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)
    _ = trim(0)
    #endif
  }

  /// The numbers of <malloc.h>.
  private enum Parameter {
    static let trimThreshold: CInt = -1
    static let mapThreshold: CInt = -3
    static let arenaMax: CInt = -8
  }
}
