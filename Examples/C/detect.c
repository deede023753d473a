// SPDX-License-Identifier: Apache-2.0
// Finds objects in image files: detect street.jpg cat.jpg
//
//   cc -std=c11 -Wall detect.c $(pkg-config --cflags --libs fovea) -o detect
#include <fovea.h>
#include <stdio.h>
#include <stdlib.h>

static int report(const fovea_error *error) {
  const char *subject = fovea_error_subject(error);
  fprintf(stderr, "%s%s%s: %s. %s\n", subject ? subject : "", subject ? ": " : "", fovea_error_code(error),
          fovea_error_message(error), fovea_error_remedy(error));
  return EXIT_FAILURE;
}

int main(int count, char **arguments) {
  fovea_detector *detector = NULL;
  fovea_error *failed = fovea_detector_open(NULL, NULL, &detector);
  fovea_image *images = calloc((size_t)count, sizeof *images);
  if (!images) return EXIT_FAILURE;
  for (int i = 1; i < count; i++) {
    images[i - 1] = (fovea_image){.size = sizeof *images, .kind = FOVEA_FILE, .data = arguments[i]};
    images[i - 1].name = arguments[i];
  }
  fovea_result *result = NULL;
  if (!failed) failed = fovea_detect(detector, images, (size_t)count - 1, NULL, &result);
  int status = failed ? report(failed) : EXIT_SUCCESS;
  fovea_columns columns = {.size = sizeof columns};
  if (result) fovea_result_columns(result, &columns);
  for (size_t i = 0; i < columns.images; i++) {
    if (fovea_result_error(result, i)) status = report(fovea_result_error(result, i));
    for (int64_t o = columns.object_offsets[i]; o < columns.object_offsets[i + 1]; o++) {
      int64_t label = columns.label_offsets[o];
      const char *name = label < columns.label_offsets[o + 1] ? columns.label_texts[label] : NULL;
      const double *box = columns.boxes + 4 * o;
      printf("%s: %s %.2f at %.0f,%.0f, %.0f x %.0f\n", arguments[i + 1], name ? name : "object", columns.scores[o],
             box[0], box[1], box[2], box[3]);
    }
  }
  fovea_result_free(result);
  fovea_error_free(failed);
  fovea_detector_close(detector);
  free(images);
  return status;
}
