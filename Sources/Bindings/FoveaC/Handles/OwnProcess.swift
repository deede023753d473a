// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore

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
