// SPDX-License-Identifier: Apache-2.0

import Fovea

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where results go: whole records only, even when the disk fills up in the middle of one.
final class OutputFile {
  /// Why nothing more can be written.
  enum Failure: Error {
    /// The reader of a pipe has gone; it has what it wanted.
    case closedPipe
    case failed(FoveaError)
  }

  private let descriptor: Int32
  private let name: String
  /// The path that the file gets when it is whole; nil where it is written in place.
  private let finalPath: String?
  private let partialPath: String?
  private let isRegular: Bool
  private let isOwned: Bool
  private var isOpen = true
  /// Whether the command that writes has `--resume`.
  var canBeResumed = true

  /// Standard output, or any other descriptor that is open already and stays open.
  init(descriptor: Int32, name: String = "standard output") {
    self.descriptor = descriptor
    self.name = name
    finalPath = nil
    partialPath = nil
    isOwned = false
    isRegular = FileStatus(descriptor: descriptor)?.kind == .file
  }

  /// A file by path; with `appending` what is there is kept, with `whenWhole` the file appears under its name only
  /// when it is finished.
  init(path: String, appending: Bool, whenWhole: Bool) throws(Failure) {
    // Devices and pipes cannot be replaced by renaming.
    let replaces = whenWhole && FileStatus(FilePath(path)).map { $0.kind == .file } ?? true
    let target = replaces ? PartialPath.beside(path) : path
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC)
    descriptor = unsafe open(target, flags, 0o666)
    guard descriptor >= 0 else {
      throw .failed(
        FoveaError(
          code: .init(rawValue: "output-unwritable"),
          message: "'\(path.printable)' cannot be written: \(systemMessage(errno))",
          remedy: "Name a file in a folder that exists and may be written to"))
    }
    name = path
    finalPath = replaces ? path : nil
    partialPath = replaces ? target : nil
    isOwned = true
    isRegular = FileStatus(descriptor: descriptor)?.kind == .file
  }

  deinit { discard() }

  /// Writes one record, or nothing of it.
  func write(_ text: String) throws(Failure) {
    let (written, failure) = Descriptor.write(text.utf8, to: descriptor)
    guard let failure else { return }
    takeBack(written)
    throw failure == EPIPE ? .closedPipe : .failed(writingFailed(failure))
  }

  /// Closes the file and gives it its name.
  func finish() throws(Failure) {
    guard isOpen else { return }
    isOpen = false
    guard isOwned else { return }
    // Some file systems report a full disk only now.
    guard close(descriptor) == 0 || errno == EINTR else {
      let number = errno
      removePartial()
      throw .failed(writingFailed(number))
    }
    if let partialPath, let finalPath, unsafe rename(partialPath, finalPath) != 0 {
      let number = errno
      removePartial()
      throw .failed(writingFailed(number))
    }
  }

  /// Gives up: what was written in place stays, an unfinished replacement goes.
  func discard() {
    guard isOpen else { return }
    isOpen = false
    if isOwned { close(descriptor) }
    removePartial()
  }

  private func removePartial() {
    if let partialPath { unsafe unlink(partialPath) }
  }

  /// Cuts the part of a record off the end of a file again.
  private func takeBack(_ count: Int) {
    guard isRegular, count > 0 else { return }
    let end = lseek(descriptor, 0, SEEK_CUR)
    // Only at the end of the file: elsewhere the bytes that follow are not ours.
    guard end >= count, FileStatus(descriptor: descriptor)?.size == Int(end) else { return }
    if ftruncate(descriptor, end - count) == 0 { lseek(descriptor, end - count, SEEK_SET) }
  }

  private func writingFailed(_ number: Int32) -> FoveaError {
    FoveaError(
      code: .init(rawValue: number == ENOSPC || number == EDQUOT ? "disk-full" : "output-failed"),
      message: "writing '\(name.printable)' failed: \(systemMessage(number))",
      remedy: number == ENOSPC || number == EDQUOT || number == EFBIG
        ? "Free some space or name another file"
          + (canBeResumed ? "; a jsonl or csv file can be continued with --resume" : "")
        : "Name another file with --output")
  }
}
