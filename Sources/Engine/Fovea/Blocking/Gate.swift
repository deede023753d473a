// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A lock whose owner can wait inside it until something has changed.
///
/// It uses POSIX threads because tasks and dispatch queues do not run in the child of a process that forks.
@safe package final class Gate: Sendable {
  // SAFETY: both are initialised before init returns, destroyed in deinit, and safe to use from many threads.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
    unsafe pthread_cond_init(condition, nil)
    #else
    // The clock that only counts: a wall clock that is set during a wait would end it early, or an hour late.
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Calls `body` while no other thread holds the lock.
  package func locked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Releases the lock, which the caller must hold, until another thread calls `wakeAll()`; may wake
  /// spuriously.
  package func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Waits like `wait()`, but at most `milliseconds`.
  package func wait(milliseconds: Int) {
    var time = timespec()
    #if !canImport(Darwin)
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    time.tv_nsec += milliseconds % 1_000 * 1_000_000
    time.tv_sec += milliseconds / 1_000 + time.tv_nsec / 1_000_000_000
    time.tv_nsec %= 1_000_000_000
    #if canImport(Darwin)
    unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    unsafe pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  /// Wakes all waiting threads.
  package func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
