// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore

extension TrainingDisplay {
  /// The output of a completed run.
  struct Outcome {
    let text: String
    /// Whether all photos could be opened.
    let isWhole: Bool
  }

  /// Runs a training or evaluation command and returns its exit code; all errors are printed by then.
  /// - Parameters:
  ///   - kept: The results that an interrupted run keeps for the next run, for its message; nil if it keeps
  ///     none.
  ///   - work: The command.
  /// - Returns: 0; 1 for an error or photos that could not be opened; 2 for a model that cannot be used; 130
  ///   if the user interrupted the run.
  func run(kept: String?, _ work: (TrainingDisplay) async throws -> Outcome) async -> Int32 {
    ProcessSignals.install()
    do {
      let outcome = try await work(self)
      try CommandFailure.print(outcome.text)
      return outcome.isWhole ? 0 : ExitCodes.failure
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      let error = FoveaError(error)
      guard error.code != .cancelled else {
        self.error(interruption(kept: kept))
        return ExitCodes.interrupted
      }
      self.error(RecordSink.line(error))
      return CommandFailure.code(of: error)
    }
  }
}
