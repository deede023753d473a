// SPDX-License-Identifier: Apache-2.0

extension StopSignal {
  /// Runs `body`, which Ctrl-C cancels.
  func cancelling<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let work = Task { () -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
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
