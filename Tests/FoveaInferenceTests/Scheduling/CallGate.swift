// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// Holds calls, or their parts, until they are released.
final class CallGate: Sendable {
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
  let begun = Mutex<[String]>([])

  /// Holds the call; it can be released once it is in `begun`.
  func hold(_ name: String) async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0.append(continuation) }
      begun.withLock { $0.append(name) }
    }
  }

  func letOneGo() { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.resume() }
}
#endif
