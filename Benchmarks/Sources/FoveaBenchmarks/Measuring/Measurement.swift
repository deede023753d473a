// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The measurements of one benchmark.
struct Measurement {
  /// Process CPU time of an iteration, in nanoseconds, which a busy machine disturbs least; the minimum first.
  var cpuLeast: Int
  var cpu50: Int
  var cpu90: Int
  /// Wall time of an iteration, in nanoseconds.
  var wall50: Int
  var wall90: Int
  /// Heap allocations of an iteration: the minimum, without other activity.
  var allocations: Int
  /// The peak heap memory of an iteration above its start, in bytes: the minimum.
  var peakBytes: Int
  var iterations: Int

  /// The rules of measuring, printed with the results.
  static let warmUps = 10
  static let heapIterations = 10
  static let seconds = 0.5
  static let iterationRange = 20...5_000

  /// Warms up, counts allocations, then measures times; without `timed` only as many as needed to print some.
  static func measure(_ benchmark: Benchmark, timed: Bool) async throws -> Measurement {
    for _ in 0..<warmUps { try await benchmark.iterate() }
    var allocations = Int.max
    var peak = Int.max
    for _ in 0..<heapIterations {
      fovea_heap_reset_peak()
      let before = fovea_heap_now()
      try await benchmark.iterate()
      let after = fovea_heap_now()
      allocations = min(allocations, Int(after.allocations - before.allocations))
      peak = min(peak, Int(after.peak_bytes - before.live_bytes))
    }
    var cpu: [Int] = []
    var wall: [Int] = []
    let start = nanoseconds(CLOCK_MONOTONIC)
    let least = timed ? iterationRange.lowerBound : 3
    while wall.count < least
      || (timed && wall.count < iterationRange.upperBound
        && Double(nanoseconds(CLOCK_MONOTONIC) - start) < seconds * 1e9)
    {
      let (cpuStart, wallStart) = (nanoseconds(CLOCK_PROCESS_CPUTIME_ID), nanoseconds(CLOCK_MONOTONIC))
      try await benchmark.iterate()
      wall.append(nanoseconds(CLOCK_MONOTONIC) - wallStart)
      cpu.append(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpuStart)
    }
    cpu.sort()
    wall.sort()
    return Measurement(
      cpuLeast: cpu[0], cpu50: cpu[cpu.count / 2], cpu90: cpu[cpu.count * 9 / 10],
      wall50: wall[wall.count / 2], wall90: wall[wall.count * 9 / 10], allocations: allocations,
      peakBytes: peak, iterations: wall.count)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
