// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// Locks and checks output files and folders at the start of a run, for results that other types write.
enum OutputReservation {
  /// Opens a file for replacement.
  /// - Parameters:
  ///   - path: The file as the user named it.
  ///   - option: The name of the option for it: "output".
  ///   - unwritable: Makes the error for the system's reason.
  /// - Returns: The file; nil if the path is not a file's; its writer then refuses it.
  /// - Throws: `output-in-use`, or the error that `unwritable` makes.
  static func file(
    _ path: String, option: String, unwritable: (SystemError) -> FoveaError
  ) throws(FoveaError) -> ReplacedFile? {
    guard FileStatus(FilePath(path)).map({ $0.kind == .file }) ?? true else { return nil }
    do throws(SystemError) { return try ReplacedFile(path) } catch {
      throw error.isInUse ? .outputInUse(path, option: option) : unwritable(error)
    }
  }

  /// Creates a folder with its parents, and locks it.
  /// - Parameters:
  ///   - path: The folder as the user named it.
  ///   - option: The name of the option for it: "output".
  ///   - unwritable: Makes the error for the system's reason.
  /// - Returns: The lock, which its owner holds until the end of the run.
  /// - Throws: As `file`.
  static func folder(
    _ path: String, option: String, unwritable: (SystemError) -> FoveaError
  ) throws(FoveaError) -> FolderLock {
    do throws(SystemError) { return try FolderLock(path) } catch {
      throw error.isInUse ? .outputInUse(path, option: option) : unwritable(error)
    }
  }
}
