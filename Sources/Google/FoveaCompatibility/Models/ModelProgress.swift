// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The progress of one download in bytes, which one thread reports and others read.
///
/// It never falls: where a transfer begins again, it stands until that has caught up. It is finished exactly when the model can be used: until then one byte is missing. Before the size is known it is
/// indeterminate.
// SAFETY: what this class adds is in `state`, a mutex that is never held while others are called; the inherited counts are
// written by the download alone, by one thread at a time, and looked at through the lock.
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

  /// What ends the download; called once at most.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled && !state.isDone { state.handler = handler }
      return state.isCancelled
    }
    if isLate { handler() }
  }

  /// Reports how many bytes are there.
  func update(done: Int, total: Int?) {
    guard !isFinished, !isCancelled else { return }
    let total = total.map { Int64(max($0, 1)) } ?? -1
    if totalUnitCount != total { totalUnitCount = total }
    let present = completedUnitCount
    completedUnitCount = max(present, total > 0 ? min(Int64(done), total - 1) : Int64(done))
  }

  /// Reports that the model is in its place.
  func finish(byteCount: Int) {
    totalUnitCount = Int64(max(byteCount, 1))
    completedUnitCount = totalUnitCount
    state.withLock { state in
      state.isDone = true
      state.handler = nil
    }
  }
}
