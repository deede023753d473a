// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// System threads that exist during one call.
@safe struct PlainThreads: ~Copyable {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private var threads: [pthread_t] = []

  /// The number of threads.
  var count: Int { threads.count }

  /// Starts `count` threads that run `body`, or as many as the system allows.
  ///
  /// They block all signals, which go to the program's threads instead.
  init(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    for _ in 0..<count {
      let work = unsafe Unmanaged.passRetained(Work(body))
      var thread = pthread_t()
      let status = unsafe pthread_create(
        &thread, nil,
        { context in
          if let context = unsafe context {
            unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
          }
          return nil
        }, work.toOpaque())
      guard status == 0 else {
        unsafe work.release()
        return
      }
      threads.append(thread)
    }
  }

  /// Waits for all threads to end.
  consuming func join() {
    for thread in threads { pthread_join(thread, nil) }
  }
}
