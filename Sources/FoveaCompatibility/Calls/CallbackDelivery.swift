// SPDX-License-Identifier: Apache-2.0

package import Dispatch
import Synchronization

/// Calls completions back: each once, in order, and never two at a time.
///
/// On the main queue where something drains it (an app, `RunLoop.main.run()`, `dispatchMain()`, an `async` main function),
/// as ML Kit does. A command-line program or a server whose main thread waits or works drains nothing: there completions
/// are called on a queue of the library's own, so that none is lost.
///
/// The first ones wait 50 ms for a sign of life of the main queue; from that sign on all go there. Without one it depends on
/// the main thread. If it works at that moment it may come to its run loop later, so they wait another 50 ms, again and
/// again, up to 10 s: a main thread that spins until it is called back must be called back. If it waits or sleeps, nothing
/// shows that it will ever drain the queue.
package final class CallbackDelivery: Sendable {
  /// The one that all detectors and labelers share.
  package static let shared = CallbackDelivery(main: .main)

  private enum MainQueue { case unknown, silent, alive }
  private struct State {
    var main = MainQueue.unknown
    var waiting: [@Sendable () -> Void] = []
    /// Whether a completion is being called.
    var isCalling = false
    /// Whether the main queue has been asked to call.
    var isMainAsked = false
    /// Whether the first completions wait for a sign of life of the main queue.
    var isWatching = false
  }
  private let state = Mutex(State())
  private let main: DispatchQueue
  private let own = DispatchQueue(label: "fovea.callbacks")
  private let grace: DispatchTimeInterval
  private let patience: Int
  private let isMainBusy: @Sendable () -> Bool

  /// Makes a delivery.
  /// - Parameters:
  ///   - main: The queue that may have nobody to drain it.
  ///   - grace: How long the first completions wait for it.
  ///   - patience: How many times they wait, at the most, while the main thread works.
  ///   - isMainBusy: Whether the main thread works.
  init(
    main: DispatchQueue, grace: DispatchTimeInterval = .milliseconds(50), patience: Int = 200,
    isMainBusy: @escaping @Sendable () -> Bool = { MainThread.isBusy() }
  ) {
    self.main = main
    self.grace = grace
    self.patience = patience
    self.isMainBusy = isMainBusy
  }

  /// Calls a completion as soon as those before it have been called.
  /// - Parameters:
  ///   - queue: Where to call it; nil chooses as described above.
  ///   - completion: Called once.
  package func deliver(on queue: DispatchQueue?, _ completion: @escaping @Sendable () -> Void) {
    if let queue { return queue.async(execute: completion) }
    let (asksMain, place, watches) = state.withLock { state in
      state.waiting.append(completion)
      let watches = state.main == .unknown && !state.isWatching
      if watches { state.isWatching = true }
      defer { state.isMainAsked = true }
      return (!state.isMainAsked, state.main, watches)
    }
    if asksMain { main.async { self.callOnMain() } }
    switch place {
    case .alive: break
    case .silent: own.async { self.callOnOwn() }
    case .unknown: if watches { watchMain(patience) }
    }
  }

  /// Waits for a sign of life of the main queue, as long as the main thread works.
  private func watchMain(_ times: Int) {
    own.asyncAfter(deadline: .now() + grace) {
      guard self.state.withLock({ $0.main == .unknown }) else { return }
      if times > 1, self.isMainBusy() { self.watchMain(times - 1) } else { self.callOnOwn() }
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
      // The main queue may have woken up meanwhile, and found that a completion was being called.
      let isForMain = state.withLock { state in
        state.isCalling = false
        return state.main == .alive && !state.waiting.isEmpty
      }
      if isForMain { main.async { self.callOnMain() } }
    }
  }

  /// The completion whose turn it is; nil where none waits, or another thread is calling one.
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
