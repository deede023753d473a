// SPDX-License-Identifier: Apache-2.0

// Tells the thread sanitizer what it cannot see of Swift's Mutex.
//
// The fast paths of Mutex are compiled into the code that uses it, and so instrumented. The slow paths, taken while
// another thread holds the lock, are in libswiftSynchronization.so, which is not: the sanitizer misses that the lock was
// taken or given back, and reports races between code that the lock keeps apart. The functions here take the place of
// the slow paths, call them, and say what they did. They say no more than a lock does: what happened before it was given
// back, happened before it was taken.

#include "CMutexAnnotations.h"

#if defined(__linux__) && __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Methods of Synchronization._MutexHandle; the demangled names are above each.
// _lockSlow(Swift.UInt32) -> ()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// _tryLockSlow() -> Swift.Bool
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
// _unlockSlow() -> ()
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void lock_function(uint32_t thread, SELF void *self);
typedef SWIFT bool try_lock_function(SELF void *self);
typedef SWIFT void unlock_function(SELF void *self);

static lock_function *original_lock;
static try_lock_function *original_try_lock;
static unlock_function *original_unlock;
static atomic_ulong annotated;

static void *original(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(stderr, "ThreadSafety: libswiftSynchronization.so has no %s; Mutex changed, see annotations.c.\n", name);
    exit(70);
  }
  return function;
}

__attribute__((constructor)) static void find_originals(void) {
  original_lock = (lock_function *)original(LOCK);
  original_try_lock = (try_lock_function *)original(TRY_LOCK);
  original_unlock = (unlock_function *)original(UNLOCK);
}

SWIFT void annotated_lock(uint32_t thread, SELF void *self) __asm__(LOCK);
SWIFT void annotated_lock(uint32_t thread, SELF void *self) {
  original_lock(thread, self);
  __tsan_acquire(self);
  atomic_fetch_add_explicit(&annotated, 1, memory_order_relaxed);
}

SWIFT bool annotated_try_lock(SELF void *self) __asm__(TRY_LOCK);
SWIFT bool annotated_try_lock(SELF void *self) {
  bool taken = original_try_lock(self);
  if (taken) __tsan_acquire(self);
  return taken;
}

SWIFT void annotated_unlock(SELF void *self) __asm__(UNLOCK);
SWIFT void annotated_unlock(SELF void *self) {
  __tsan_release(self);
  original_unlock(self);
}

unsigned long fovea_annotated_locks(void) { return atomic_load_explicit(&annotated, memory_order_relaxed); }

#else

unsigned long fovea_annotated_locks(void) { return 0; }

#endif
