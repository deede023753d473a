// SPDX-License-Identifier: Apache-2.0

package import Foundation
import FoveaModels
import Synchronization

extension RemoteModels {
  /// Downloads a model; if the newest is already installed, nothing is transferred.
  ///
  /// All simultaneous callers for the same model share one download. It continues if the `Progress` is
  /// released.
  /// - Parameters:
  ///   - name: The model's name on the model host.
  ///   - report: Called with the downloaded fraction, 0 to 1, on one thread at a time; it never decreases,
  ///     and is not called if the size is unknown.
  ///   - completion: Called exactly once, on any thread, after the model is installed and the progress is
  ///     finished.
  /// - Returns: The progress in bytes; `cancel()` withdraws this caller, and stops the download if no other
  ///   caller waits for it.
  package static func download(
    _ name: String, report: @escaping @Sendable (Float) -> Void = { _ in },
    completion: @escaping @Sendable (Result<Model, MLError>) -> Void
  ) -> Progress {
    let progress = ModelProgress()
    let store: ModelStore
    do throws(MLError) { store = try Self.store() } catch {
      let failure = error
      // Called only after the caller has the progress, as with every other failure.
      DispatchQueue.global().async { completion(.failure(failure)) }
      return progress
    }
    let reported = Mutex<Float>(-1)
    let ticket = SharedDownloads.shared.start(name, by: ModelDownloader(defaultsFor: store)) { state in
      progress.update(done: state.bytesDone, total: state.bytesTotal)
      guard let total = state.bytesTotal, total > 0 else { return }
      let share = Float(min(state.bytesDone, total)) / Float(total)
      let isMore = reported.withLock { last in
        defer { last = max(last, share) }
        return share >= last
      }
      if isMore { report(share) }
    } completion: { answer in
      switch answer {
      case .success(let model):
        progress.finish(byteCount: model.byteCount)
        completion(.success(Model(model)))
      case .failure(let error): completion(.failure(MLError(error)))
      }
    }
    progress.onCancel { ticket.cancel() }
    return progress
  }

  /// Downloads a model; if the newest is already installed, nothing is transferred.
  ///
  /// Cancelling the task stops the download; the partial file is kept.
  /// - Parameter name: The model's name on the model host.
  /// - Returns: The model.
  /// - Throws: `MLError`.
  package static func download(_ name: String) async throws(MLError) -> Model {
    let handle = Mutex<Progress?>(nil)
    let answer: Result<Model, MLError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let progress = download(name) { continuation.resume(returning: $0) }
        handle.withLock { $0 = progress }
        if Task.isCancelled { progress.cancel() }
      }
    } onCancel: {
      handle.withLock { $0 }?.cancel()
    }
    return try answer.get()
  }
}
