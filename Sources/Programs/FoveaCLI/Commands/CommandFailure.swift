// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaModels
import FoveaRuntime
import FoveaTracking
import FoveaVideo

/// Stops a command with one line on standard error and an exit code, by default 1.
enum CommandFailure {
  /// Returns the value of `body`, or reports its error and throws the exit code.
  static func exit<Value>(
    _ code: Int32 = ExitCodes.failure, _ body: () throws(FoveaError) -> Value
  ) throws(ExitCode) -> Value {
    do { return try body() } catch { throw report(error, code) }
  }

  /// Returns the value of `body`, or reports its error and throws the exit code: for an invalid option, that
  /// of a usage error, and for a model that of ``code(of:)``.
  static func exitForOptions<Value>(_ body: () throws(FoveaError) -> Value) throws(ExitCode) -> Value {
    do { return try body() } catch {
      throw report(error, isUsage(error) ? ExitCode.validationFailure.rawValue : code(of: error))
    }
  }

  /// Whether an error depends only on the command line, not on any file.
  static func isUsage(_ error: FoveaError) -> Bool {
    switch error.code {
    case .optionInvalid, VideoCode.optionInvalid, CountingCode.invalidLine, CountingCode.invalidZone,
      CountingCode.invalidGround:
      true
    default: false
    }
  }

  /// The codes of models that cannot be loaded or used, besides those of metadata.
  private static let modelCodes: [FoveaCode] = [
    FoveaCode(RuntimeCode.libraryMissing), FoveaCode(RuntimeCode.libraryUnusable),
    FoveaCode(RuntimeCode.modelUnreadable), FoveaCode(RuntimeCode.modelInvalid),
    FoveaCode(RuntimeCode.modelUnsupported), FoveaCode(DetectionCode.unknownFamily),
    FoveaCode(DetectionCode.familyMismatch), FoveaCode(DetectionCode.ambiguousModel),
    FoveaCode(DetectionCode.ambiguousFamily), FoveaCode(DetectionCode.labelsDoNotFit),
    FoveaCode(LabelingCode.notAClassifier), FoveaCode(ModelStoreCode.unknownModel),
    FoveaCode(ModelStoreCode.notInstalled), FoveaCode(ModelStoreCode.damagedModel),
  ]

  /// Returns the exit code of a command that runs a model, if this error ended it: the same for each model
  /// that cannot be used, whatever the command.
  static func code(of error: FoveaError) -> Int32 {
    let isOfMetadata =
      error.code.rawValue.hasPrefix(MetadataCode.domain) && error.code != FoveaCode(MetadataCode.cannotWrite)
    return isOfMetadata || modelCodes.contains(error.code) ? ExitCodes.unfinished : ExitCodes.failure
  }

  /// Prints the error and returns the exit code to throw.
  static func report(_ error: FoveaError, _ code: Int32 = ExitCodes.failure) -> ExitCode {
    Console(descriptor: STDERR_FILENO, now: { .zero })
      .error(RecordSink.line(error))
    return ExitCode(code)
  }

  /// Writes text to standard output; a closed pipe ends the command quietly.
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

/// The exit codes of every command besides 0; ArgumentParser uses 64 for wrong options.
enum ExitCodes {
  static let failure: Int32 = 1
  /// A model cannot be used; or `detect`, `label`, `segment` or `embed` did not start, or stopped before the
  /// last image.
  ///
  /// If images fail but every image has a record, the exit code is 1.
  static let unfinished: Int32 = 2
  static let interrupted: Int32 = 130
}
