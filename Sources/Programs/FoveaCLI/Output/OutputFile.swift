// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// The output for results.
///
/// It contains only complete records, even if the disk fills up in the middle of one.
///
/// A file is opened and locked immediately, but changed only with the first record: a run that fails earlier
/// leaves an existing file unchanged and removes a new one.
final class OutputFile {
  /// The reason why nothing more can be written.
  enum Failure: Error {
    /// The reader has closed the pipe.
    case closedPipe
    case failed(FoveaError)
  }

  private var descriptor: Int32
  private let name: String
  /// The option that names the file.
  private let option: String
  /// The replacement being written; nil if the file is written in place.
  private let replacement: ReplacedFile?
  private let isRegular: Bool
  private let isOwned: Bool
  private let isAppending: Bool
  /// Whether a file that is written in place did not exist before.
  private let isNew: Bool
  private var isOpen = true
  private var hasBegun = false
  /// Whether the command has `--resume`.
  var canBeResumed = true

  /// Writes to standard output, or to another open descriptor, which stays open.
  init(descriptor: Int32, name: String = "standard output", option: String = "output") {
    self.descriptor = descriptor
    self.name = name
    self.option = option
    replacement = nil
    isOwned = false
    isAppending = true
    isNew = false
    isRegular = FileStatus(descriptor: descriptor)?.kind == .file
  }

  /// Writes to a file; `appending` keeps its content, `whenWhole` gives it its name only when it is finished.
  ///
  /// A symbolic link's target is written or replaced. Devices and pipes are written directly, and so are
  /// standard output and standard error under names like "/dev/stdout".
  /// - Throws: `output-in-use` if another process is writing the file, `output-unwritable`.
  convenience init(
    path: String, appending: Bool, whenWhole: Bool, option: String = "output"
  ) throws(Failure) {
    if !appending, let stream = StandardDescriptors.output(at: path) {
      self.init(descriptor: stream, name: path, option: option)
      return
    }
    let status = FileStatus(FilePath(path))
    // Devices and pipes cannot be replaced by renaming.
    let replaces = whenWhole && status.map { $0.kind == .file } ?? true
    do throws(SystemError) {
      if replaces {
        let file = try ReplacedFile(path)
        self.init(
          descriptor: file.descriptor, isNew: false, name: path, option, replacement: file, appending)
      } else {
        let (descriptor, isNew) = try FileLock.openInPlace(path)
        self.init(descriptor: descriptor, isNew: isNew, name: path, option, replacement: nil, appending)
      }
    } catch {
      throw .failed(.outputUnwritable(path, error, option: option))
    }
  }

  private init(
    descriptor: Int32, isNew: Bool, name: String, _ option: String, replacement: ReplacedFile?,
    _ isAppending: Bool
  ) {
    self.descriptor = descriptor
    self.name = name
    self.option = option
    self.isNew = isNew
    self.isAppending = isAppending
    self.replacement = replacement
    isOwned = true
    isRegular = FileStatus(descriptor: descriptor)?.kind == .file
  }

  /// Opens a file before processing starts; nil for a device or pipe, as opening it could wait for a reader.
  /// - Throws: As `init`.
  static func early(
    path: String, appending: Bool, whenWhole: Bool, option: String = "output"
  ) throws(FoveaError) -> OutputFile? {
    guard FileStatus(FilePath(path)).map({ $0.kind == .file }) ?? true else { return nil }
    do throws(Failure) {
      return try OutputFile(path: path, appending: appending, whenWhole: whenWhole, option: option)
    } catch {
      switch error {
      case .closedPipe: return nil
      case .failed(let reason): throw reason
      }
    }
  }

  deinit { discard() }

  /// Writes a complete record, or nothing.
  func write(_ text: String) throws(Failure) { try write(bytes: text.utf8) }

  /// Writes all bytes, or nothing.
  func write(bytes: some Sequence<UInt8>) throws(Failure) {
    try begin()
    let (written, failure) = Descriptor.write(bytes, to: descriptor)
    guard let failure else { return }
    takeBack(written)
    throw failure == EPIPE ? .closedPipe : .failed(writingFailed(SystemError(failure)))
  }

  /// Closes the file and renames it to its final name.
  func finish() throws(Failure) {
    guard isOpen else { return }
    guard isOwned else {
      isOpen = false
      return
    }
    try begin()
    isOpen = false
    do throws(SystemError) {
      if let replacement { try replacement.commit() } else { try Descriptor.sync(descriptor) }
    } catch {
      close()
      throw .failed(writingFailed(error))
    }
    close()
  }

  /// Closes an unfinished file: output written in place stays, a replacement is deleted.
  func discard() {
    guard isOpen else { return }
    isOpen = false
    guard isOwned else { return }
    if replacement == nil, isNew, !hasBegun, isRegular, FileStatus(descriptor: descriptor)?.size == 0,
      FileLock.isNamed(descriptor, name)
    {
      unsafe unlink(name)
    }
    close()
  }

  /// Closes the file and releases its lock.
  private func close() {
    if let replacement { replacement.discard() } else { Descriptor.close(descriptor) }
  }

  /// Switches to another, locked file that has replaced this one under its name.
  func adopt(_ other: Int32) {
    Descriptor.close(descriptor)
    descriptor = other
  }

  /// Truncates the file before the first record, or sets it to append.
  private func begin() throws(Failure) {
    guard isOwned, !hasBegun else { return }
    hasBegun = true
    guard isRegular else { return }
    do throws(SystemError) {
      if let replacement {
        try replacement.begin()
      } else if isAppending ? fcntl(descriptor, F_SETFL, O_APPEND) != 0 : ftruncate(descriptor, 0) != 0 {
        throw SystemError(errno)
      }
    } catch {
      throw .failed(writingFailed(error))
    }
  }

  /// Removes a partially written record from the end of the file.
  private func takeBack(_ count: Int) {
    guard isRegular, count > 0 else { return }
    let end = lseek(descriptor, 0, SEEK_CUR)
    // Only at the end of the file; elsewhere, the following bytes belong to another writer.
    guard end >= count, FileStatus(descriptor: descriptor)?.size == Int(end) else { return }
    if ftruncate(descriptor, end - count) == 0 { lseek(descriptor, end - count, SEEK_SET) }
  }

  private func writingFailed(_ error: SystemError) -> FoveaError {
    .writingFailed(name, error, option: option, canBeResumed: canBeResumed)
  }
}

extension FoveaError {
  /// The file of `--output` or another option could not be written completely.
  static func writingFailed(
    _ path: String, _ error: SystemError, option: String, canBeResumed: Bool = false
  ) -> FoveaError {
    if error.isInUse { return .outputInUse(path, option: option) }
    return FoveaError(
      error.isFull ? .diskFull : .outputFailed,
      "writing '\(path.printable)' failed: \(error.message)",
      remedy: error.spaceRemedy.map { first -> Advice in
        "\(first) or name another file"
          + (canBeResumed ? "; a \(OutputFormat.resumableFileNames) file can be continued with --resume" : "")
      } ?? "Name another file with --\(option)")
  }

  /// The file of `--output` or another option cannot be opened.
  static func outputUnwritable(
    _ path: String, _ error: SystemError, option: String = "output"
  ) -> FoveaError {
    if error.isInUse { return .outputInUse(path, option: option) }
    return FoveaError(
      .outputUnwritable, "'\(path.printable)' cannot be written: \(error.message)",
      remedy: "Name a file in a folder that exists and may be written to")
  }
}
