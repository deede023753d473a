// SPDX-License-Identifier: Apache-2.0
// How many images a second some threads of the caller's find objects in, with as many sessions: speed THREADS IMAGES PHOTO
#include "check.h"

#include <pthread.h>
#include <time.h>

static fovea_detector *detector;
static const char *photo;
static int images;

static void *work(void *unused) {
  for (int i = 0; i < images; i++) sum_of(detector, photo);
  return unused;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  CHECK(count == 4, "speed THREADS IMAGES PHOTO");
  int threads = atoi(arguments[1]);
  images = atoi(arguments[2]);
  photo = arguments[3];
  const char *const options[] = {"threads", "1", "sessions", arguments[1], NULL};
  detector = detector_with(options);
  pthread_t all[64];
  CHECK(threads >= 1 && threads <= 64, "%d threads", threads);
  work(NULL);
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < threads; i++) CHECK(!pthread_create(&all[i], NULL, work, NULL), "thread %d", i);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  wall = now(CLOCK_MONOTONIC) - wall;
  cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  printf("%d threads: %.1f images/s, %.2f ms of processor time each\n", threads, threads * images / wall, cpu * 1e3 / threads / images);
  fovea_detector_close(detector);
  return 0;
}
