// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// A failure of a session's tensors, before it is converted to an error of Google's classes.
enum TensorFailure: Error {
  case wrongByteCount(provided: Int, required: Int)
  case unreadableType
  case shapeRefused(RuntimeError)
  case allocationFailed(RuntimeError)
  case notAllocated
  case notInvoked
  case runFailed(RuntimeError)

  /// The details that Google's errors have no field for; nil if there are none.
  var reason: String? {
    switch self {
    case .shapeRefused(let error), .allocationFailed(let error), .runFailed(let error): error.description
    case .notInvoked: "There are no outputs before a run. Call invoke first."
    case .notAllocated: "The inputs have no memory. Call allocateTensors() first, and after each resizing."
    case .wrongByteCount, .unreadableType: nil
    }
  }
}
