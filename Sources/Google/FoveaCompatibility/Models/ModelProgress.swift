// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The progress of one download in bytes, which one thread reports and others read.
///
/// It never decreases: if a transfer restarts, it stays unchanged until the transfer has caught up. It
/// stays one byte short of the total until the model can be used, so that it finishes exactly then. It is
/// indeterminate until the size is known.
// SAFETY: this class keeps its state in `state`, a mutex that is never held during calls; only the download,
// one thread at a time, writes the inherited counts, and they are read under the lock.
final class ModelProgress: Progress, @unchecked Sendable {
  private struct State: Sendable {
    var done: Int64 = 0
    var total: Int64 = -1
    var isDone = false
    var isCancelled = false
    var handler: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())

  init() {
    super.init(parent: nil, userInfo: nil)
    isCancellable = true
    kind = .file
    totalUnitCount = -1
  }

  override var isFinished: Bool { state.withLock { $0.isDone } }
  override var isCancelled: Bool {
    get { state.withLock { $0.isCancelled } }
    set { state.withLock { $0.isCancelled = newValue } }
  }
  override var totalUnitCount: Int64 {
    get { state.withLock { $0.total } }
    set {
      state.withLock { $0.total = newValue }
      super.totalUnitCount = newValue
    }
  }
  override var completedUnitCount: Int64 {
    get { state.withLock { $0.done } }
    set {
      state.withLock { $0.done = newValue }
      super.completedUnitCount = newValue
    }
  }

  override func cancel() {
    super.cancel()
    let handler = state.withLock { state in
      state.isCancelled = true
      defer { state.handler = nil }
      return state.handler
    }
    handler?()
  }

  /// Sets the handler that stops the download; it is called at most once.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled && !state.isDone { state.handler = handler }
      return state.isCancelled
    }
    if isLate { handler() }
  }

  /// Reports the number of downloaded bytes.
  func update(done: Int, total: Int?) {
    guard !isFinished, !isCancelled else { return }
    let total = total.map { Int64(max($0, 1)) } ?? -1
    if totalUnitCount != total { totalUnitCount = total }
    let present = completedUnitCount
    completedUnitCount = max(present, total > 0 ? min(Int64(done), total - 1) : Int64(done))
  }

  /// Reports that the model is installed.
  func finish(byteCount: Int) {
    totalUnitCount = Int64(max(byteCount, 1))
    completedUnitCount = totalUnitCount
    state.withLock { state in
      state.isDone = true
      state.handler = nil
    }
  }
}
