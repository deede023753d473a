// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// A sandbox for this process, entered before it reads untrusted data.
package enum ProcessSeal {
  /// Permanently restricts the process to computing: memory, threads, clocks, and reading and writing open
  /// files.
  ///
  /// It can no longer open files, connect to addresses, start programs or send signals to other processes.
  /// - Parameter thread: Whether only the calling thread is restricted.
  /// - Returns: Whether the system supports this: seccomp, or a Landlock with network rules.
  package static func close(onlyThisThread thread: Bool = false) -> Bool {
    fovea_seal_threads(!thread) != FOVEA_SEAL_NONE
  }

  /// Makes the system end this process when the thread that started it ends.
  /// - Parameter parent: The id of that thread's process.
  /// - Returns: Whether that process is still running.
  package static func endWithParent(_ parent: Int32) -> Bool { fovea_end_with_parent(parent) }
}
