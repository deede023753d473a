// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter

/// Checks the counter of allocations with known cases before anything is measured.
enum HeapCheck {
  /// The problem, or nil.
  static func problem() -> String? {
    guard fovea_heap_is_counted() else { return "allocations are counted only with glibc" }
    let before = fovea_heap_now()
    fovea_heap_allocate_five()
    let five = fovea_heap_now()
    guard five.allocations - before.allocations == 5, five.live_bytes == before.live_bytes else {
      return "5 C allocations were counted as \(five.allocations - before.allocations)"
    }
    fovea_heap_reset_peak()
    for _ in 0..<3 {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 64)
      unsafe memory.deallocate()
    }
    let three = fovea_heap_now()
    guard three.allocations - five.allocations == 3 else {
      return "3 Swift allocations were counted as \(three.allocations - five.allocations)"
    }
    let peak = three.peak_bytes - five.live_bytes
    guard (1 << 20..<3 << 19).contains(peak) else { return "1 MiB was measured as \(peak) bytes" }
    return nil
  }
}
