// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaCore
import Synchronization

/// A thread that runs its work in order, until it is closed.
///
/// Work that waits for a socket, a child process or another task may block here: the thread belongs neither
/// to Swift's shared threads, of which there are as many as processors, nor to Dispatch's.
final class OwnThread: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Starts the thread.
  /// - Throws: `TestFailure` if the system creates no thread.
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

  /// Ends the thread when its work is done.
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
  /// - Throws: `TestFailure` if the system creates no thread.
  static func start(_ work: @escaping @Sendable () -> Void) throws(TestFailure) {
    let thread = try OwnThread()
    thread.run(work)
    thread.close()
  }
}

/// A piece of work that is released when it has run.
private final class ReleasedWork<R: Sendable>: Sendable {
  private let body: Mutex<(@Sendable () throws -> R)?>

  init(_ body: @escaping @Sendable () throws -> R) { self.body = Mutex(body) }

  /// Runs the work once.
  func run() -> Result<R, any Error> {
    guard let body = body.withLock({ $0.take() }) else {
      return .failure(TestFailure("the work runs a second time"))
    }
    return Result { try body() }
  }
}

/// Runs blocking work on its own thread, and waits without blocking the caller's.
///
/// Objects that `body` holds are released before the caller continues, who may end the process: a temporary
/// folder would stay.
///
/// An expectation inside `body` would belong to no test: return the values to check, or use the trait
/// `.onOwnThread`.
/// - Parameter body: Waits for a socket, a child process or another task.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`; `TestFailure` if the system creates no thread.
public func onOwnThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  let work = ReleasedWork(body)
  return try await withCheckedThrowingContinuation { continuation in
    do throws(TestFailure) {
      try OwnThread.start { continuation.resume(with: work.run()) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
