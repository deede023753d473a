// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_ALLOCATION_COUNTER_H
#define FOVEA_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// The heap usage of the whole process since its start.
typedef struct {
  /// Successful calls of malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign.
  int64_t allocations;
  /// Bytes in use now, as rounded up by the allocator.
  int64_t live_bytes;
  /// The peak of bytes in use since the last reset.
  int64_t peak_bytes;
} fovea_heap;

/// Whether allocations are counted; they are if the C library is glibc.
bool fovea_heap_is_counted(void);
/// Returns the current state.
fovea_heap fovea_heap_now(void);
/// Resets the peak to the bytes in use now.
void fovea_heap_reset_peak(void);
/// Allocates once with each of five functions and frees everything, to check the count.
void fovea_heap_allocate_five(void);

#endif
