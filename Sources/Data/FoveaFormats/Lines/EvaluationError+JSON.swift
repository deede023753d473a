// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

extension EvaluationError {
  /// Converts a failure to read JSON; `mismatch` is the code for a value of the wrong kind.
  init(_ failure: JSONFailure, mismatch: EvaluationCode = .invalidDetections) {
    let (code, remedy): (EvaluationCode, Advice) =
      switch failure.kind {
      case .unreadable: (.unreadable, "Check the path and its permissions")
      case .empty: (.notJSON, "The file is empty; write it again")
      case .notJSON: (.notJSON, "Write the file again, or correct it at that position")
      case .mismatch: (mismatch, "Correct that entry, or the tool that wrote it")
      }
    self.init(code, failure.message, remedy: remedy)
  }
}
