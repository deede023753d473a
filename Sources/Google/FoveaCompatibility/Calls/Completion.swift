// SPDX-License-Identifier: Apache-2.0

/// A completion of the caller, on its way to the queue on which it is called.
///
/// Completions of Google's API are ordinary closures: their callers need not know about `Sendable`.
// SAFETY: the closure is handed over once and called once; nothing else here keeps it.
package struct Completion<Value: Sendable>: @unchecked Sendable {
  private let body: (Value?, (any Error)?) -> Void

  /// Wraps a closure that receives a value or an error.
  package init(_ body: @escaping (Value?, (any Error)?) -> Void) { self.body = body }

  /// Calls the closure.
  func call(_ result: Result<Value, MLError>) {
    switch result {
    case .success(let value): body(value, nil)
    case .failure(let error): body(nil, error)
    }
  }
}
