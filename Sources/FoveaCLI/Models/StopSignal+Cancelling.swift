// SPDX-License-Identifier: Apache-2.0

import FoveaModels

extension StopSignal {
  /// Runs `body`, which Ctrl-C cancels.
  func cancelling<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(ModelStoreError) -> Value
  ) async throws(ModelStoreError) -> Value {
    let work = Task { () -> Result<Value, ModelStoreError> in
      do throws(ModelStoreError) { return .success(try await body()) } catch { return .failure(error) }
    }
    let watch = Task { [self] in
      while !Task.isCancelled {
        if isRequested { return work.cancel() }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    defer { watch.cancel() }
    return try await work.value.get()
  }
}
