// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// Places for results that others write to: kept from other processes from the start of a run, and known to be writable
/// before the work begins.
enum OutputReservation {
  /// Opens a file that is to be replaced.
  /// - Parameters:
  ///   - path: The file as the user named it.
  ///   - option: The name of the option for it: "output".
  ///   - unwritable: The error for the system's reason.
  /// - Returns: The file; nil where something else than a file has that name, which its writer refuses.
  /// - Throws: `output-in-use`, or what `unwritable` makes of the system's reason.
  static func file(
    _ path: String, option: String, unwritable: (SystemError) -> FoveaError
  ) throws(FoveaError) -> ReplacedFile? {
    guard FileStatus(FilePath(path)).map({ $0.kind == .file }) ?? true else { return nil }
    do throws(SystemError) { return try ReplacedFile(path) } catch {
      throw error.isInUse ? .outputInUse(path, option: option) : unwritable(error)
    }
  }

  /// Makes a folder, with those that lead to it, and keeps it.
  /// - Parameters:
  ///   - path: The folder as the user named it.
  ///   - option: The name of the option for it: "output".
  ///   - unwritable: The error for the system's reason.
  /// - Returns: The lock, which its owner keeps to the end of the run.
  /// - Throws: As `file`.
  static func folder(
    _ path: String, option: String, unwritable: (SystemError) -> FoveaError
  ) throws(FoveaError) -> FolderLock {
    do throws(SystemError) { return try FolderLock(path) } catch {
      throw error.isInUse ? .outputInUse(path, option: option) : unwritable(error)
    }
  }
}
