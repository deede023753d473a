// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension WorkerPool {
  /// Calls `body` with a free worker and a token that the task's cancellation sets.
  func callCancellable<R: Sendable>(
    _ body: @Sendable (Resource, CancellationToken) throws -> R
  ) async throws(FoveaError) -> R {
    let token = CancellationToken()
    do {
      return try await withTaskCancellationHandler {
        try await withResource { resource in try body(resource, token) }
      } onCancel: {
        token.cancel()
      }
    } catch {
      throw FoveaError(error)
    }
  }
}
