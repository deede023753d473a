// SPDX-License-Identifier: Apache-2.0

/// A completion with one value, on its way to the queue on which it is called.
///
/// Completions of Google's API are ordinary closures: their callers need not know about `Sendable`.
// SAFETY: the closure is handed over once and called on one queue, never by two threads at a time; nothing
// else here keeps it.
package struct ModelCompletion<Value: Sendable>: @unchecked Sendable {
  private let body: (Value) -> Void

  /// Wraps a closure.
  package init(_ body: @escaping (Value) -> Void) { self.body = body }

  /// Calls the closure with a value, after all earlier ones.
  package func deliver(_ value: Value) { CallbackDelivery.shared.deliver(on: nil) { body(value) } }
}
