// SPDX-License-Identifier: Apache-2.0
// Texts of errors name what C has: no option of the program, nothing of Swift, and no command of the repository.
//
//   words PHOTO DETECTOR FOLDER        FOLDER is one to write into
#include "check.h"

#include <ctype.h>
#include <unistd.h>

static const char *const foreign[] = {"Options.", "ImageLimits", "ObjectDetector", "ImageLabeler", "make setup", "ModelInspection", "FoveaRuntime", "SystemError", NULL};

// Whether a text has an option of the command line: two dashes where a word begins.
static int has_dashes(const char *text) {
  for (const char *at = strstr(text, "--"); at; at = strstr(at + 2, "--"))
    if (isalpha((unsigned char)at[2])) return 1;
  return 0;
}

// Ends the program where an error has another remedy, or foreign words; frees it.
static void says(fovea_error *error, const char *remedy) {
  CHECK(error, "no error, expected the remedy: %s", remedy);
  const char *texts[] = {fovea_error_message(error), fovea_error_remedy(error)};
  CHECK(strstr(texts[1], remedy), "the remedy is: %s\n  expected: %s", texts[1], remedy);
  for (int i = 0; i < 2; i++) {
    for (const char *const *word = foreign; *word; word++) CHECK(!strstr(texts[i], *word), "%s", texts[i]);
    CHECK(!has_dashes(texts[i]), "%s", texts[i]);
  }
  fovea_error_free(error);
}

static fovea_error *open_with(const char *path, const char *const *texts) {
  fovea_options *options = options_of(texts);
  fovea_model model = {.size = sizeof model, .path = path};
  fovea_detector *detector = NULL;
  fovea_error *error = fovea_detector_open(path ? &model : NULL, options, &detector);
  fovea_options_free(options);
  fovea_detector_close(detector);
  return error;
}

// The remedy for an image that a detector with options refuses.
static void image_says(const char *const *texts, const fovea_image *image, const char *remedy) {
  fovea_detector *detector = detector_with(texts);
  fovea_result *result = NULL;
  succeed(fovea_detect(detector, image, 1, NULL, &result), "fovea_detect");
  const fovea_error *error = fovea_result_error(result, 0);
  CHECK(error && strstr(fovea_error_remedy(error), remedy), "the remedy is: %s", error ? fovea_error_remedy(error) : "none");
  for (const char *const *word = foreign; *word; word++)
    CHECK(!strstr(fovea_error_remedy(error), *word), "%s", fovea_error_remedy(error));
  fovea_result_free(result);
  fovea_detector_close(detector);
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  const char *photo = arguments[1], *detector = arguments[2], *folder = arguments[3];
  static const char *const none[] = {NULL}, *const few[] = {"max-pixels", "100", NULL};
  static const char *const cats[] = {"allow", "Cat", NULL}, *const locale[] = {"locale", "de", NULL};

  // A file over the limit, which takes no space.
  char large[4096];
  snprintf(large, sizeof large, "%s/large.jpg", folder);
  FILE *file = fopen(large, "w");
  CHECK(file && !ftruncate(fileno(file), 600L << 20) && !fclose(file), "%s", large);
  image_says(none, &(fovea_image){.size = sizeof(fovea_image), .kind = FOVEA_FILE, .data = large}, "Use a smaller image");
  remove(large);
  image_says(few, &(fovea_image){.size = sizeof(fovea_image), .kind = FOVEA_FILE, .data = photo},
             "raise the option 'max-pixels' if you trust its source");

  says(open_with(NULL, cats), "fovea_inspect lists them");
  says(open_with(detector, locale), "Leave out the locale");
  fovea_labeler *labeler = NULL;
  fovea_model model = {.size = sizeof model, .path = detector};
  says(fovea_labeler_open(&model, NULL, &labeler), "fovea_detector_open");
  char mask[4096];
  snprintf(mask, sizeof mask, "%.*smask.tflite", (int)(strrchr(detector, '/') + 1 - detector), detector);
  says(open_with(mask, none), "use fovea_segmenter_open with the option 'family' = 'mask'");
  static const char *const config[] = {"config", "/no/such.json", NULL};
  fovea_options *options = options_of(config);
  fovea_tracker *tracker = NULL;
  says(fovea_tracker_open(options, &tracker), "Name a JSON file");
  fovea_options_free(options);
  puts("words: the texts of errors are those of C");
  return 0;
}
