// SPDX-License-Identifier: Apache-2.0

/// How a thread waits for work that it gave to a GPU.
///
/// Google's Metal delegate takes it; no delegate of this platform does.
public enum ThreadWaitType: Equatable, Hashable, Sendable {
  /// It does not wait: the answer is used on the GPU.
  case none
  /// It sleeps until the work is done.
  case passive
  /// It waits with the least delay and may use the CPU for it.
  case active
  /// It waits and keeps the GPU from going to sleep.
  case aggressive
}
