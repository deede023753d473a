// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends a command with one line on standard error and exit code 1.
enum CommandFailure {
  /// The value, or the line and the end.
  static func exit<Value>(_ body: () throws(FoveaError) -> Value) throws(ExitCode) -> Value {
    do { return try body() } catch { throw report(error) }
  }

  /// Prints the line and gives the exit code to throw.
  static func report(_ error: FoveaError) -> ExitCode {
    Console(descriptor: STDERR_FILENO, now: { .zero })
      .error("\(error.message.printable). \(error.remedy.printable).")
    return ExitCode(PhotoRun.ExitCodes.failure)
  }
}
