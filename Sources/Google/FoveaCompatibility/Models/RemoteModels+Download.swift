// SPDX-License-Identifier: Apache-2.0

package import Foundation
import FoveaModels
import Synchronization

extension RemoteModels {
  /// Downloads a model; where the newest is there already, nothing is transferred.
  ///
  /// All who want the same model at the same time share one download. It continues when the `Progress` is released.
  /// - Parameters:
  ///   - name: The name under which the model host knows it.
  ///   - report: Called with the share that is there, 0 to 1, by one thread at a time; it never falls, and is not
  ///     called where the size is unknown.
  ///   - completion: Called exactly once, by any thread, after the model is in its place and the progress is finished.
  /// - Returns: The progress in bytes; `cancel()` ends the caller's interest, and the download where no one else waits
  ///   for it.
  package static func download(
    _ name: String, report: @escaping @Sendable (Float) -> Void = { _ in },
    completion: @escaping @Sendable (Result<Model, MLError>) -> Void
  ) -> Progress {
    let progress = ModelProgress()
    let store: ModelStore
    do throws(MLError) { store = try Self.store() } catch {
      let failure = error
      // Not before the caller has the progress, as with every other failure.
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

  /// Downloads a model; where the newest is there already, nothing is transferred.
  ///
  /// A cancelled task ends the download; what has arrived is kept.
  /// - Parameter name: The name under which the model host knows it.
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
