// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Returns memory to the system when the process has grown and is idle: the C library keeps the memory that
/// thousands of connections or a large model needed.
struct IdleMemory: Sendable {
  /// The interval between checks.
  private let interval = Duration.seconds(5)
  /// Returns the process's memory in bytes; nil if unknown.
  private let held: @Sendable () -> Int?
  /// Returns whether the server is idle.
  private let isIdle: @Sendable () -> Bool
  private let trim: @Sendable () -> Void

  /// The smallest growth worth trimming for: meanwhile other threads wait milliseconds for the allocator.
  private static let growth = 8 << 20

  init(
    held: @escaping @Sendable () -> Int?, trim: @escaping @Sendable () -> Void = Allocator.trim,
    isIdle: @escaping @Sendable () -> Bool
  ) {
    self.held = held
    self.trim = trim
    self.isIdle = isIdle
  }

  /// Runs until the task is cancelled.
  func run() async {
    var floor = held() ?? 0
    while (try? await Task.sleep(for: interval)) != nil { floor = step(above: floor) }
  }

  /// Trims memory if the server is idle and the process has grown enough.
  /// - Parameter floor: The memory after the previous step.
  /// - Returns: The memory after this step; `floor` if nothing was done.
  func step(above floor: Int) -> Int {
    guard isIdle(), let before = held(), before >= floor + IdleMemory.growth else { return floor }
    trim()
    return held() ?? before
  }
}
#endif
