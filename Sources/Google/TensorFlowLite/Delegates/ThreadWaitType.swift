// SPDX-License-Identifier: Apache-2.0

/// The way in which a thread waits for GPU work.
///
/// An option of Google's Metal delegate; no delegate of this platform uses it.
public enum ThreadWaitType: Equatable, Hashable, Sendable {
  /// Does not wait: the results are used on the GPU.
  case none
  /// Sleeps until the work is done.
  case passive
  /// Waits with the least delay; may use the CPU meanwhile.
  case active
  /// Waits and keeps the GPU from sleeping.
  case aggressive
}
