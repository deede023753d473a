// SPDX-License-Identifier: Apache-2.0

/// A thread for one long computation, such as compiling a model, so that the threads that all tasks share go on.
package enum LoadingThread {
  /// Calls `body` on its own thread.
  package static func call<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await Worker(label: "fovea.loading", make: body).run { $0 }
  }
}
