// SPDX-License-Identifier: Apache-2.0
//
// Counts heap allocations by replacing the C library's functions: a program's definitions take precedence over
// those of its libraries, so Swift's runtime, LiteRT and the image libraries are counted too.

#include "CAllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic int64_t allocations, live_bytes, peak_bytes;

#if defined(__GLIBC__)
#include <malloc.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *counted(void *memory) {
  if (memory == NULL) return NULL;
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  int64_t size = (int64_t)malloc_usable_size(memory);
  int64_t live = atomic_fetch_add_explicit(&live_bytes, size, memory_order_relaxed) + size;
  int64_t peak = atomic_load_explicit(&peak_bytes, memory_order_relaxed);
  while (live > peak && !atomic_compare_exchange_weak_explicit(&peak_bytes, &peak, live, memory_order_relaxed,
                                                               memory_order_relaxed)) {
  }
  return memory;
}

static void forget(void *memory) {
  if (memory == NULL) return;
  atomic_fetch_sub_explicit(&live_bytes, (int64_t)malloc_usable_size(memory), memory_order_relaxed);
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *realloc(void *memory, size_t size) {
  int64_t before = memory == NULL ? 0 : (int64_t)malloc_usable_size(memory);
  void *moved = __libc_realloc(memory, size);
  // Failed; the old memory stays valid.
  if (moved == NULL && size > 0) return NULL;
  atomic_fetch_sub_explicit(&live_bytes, before, memory_order_relaxed);
  return counted(moved);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  *memory = counted(__libc_memalign(alignment, size));
  return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
  forget(memory);
  __libc_free(memory);
}

bool fovea_heap_is_counted(void) { return true; }
#else
bool fovea_heap_is_counted(void) { return false; }
#endif

fovea_heap fovea_heap_now(void) {
  fovea_heap heap = {atomic_load(&allocations), atomic_load(&live_bytes), atomic_load(&peak_bytes)};
  return heap;
}

void fovea_heap_reset_peak(void) { atomic_store(&peak_bytes, atomic_load(&live_bytes)); }

void fovea_heap_allocate_five(void) {
  // volatile: otherwise a compiler may remove unused allocations.
  void *volatile first = malloc(100);
  void *volatile second = calloc(10, 10);
  void *volatile third = realloc(NULL, 100);
  void *volatile fourth = aligned_alloc(64, 128);
  void *fifth_memory = NULL;
  if (posix_memalign(&fifth_memory, 64, 128) != 0) fifth_memory = NULL;
  void *volatile fifth = fifth_memory;
  free(first);
  free(second);
  free(third);
  free(fourth);
  free(fifth);
}
