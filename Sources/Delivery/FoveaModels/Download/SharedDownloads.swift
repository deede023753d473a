// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The downloads of hosts' models that run in this process: all who want the same model from the same host share one.
package final class SharedDownloads: Sendable {
  /// Those of the process.
  package static let shared = SharedDownloads()

  package typealias Answer = Result<InstalledModel, ModelStoreError>

  /// The way to end one's interest in a download.
  package struct Ticket: Sendable {
    fileprivate let number: Int
    fileprivate let key: Key
    fileprivate let owner: SharedDownloads

    /// Ends the interest with `cancelled`; the download itself ends where no one else waits for it.
    ///
    /// After the answer it does nothing.
    package func cancel() { owner.cancel(self) }
  }

  fileprivate struct Key: Hashable {
    let name: String
    let store: ModelStore
  }

  private struct Waiter: Sendable {
    let progress: @Sendable (DownloadProgress) -> Void
    let completion: @Sendable (Answer) -> Void
  }

  private struct Flight {
    let number: Int
    var waiters: [Int: Waiter]
    var task: Task<Void, Never>?
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber = 0

    mutating func number() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state = Mutex(State())

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
    let key = Key(name: name, store: downloader.store)
    return state.withLock { state in
      let waiter = state.number()
      let ticket = Ticket(number: waiter, key: key, owner: self)
      if state.flights[key] != nil {
        state.flights[key]?.waiters[waiter] = Waiter(progress: progress, completion: completion)
        return ticket
      }
      let flight = state.number()
      state.flights[key] = Flight(
        number: flight, waiters: [waiter: Waiter(progress: progress, completion: completion)],
        task: Task.detached {
          let answer: Answer
          do throws(ModelStoreError) {
            answer = .success(
              try await downloader.download(name) { progress in self.tell(progress, flight, key) })
          } catch {
            answer = .failure(error)
          }
          self.finish(answer, flight, key)
        })
      return ticket
    }
  }

  private func waiters(_ flight: Int, _ key: Key, removing: Bool) -> [Waiter] {
    state.withLock { state in
      // A download that everybody left may still be ending while the next one of this model runs.
      guard let current = state.flights[key], current.number == flight else { return [] }
      if removing { state.flights[key] = nil }
      return Array(current.waiters.values)
    }
  }

  private func tell(_ progress: DownloadProgress, _ flight: Int, _ key: Key) {
    for waiter in waiters(flight, key, removing: false) { waiter.progress(progress) }
  }

  private func finish(_ answer: Answer, _ flight: Int, _ key: Key) {
    for waiter in waiters(flight, key, removing: true) { waiter.completion(answer) }
  }

  private func cancel(_ ticket: Ticket) {
    let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let waiter = state.flights[ticket.key]?.waiters.removeValue(forKey: ticket.number) else {
        return (nil, nil)
      }
      guard let flight = state.flights[ticket.key], flight.waiters.isEmpty else { return (waiter, nil) }
      state.flights[ticket.key] = nil
      return (waiter, flight.task)
    }
    task?.cancel()
    waiter?.completion(.failure(.cancelled))
  }
}
