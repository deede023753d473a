// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// What went wrong with a session's tensors, before it gets one of Google's names.
enum TensorFailure: Error {
  case wrongByteCount(provided: Int, required: Int)
  case unreadableType
  case shapeRefused(RuntimeError)
  case allocationFailed(RuntimeError)
  case notAllocated
  case notInvoked
  case runFailed(RuntimeError)

  /// What the cases of Google's errors have no room for; nil where they say everything.
  var reason: String? {
    switch self {
    case .shapeRefused(let error), .allocationFailed(let error), .runFailed(let error): error.description
    case .notInvoked: "The outputs hold an answer only after a run. Call invoke first."
    case .notAllocated: "The inputs have no memory. Call allocateTensors() first, and after each resizing."
    case .wrongByteCount, .unreadableType: nil
    }
  }
}
