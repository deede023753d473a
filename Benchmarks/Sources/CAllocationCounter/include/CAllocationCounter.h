// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_ALLOCATION_COUNTER_H
#define FOVEA_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// What the whole process took from the heap since it began.
typedef struct {
  /// Calls that gave memory: malloc, calloc, realloc, posix_memalign, aligned_alloc, memalign.
  int64_t allocations;
  /// Bytes in use now, as the allocator rounds them up.
  int64_t live_bytes;
  /// The most bytes in use since the last reset.
  int64_t peak_bytes;
} fovea_heap;

/// Whether allocations are counted here; they are where the C library is glibc.
bool fovea_heap_is_counted(void);
/// The present state.
fovea_heap fovea_heap_now(void);
/// Starts a new peak, at what is in use now.
void fovea_heap_reset_peak(void);
/// Allocates once with each of five functions and frees it all; for checking the count.
void fovea_heap_allocate_five(void);

#endif
