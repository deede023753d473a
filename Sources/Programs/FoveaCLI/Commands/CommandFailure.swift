// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaTracking
import FoveaVideo

/// Ends a command with one line on standard error and an exit code, 1 unless another is given.
enum CommandFailure {
  /// The value, or the line and the end.
  static func exit<Value>(
    _ code: Int32 = ExitCodes.failure, _ body: () throws(FoveaError) -> Value
  ) throws(ExitCode) -> Value {
    do { return try body() } catch { throw report(error, code) }
  }

  /// The value, or the line and the end: with the code of a usage error where an option alone is wrong.
  static func exitForOptions<Value>(_ body: () throws(FoveaError) -> Value) throws(ExitCode) -> Value {
    do { return try body() } catch {
      let code = report(error)
      throw isUsage(error) ? ExitCode.validationFailure : code
    }
  }

  /// Whether an error is one of the command line alone, whatever lies on the disk.
  static func isUsage(_ error: FoveaError) -> Bool {
    switch error.code {
    case .optionInvalid, VideoCode.optionInvalid, CountingCode.invalidLine, CountingCode.invalidZone: true
    default: false
    }
  }

  /// Prints the line and gives the exit code to throw.
  static func report(_ error: FoveaError, _ code: Int32 = ExitCodes.failure) -> ExitCode {
    Console(descriptor: STDERR_FILENO, now: { .zero })
      .error(RecordSink.line(error))
    return ExitCode(code)
  }

  /// Writes text to standard output; a reader that has gone ends the command quietly.
  static func print(_ text: String) throws(ExitCode) {
    do throws(OutputFile.Failure) {
      let output = OutputFile(descriptor: STDOUT_FILENO)
      output.canBeResumed = false
      try output.write(text)
    } catch {
      switch error {
      case .closedPipe: throw ExitCode(0)
      case .failed(let reason): throw report(reason)
      }
    }
  }
}

/// The exit codes of every command, other than 0; ArgumentParser has 64 for wrong options.
enum ExitCodes {
  static let failure: Int32 = 1
  /// `detect` and `label` did not start, or ended before their last image: 1 is for images that failed, each with its
  /// record.
  static let unfinished: Int32 = 2
  static let interrupted: Int32 = 130
}
