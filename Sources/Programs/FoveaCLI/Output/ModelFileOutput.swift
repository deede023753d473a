// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// Writes a model file that is there whole or not at all, also where it takes the place of the model it comes from.
enum ModelFileOutput {
  /// - Throws: `output-unwritable`, `disk-full`, `output-failed`.
  static func write(_ bytes: [UInt8], to path: String) throws(FoveaError) {
    // Under names like /dev/stdout: what is open already is written to, never replaced.
    if let stream = StandardDescriptors.output(at: path) {
      if let number = Descriptor.write(bytes, to: stream).error { throw failed(path, SystemError(number)) }
      return
    }
    // The model that is read may be this file: it is mapped, and lives on under no name when the new one gets it.
    if FileStatus(FilePath(path))?.kind == .folder {
      throw FoveaError(
        .outputUnwritable, "'\(path.printable)' is a folder",
        remedy: "Name a file in it with --output")
    }
    do throws(SystemError) { try ReplacedFile.write(bytes, to: path) } catch {
      throw error.spaceRemedy != nil || [EIO, EPIPE].contains(error.number)
        ? failed(path, error) : .outputUnwritable(path, error)
    }
  }

  /// Whether the path is that of a file that gets its own name, and can be read again.
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
