// SPDX-License-Identifier: Apache-2.0
// What a process has from the library: the threads that it had before, and children that find the same.
//
//   process PHOTO
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int thread_count(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  int count = 0;
  while (file && fgets(line, sizeof line, file)) sscanf(line, "Threads: %d", &count);
  if (file) fclose(file);
  return count;
}

static const char *const one_thread[] = {"threads", "1", NULL};
static const char *const two_sessions[] = {"threads", "1", "sessions", "2", NULL};

// Calls run on the caller's thread, and those of a call end with it.
static void check_threads(const char *photo) {
  int before = thread_count();
  fovea_detector *detector = detector_with(one_thread);
  for (int i = 0; i < 50; i++) sum_of(detector, photo);
  CHECK(thread_count() == before, "%d threads before, %d after 50 calls", before, thread_count());
  fovea_detector_close(detector);

  detector = detector_with(two_sessions);
  fovea_image images[16];
  for (int i = 0; i < 16; i++) images[i] = (fovea_image){.size = sizeof images[i], .kind = FOVEA_FILE, .data = photo};
  fovea_call call = {.size = sizeof call, .threads = 2};
  fovea_result *result = NULL;
  succeed(fovea_detect(detector, images, 16, &call, &result), "fovea_detect with two threads");
  fovea_result_free(result);
  CHECK(thread_count() == before, "%d threads before, %d after a call with two", before, thread_count());
  fovea_detector_close(detector);
  printf("process: %d threads before, after 50 calls, and after a call with two threads\n", before);
}

// What a child does with what it has from its parent, and with its own.
static void in_child(fovea_detector *inherited, fovea_labeler *labeler, fovea_tracker *tracker, fovea_result *result,
                     const char *photo, double expected) {
  fovea_image image = {.size = sizeof image, .kind = FOVEA_FILE, .data = photo};
  fovea_columns columns = {.size = sizeof columns};
  fovea_result *none = NULL;
  fail(fovea_detect(inherited, &image, 1, NULL, &none), "wrong-process", "an inherited detector");
  fail(fovea_label(labeler, &image, 1, NULL, &none), "wrong-process", "an inherited labeler");
  fovea_result_columns(result, &columns);
  CHECK(columns.images == 1 && columns.objects > 0, "%zu images", columns.images);
  int32_t side = 64;
  fovea_columns nothing = {.size = sizeof nothing, .images = 1, .widths = &side, .heights = &side};
  fail(fovea_tracker_update(tracker, NULL, &nothing, 0, &none), "wrong-process", "an inherited tracker");
  CHECK(!none, "an error and a result");
  CHECK(fovea_detector_class_count(inherited) == 80, "%zu classes", fovea_detector_class_count(inherited));
  fovea_detector_close(inherited);
  fovea_labeler_close(labeler);
  fovea_tracker_close(tracker);
  fovea_result_free(result);

  fovea_detector *own = detector_with(one_thread);
  CHECK(sum_of(own, photo) == expected, "another result in the child");
  fovea_detector_close(own);
  own = detector_with(two_sessions);
  fovea_image images[4] = {image, image, image, image};
  fovea_call call = {.size = sizeof call, .threads = 2};
  succeed(fovea_detect(own, images, 4, &call, &result), "two threads in the child");
  fovea_result_free(result);
  fovea_detector_close(own);
}

// A child of a process that has used a detector in each way; a hang ends it.
static void check_forks(const char *photo) {
  const char *const usual[] = {NULL};
  fovea_detector *detector = detector_with(usual);
  double expected = sum_of(detector, photo);
  fovea_labeler *labeler = NULL;
  succeed(fovea_labeler_open(NULL, NULL, &labeler), "fovea_labeler_open");
  fovea_tracker *tracker = NULL;
  succeed(fovea_tracker_open(NULL, &tracker), "fovea_tracker_open");
  fovea_image image = {.size = sizeof image, .kind = FOVEA_FILE, .data = photo};
  fovea_result *result = NULL;
  succeed(fovea_detect(detector, &image, 1, NULL, &result), photo);
  for (int i = 0; i < 8; i++) {
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0, "fork");
    if (child == 0) {
      alarm(60);
      in_child(detector, labeler, tracker, result, photo, expected);
      // A child of a child has handles of neither.
      if (i == 0) {
        fovea_detector *of_child = detector_with(usual);
        pid_t second = fork();
        if (second == 0) {
          fail(fovea_detect(of_child, &image, 1, NULL, &result), "wrong-process", "a handle of the child's");
          _exit(0);
        }
        int status = 0;
        waitpid(second, &status, 0);
        CHECK(status == 0, "the child's child ends with %d", status);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0, "child %d ends with %d", i, status);
  }
  CHECK(sum_of(detector, photo) == expected, "another result after the forks");
  fovea_result_free(result);
  fovea_tracker_close(tracker);
  fovea_labeler_close(labeler);
  fovea_detector_close(detector);
  printf("process: 8 children refused what they inherited, and found the same with their own\n");
}

int main(int count, char **arguments) {
  CHECK(count == 2, "process PHOTO");
  check_threads(arguments[1]);
  check_forks(arguments[1]);
  return 0;
}
