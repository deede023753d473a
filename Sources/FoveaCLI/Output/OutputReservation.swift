// SPDX-License-Identifier: Apache-2.0

import Fovea

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A place for results that others write to (a page, a video, a folder): kept from other processes from the start of a
/// run to its end, and known to be writable before the work begins.
final class OutputReservation {
  private let descriptor: Int32
  /// The file that gets replaced.
  private let target: TargetLock?
  /// The path of a file that is new, which goes again where nothing was written.
  private let newFile: String?
  /// The folders that were made, the innermost last; those that stay empty go again.
  private let newFolders: [String]

  private init(
    descriptor: Int32, target: TargetLock? = nil, newFile: String? = nil, newFolders: [String] = []
  ) {
    self.descriptor = descriptor
    self.target = target
    self.newFile = newFile
    self.newFolders = newFolders
  }

  /// Keeps a file that is written at `PartialPath.beside` first, and the one that it replaces; nil for what is no file.
  ///
  /// - Parameters:
  ///   - path: The file as the user named it.
  ///   - option: The option that named it.
  ///   - unwritable: The error for the system's number.
  /// - Returns: The reservation; nil where something else than a file has that name, which its writer refuses.
  /// - Throws: `output-in-use`, or what `unwritable` makes of the system's number.
  static func file(
    _ path: String, option: String, unwritable: (Int32) -> FoveaError
  ) throws(FoveaError) -> OutputReservation? {
    guard FileStatus(FilePath(path)).map({ $0.kind == .file }) ?? true else { return nil }
    do throws(WholeFile.Failure) {
      let (descriptor, isNew, target) = try FileLock.openPartial(for: path)
      return OutputReservation(
        descriptor: descriptor, target: target, newFile: isNew ? PartialPath.beside(path) : nil)
    } catch {
      throw error.number == EWOULDBLOCK ? FileLock.inUse(path, option: option) : unwritable(error.number)
    }
  }

  /// Makes a folder, with those that lead to it, and keeps it.
  static func folder(
    _ path: String, option: String, unwritable: (Int32) -> FoveaError
  ) throws(FoveaError) -> OutputReservation {
    do throws(WholeFile.Failure) {
      let made = try WholeFile.makeFolders(for: ResultFile.path(path, "file"))
      do throws(WholeFile.Failure) {
        let descriptor = try FileLock.openFolder(path)
        guard unsafe access(path, W_OK | X_OK) == 0 else {
          let number = errno
          close(descriptor)
          throw WholeFile.Failure(number: number)
        }
        return OutputReservation(descriptor: descriptor, newFolders: made)
      } catch {
        removeEmpty(made)
        throw error
      }
    } catch {
      throw error.number == EWOULDBLOCK ? FileLock.inUse(path, option: option) : unwritable(error.number)
    }
  }

  deinit {
    // While the lock is held: what another process makes of that name is not ours.
    if let newFile, FileLock.isNamed(descriptor, newFile), FileStatus(descriptor: descriptor)?.size == 0 {
      unsafe unlink(newFile)
    }
    Self.removeEmpty(newFolders)
    close(descriptor)
  }

  private static func removeEmpty(_ folders: [String]) {
    // A folder that holds something stays.
    for folder in folders.reversed() where unsafe rmdir(folder) != 0 { break }
  }
}
