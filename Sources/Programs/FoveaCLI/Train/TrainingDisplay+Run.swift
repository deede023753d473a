// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore

extension TrainingDisplay {
  /// What a run that came to its end leaves to print.
  struct Outcome {
    let text: String
    /// Whether all photos could be opened.
    let isWhole: Bool
  }

  /// Runs a command that learns from photos, or judges by them, to its exit code; everything that went wrong has been
  /// printed by then.
  /// - Parameters:
  ///   - kept: What an interrupted run keeps for the next one; nil where it keeps nothing.
  ///   - work: The command.
  /// - Returns: 0; 1 for an error, or photos that could not be opened; 130 for a run that the user ended.
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
      return ExitCodes.failure
    }
  }
}
