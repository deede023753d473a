// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// Closes this process off before it reads what a stranger has sent.
package enum ProcessSeal {
  /// Allows what computing takes and nothing else, for good: memory, threads, clocks, and reading and writing what is open.
  ///
  /// No file can be opened, no address connected to, no other program started and no other process sent a signal.
  /// - Parameter thread: Whether only the calling thread is closed off.
  /// - Returns: Whether the system has what this takes: seccomp, or else a Landlock that knows networks.
  package static func close(onlyThisThread thread: Bool = false) -> Bool {
    fovea_seal_threads(!thread) != FOVEA_SEAL_NONE
  }

  /// Has the system end this process with the thread that started it.
  /// - Parameter parent: The number of the process that the thread is of.
  /// - Returns: Whether that process is still there.
  package static func endWithParent(_ parent: Int32) -> Bool { fovea_end_with_parent(parent) }
}
