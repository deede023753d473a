// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaCore
import Synchronization

/// A thread that runs what it is given, in order, until it is closed.
///
/// What waits for a socket, a child process or another task may wait here: the thread belongs neither to Swift's shared
/// threads, of which there are as many as processors, nor to Dispatch's.
final class OwnThread: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Starts the thread.
  /// - Throws: `TestFailure` where the system gives no thread.
  init() throws(TestFailure) {
    // SAFETY: the thread takes over this reference and releases it when it ends.
    let context = unsafe Unmanaged.passRetained(self)
    #if canImport(Darwin)
    var thread: pthread_t?
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        unsafe Unmanaged<OwnThread>.fromOpaque(context).takeRetainedValue().loop()
        return nil
      }, context.toOpaque())
    #else
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<OwnThread>.fromOpaque(context).takeRetainedValue().loop()
        }
        return nil
      }, context.toOpaque())
    #endif
    guard status == 0 else {
      unsafe context.release()
      throw TestFailure("the system gives no thread: error \(status)")
    }
    #if canImport(Darwin)
    if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
    pthread_detach(thread)
    #endif
  }

  /// Adds work; nothing happens after `close()`.
  func run(_ work: @escaping @Sendable () -> Void) {
    state.withLock { if !$0.isClosed { $0.work.append(work) } }
    wake.signal()
  }

  /// Ends the thread when it has done what it was given.
  func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  private func loop() {
    while true {
      wake.wait()
      let (next, isClosed) = state.withLock { state in
        (state.work.isEmpty ? nil : state.work.removeFirst(), state.isClosed)
      }
      if let next { next() } else if isClosed { return }
    }
  }

  /// Starts a thread for one piece of work.
  /// - Throws: `TestFailure` where the system gives no thread.
  static func start(_ work: @escaping @Sendable () -> Void) throws(TestFailure) {
    let thread = try OwnThread()
    thread.run(work)
    thread.close()
  }
}

/// Runs what blocks on its own thread, and waits without blocking the caller's.
///
/// An expectation inside `body` would belong to no test: return what there is to check, or use the trait `.onOwnThread`.
/// - Parameter body: What waits for a socket, a child process or another task.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws; `TestFailure` where the system gives no thread.
public func onOwnThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    do throws(TestFailure) {
      try OwnThread.start { continuation.resume(with: Result { try body() }) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
