// SPDX-License-Identifier: Apache-2.0

import Fovea

/// How a run came to its end.
enum RunEnd {
  case finished, interrupted, closedPipe
  /// Nothing more can be done: no model, no source, or no place for results.
  case fatal(FoveaError)

  var isFatal: Bool { if case .fatal = self { true } else { false } }

  init(_ failure: OutputFile.Failure) {
    self =
      switch failure {
      case .closedPipe: .closedPipe
      case .failed(let error): .fatal(error)
      }
  }
}
