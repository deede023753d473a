// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Returns memory to the system where the process has grown and has nothing to do: the C library keeps what thousands of
/// connections or a large model have needed.
struct IdleMemory: Sendable {
  /// How often it is looked for.
  private let interval = Duration.seconds(5)
  /// What the process holds, in bytes; nil where that is not known.
  private let held: @Sendable () -> Int?
  /// Whether nothing is worked on.
  private let isIdle: @Sendable () -> Bool
  private let trim: @Sendable () -> Void

  /// Less is not worth the milliseconds for which others wait for the allocator.
  private static let growth = 8 << 20

  init(
    held: @escaping @Sendable () -> Int?, trim: @escaping @Sendable () -> Void = Allocator.trim,
    isIdle: @escaping @Sendable () -> Bool
  ) {
    self.held = held
    self.trim = trim
    self.isIdle = isIdle
  }

  /// Goes on until the task is cancelled.
  func run() async {
    var floor = held() ?? 0
    while (try? await Task.sleep(for: interval)) != nil { floor = step(above: floor) }
  }

  /// Trims where it is worth it.
  /// - Parameter floor: What the process held after the last time.
  /// - Returns: What it holds after this time; `floor` where nothing was done.
  func step(above floor: Int) -> Int {
    guard isIdle(), let before = held(), before >= floor + IdleMemory.growth else { return floor }
    trim()
    return held() ?? before
  }
}
#endif
