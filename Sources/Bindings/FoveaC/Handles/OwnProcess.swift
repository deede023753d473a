// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore
import Synchronization

/// The process that a handle was opened in.
struct OwnProcess {
  private let generation = fovea_process_generation()

  /// Whether this is that process, not a fork of it.
  var isThis: Bool { generation == fovea_process_generation() }

  /// Refuses a handle inherited by a fork, because the threads of its library do not exist in the child.
  func check(_ name: String) throws(FoveaError) {
    guard !isThis else { return }
    throw FoveaError(
      .wrongProcess, "'\(name)' was opened in the process that this one was forked from",
      remedy: "Open another one after the fork")
  }
}

/// The use of a handle by one thread at a time, in the process that opened it.
final class SoleUse: Sendable {
  private let name: String
  private let process = OwnProcess()
  private let isInUse = Atomic(false)

  /// - Parameter name: The name of the handle in errors.
  init(of name: String) { self.name = name }

  /// Calls `body` exclusively.
  /// - Throws: `busy` if another thread uses the handle, `wrong-process` if another process opened it, and
  ///   the errors of `body`.
  func alone<R>(_ body: () throws(FoveaError) -> R) throws(FoveaError) -> R {
    try process.check(name)
    guard !isInUse.exchange(true, ordering: .acquiring) else {
      throw FoveaError(.busy, "Another thread is using the \(name)", remedy: "Give each \(name) one owner")
    }
    defer { isInUse.store(false, ordering: .releasing) }
    return try body()
  }
}
