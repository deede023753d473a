// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTesting

@testable import FoveaInference

/// A call that has its slot, or waits for one, until it is cancelled.
typealias HeldCall = Task<Void, any Error>

extension Scheduler {
  /// Starts a call that ends only when it is cancelled.
  func hold(for client: String) -> HeldCall {
    Task {
      _ = try await run(for: client, within: .seconds(3_600)) {
        try await Task.sleep(for: .seconds(3_600))
      }
    }
  }

  /// Starts a call of one client in each slot, and waits until all of them run.
  func holdSlots(for client: String) -> [HeldCall] {
    let calls = (0..<slots).map { _ in hold(for: client) }
    blockUntil { counts.running == slots }
    return calls
  }
}
#endif
