// SPDX-License-Identifier: Apache-2.0
#include <sys/poll.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "library.h"

struct fovea_video_interrupt {
  atomic_bool is_cancelled;
  // Accessed by the reading thread, or by a thread that it started and waits for.
  _Atomic int64_t deadline;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

fovea_video_interrupt *fovea_video_interrupt_make(void) { return calloc(1, sizeof(fovea_video_interrupt)); }
void fovea_video_interrupt_free(fovea_video_interrupt *interrupt) { free(interrupt); }
void fovea_video_interrupt_cancel(fovea_video_interrupt *interrupt) {
  atomic_store(&interrupt->is_cancelled, true);
}
bool fovea_video_interrupt_is_cancelled(const fovea_video_interrupt *interrupt) {
  return atomic_load(&interrupt->is_cancelled);
}

bool fovea_video_interrupt_wait(const fovea_video_interrupt *interrupt, int64_t microseconds) {
  const int64_t end = now() + microseconds;
  for (;;) {
    if (fovea_video_interrupt_is_cancelled(interrupt)) return false;
    int64_t left = end - now();
    if (left <= 0) return true;
    if (left > 20000) left = 20000;
    poll(NULL, 0, (int)((left + 999) / 1000));
  }
}

void fovea_video_interrupt_begin(fovea_video_interrupt *interrupt, int64_t timeout) {
  atomic_store(&interrupt->deadline, timeout > 0 ? now() + timeout : 0);
}

bool fovea_video_interrupt_timed_out(const fovea_video_interrupt *interrupt) {
  int64_t deadline = atomic_load(&interrupt->deadline);
  return deadline && now() > deadline;
}

int fovea_video_interrupt_check(void *interrupt) {
  return fovea_video_interrupt_is_cancelled(interrupt) || fovea_video_interrupt_timed_out(interrupt);
}
