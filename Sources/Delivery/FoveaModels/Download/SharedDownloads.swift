// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The downloads of hosts' models that run in this process: all who want the same model from the same host share one.
package final class SharedDownloads: Sendable {
  /// Those of the process.
  package static let shared = SharedDownloads()

  package typealias Answer = Result<InstalledModel, ModelStoreError>

  /// The way to end one's interest in a download.
  package struct Ticket: Sendable {
    fileprivate let key: Key
    fileprivate let place = WaitTicket()
    fileprivate let downloads: SharedTasks<Key, Waiter>

    /// Ends the interest with `cancelled`; the download itself ends where no one else waits for it.
    ///
    /// After the answer it does nothing.
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

  /// Begins a download, or joins the one that runs.
  /// - Parameters:
  ///   - name: What the model is called on the host.
  ///   - downloader: Host and folder.
  ///   - progress: Called for each piece that arrives, by one thread at a time.
  ///   - completion: Called exactly once, by any thread.
  /// - Returns: What ends it.
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
