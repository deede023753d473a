// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The running downloads of hosted models in this process; callers that want the same model share one.
package final class SharedDownloads: Sendable {
  /// The downloads of this process.
  package static let shared = SharedDownloads()

  package typealias Answer = Result<InstalledModel, ModelStoreError>

  /// A ticket with which a caller cancels its interest in a download.
  package struct Ticket: Sendable {
    fileprivate let key: Key
    fileprivate let place = WaitTicket()
    fileprivate let downloads: SharedTasks<Key, Waiter>

    /// Completes with `cancelled`; the download itself stops when no other caller waits for it.
    ///
    /// Does nothing after the answer.
    package func cancel() { downloads.leave(key, place)?.completion(.failure(.cancelled)) }
  }

  fileprivate struct Key: Hashable {
    let name: String
    let store: ModelStore
  }

  fileprivate struct Waiter: Sendable {
    let progress: @Sendable (DownloadProgress) -> Void
    let completion: @Sendable (Answer) -> Void
  }

  private let downloads = SharedTasks<Key, Waiter>()

  /// Starts a download, or joins the running one.
  /// - Parameters:
  ///   - name: The model's name on the host.
  ///   - downloader: The downloader, with host and folder.
  ///   - progress: Called for each piece that arrives, by one thread at a time.
  ///   - completion: Called exactly once, by any thread.
  /// - Returns: The ticket for cancelling.
  package func start(
    _ name: String, by downloader: ModelDownloader, progress: @escaping @Sendable (DownloadProgress) -> Void,
    completion: @escaping @Sendable (Answer) -> Void
  ) -> Ticket {
    let ticket = Ticket(key: Key(name: name, store: downloader.store), downloads: downloads)
    let waiter = Waiter(progress: progress, completion: completion)
    downloads.join(ticket.key, ticket.place, waiter) { [downloads] run in
      let answer: Answer
      do throws(ModelStoreError) {
        answer = .success(
          try await downloader.download(name) { progress in
            for waiter in downloads.listeners(of: run) { waiter.progress(progress) }
          })
      } catch {
        answer = .failure(error)
      }
      for waiter in downloads.end(run) { waiter.completion(answer) }
    }
    return ticket
  }
}
