// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// Writes a model file atomically, even if it replaces the model that it was made from.
enum ModelFileOutput {
  /// Writes a file that appears whole or not at all.
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file; a name such as `/dev/stdout` writes to the open stream.
  ///   - stop: The user's request to stop, which keeps what was there until the new file has its name.
  /// - Throws: `output-unwritable`, `disk-full`, `output-failed`; `cancelled` after a request to stop.
  static func write(
    _ bytes: [UInt8], to path: String, stop: StopSignal = StopSignal()
  ) throws(FoveaError) {
    try stop.check()
    // For names like /dev/stdout: write to the open stream and never replace it.
    if let stream = StandardDescriptors.output(at: path) {
      if let number = Descriptor.write(bytes, to: stream).error { throw failed(path, SystemError(number)) }
      return
    }
    // The source model may be this file: its mapping stays valid after the new file takes the name.
    if FileStatus(FilePath(path))?.kind == .folder {
      throw FoveaError(
        .outputUnwritable, "'\(path.printable)' is a folder",
        remedy: "Name a file in it with --output")
    }
    do throws(SystemError) {
      try ReplacedFile.write(bytes, to: path, isCancelled: { stop.isRequested })
    } catch {
      try stop.check()
      throw error.spaceRemedy != nil || [EIO, EPIPE].contains(error.number)
        ? failed(path, error) : .outputUnwritable(path, error)
    }
  }

  /// Whether the path is a regular file, which can be read back.
  static func isFile(_ path: String) -> Bool {
    StandardDescriptors.output(at: path) == nil && FileStatus(FilePath(path))?.kind == .file
  }

  private static func failed(_ path: String, _ error: SystemError) -> FoveaError {
    FoveaError(
      error.isFull ? .diskFull : .outputFailed,
      "writing '\(path.printable)' failed: \(error.message)",
      remedy: error.spaceRemedy.map { Advice("\($0) or name another file") }
        ?? "Name another file with --output")
  }
}
