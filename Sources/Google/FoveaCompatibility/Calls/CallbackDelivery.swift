// SPDX-License-Identifier: Apache-2.0

package import Dispatch
import Synchronization

/// Calls completions: each once, in order, and never two at a time.
///
/// They are called on the main queue, as in ML Kit, if something drains it: an app, `RunLoop.main.run()`,
/// `dispatchMain()`, an `async` main function. A command-line program or a server whose main thread waits or
/// works does not drain the main queue; its completions are called on the library's own queue, so that none
/// is lost.
///
/// The main queue has 50 ms to run the first completions; after that the library's queue is used until the
/// main queue runs. A program that needs the main queue, even if it starts to drain it late, sets it as its
/// `callbackQueue`.
package final class CallbackDelivery: Sendable {
  /// The instance that all detectors and labelers share.
  package static let shared = CallbackDelivery(main: .main)

  private enum MainQueue { case unknown, silent, alive }
  private struct State {
    var main = MainQueue.unknown
    var waiting: [@Sendable () -> Void] = []
    /// Whether a completion is being called.
    var isCalling = false
    /// Whether `callOnMain` was submitted to the main queue and has not started.
    var isMainAsked = false
  }
  private let state = Mutex(State())
  private let main: DispatchQueue
  private let own = DispatchQueue(label: "fovea.callbacks")
  private let grace: DispatchTimeInterval

  /// Creates a delivery.
  /// - Parameters:
  ///   - main: The queue that may never be drained.
  ///   - grace: The time that the first completions wait for it.
  init(main: DispatchQueue, grace: DispatchTimeInterval = .milliseconds(50)) {
    self.main = main
    self.grace = grace
  }

  /// Calls a completion as soon as all earlier ones have been called.
  /// - Parameters:
  ///   - queue: The queue to call it on; nil selects one as described above.
  ///   - completion: Called once.
  package func deliver(on queue: DispatchQueue?, _ completion: @escaping @Sendable () -> Void) {
    if let queue { return queue.async(execute: completion) }
    let (asksMain, place) = state.withLock { state in
      state.waiting.append(completion)
      defer { state.isMainAsked = true }
      return (!state.isMainAsked, state.main)
    }
    if asksMain { main.async { self.callOnMain() } }
    switch place {
    case .alive: break
    case .silent: own.async { self.callOnOwn() }
    case .unknown: own.asyncAfter(deadline: .now() + grace) { self.callOnOwn() }
    }
  }

  private func callOnMain() {
    state.withLock { state in
      state.main = .alive
      state.isMainAsked = false
    }
    while let completion = next() {
      completion()
      state.withLock { $0.isCalling = false }
    }
  }

  private func callOnOwn() {
    state.withLock { if $0.main == .unknown { $0.main = .silent } }
    while let completion = next(unlessMainIsAlive: true) {
      completion()
      // The main queue may have started meanwhile, and found that a completion was being called.
      let isForMain = state.withLock { state in
        state.isCalling = false
        return state.main == .alive && !state.waiting.isEmpty
      }
      if isForMain { main.async { self.callOnMain() } }
    }
  }

  /// Returns the next completion; nil if none waits, or another thread is calling one.
  private func next(unlessMainIsAlive: Bool = false) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.isCalling, !state.waiting.isEmpty, !(unlessMainIsAlive && state.main == .alive) else {
        return nil
      }
      state.isCalling = true
      return state.waiting.removeFirst()
    }
  }
}
