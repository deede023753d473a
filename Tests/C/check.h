// SPDX-License-Identifier: Apache-2.0
// What the test programs of the C library share.
#pragma once

#include <fovea.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program with the line where something does not hold.
#define CHECK(condition, ...)                                                 \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                           \
      fputc('\n', stderr);                                                    \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

// Ends the program where a call has failed.
static inline void succeed(fovea_error *error, const char *what) {
  if (error) {
    fprintf(stderr, "%s: %s: %s. %s.\n", what, fovea_error_code(error), fovea_error_message(error), fovea_error_remedy(error));
    exit(1);
  }
}

// Ends the program where a call has not failed with this code; frees the error.
static inline void fail(fovea_error *error, const char *code, const char *what) {
  CHECK(error && !strcmp(fovea_error_code(error), code), "%s: %s, not %s", what, error ? fovea_error_code(error) : "no error", code);
  fovea_error_free(error);
}

// Options of names and values in turn, up to NULL; the caller frees them.
static inline fovea_options *options_of(const char *const *texts) {
  fovea_options *options = NULL;
  succeed(fovea_options_new(&options), "fovea_options_new");
  for (; *texts; texts += 2) succeed(fovea_options_set(options, texts[0], texts[1]), texts[0]);
  return options;
}

// A detector with options.
static inline fovea_detector *detector_with(const char *const *texts) {
  fovea_options *options = options_of(texts);
  fovea_detector *detector = NULL;
  succeed(fovea_detector_open(NULL, options, &detector), "fovea_detector_open");
  fovea_options_free(options);
  return detector;
}

// What a detector finds in a file: the sum of all boxes and scores, which must be found.
static inline double sum_of(fovea_detector *detector, const char *path) {
  fovea_image image = {.size = sizeof image, .kind = FOVEA_FILE, .data = path};
  fovea_result *result = NULL;
  succeed(fovea_detect(detector, &image, 1, NULL, &result), path);
  fovea_columns columns = {.size = sizeof columns};
  fovea_result_columns(result, &columns);
  CHECK(!fovea_result_error(result, 0), "%s", fovea_error_message(fovea_result_error(result, 0)));
  CHECK(columns.objects > 0, "%s", path);
  double sum = 0;
  for (size_t i = 0; i < columns.objects; i++) {
    sum += columns.scores[i];
    for (int j = 0; j < 4; j++) sum += columns.boxes[i * 4 + j];
  }
  fovea_result_free(result);
  return sum;
}
