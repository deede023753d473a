// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

extension EvaluationError {
  /// What is wrong with a file, or with a value in it, for which `mismatch` is the code.
  init(_ failure: JSONFailure, mismatch: EvaluationCode = .invalidDetections) {
    let (code, remedy): (EvaluationCode, Advice) =
      switch failure.kind {
      case .unreadable: (.unreadable, "Check the path and its permissions")
      case .empty: (.notJSON, "The file is empty; write it again")
      case .notJSON: (.notJSON, "Write the file again, or correct that place")
      case .mismatch: (mismatch, "Correct that entry, or the tool that wrote it")
      }
    self.init(code, failure.message, remedy: remedy)
  }
}
