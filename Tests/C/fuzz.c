// SPDX-License-Identifier: Apache-2.0
// Calls of every function with arguments that nobody would give: no end of the process, no hang, no read outside what was
// given, and an error or a result that is consistent.
//
//   fuzz RUNS SEED DETECTOR.tflite LABELER.tflite IMAGE...
//
// What a call may read lies next to pages that no one may read, so that a byte too far ends the process, with or without the
// address sanitizer. The number of the run is printed then.
#include "check.h"

#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t state;
static volatile long run;

// xorshift64*; Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016.
static uint64_t number(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 2685821657736338717u;
}

static size_t below(size_t count) { return count ? (size_t)(number() >> 11) % count : 0; }
static int one_in(size_t count) { return below(count) == 0; }

// Memory that ends, and begins, at a page that no one may read.
enum { ARENA = 1 << 20, PAGE = 4096, ARENAS = 6 };
static unsigned char *arenas[ARENAS];
static size_t used;

static void *lend(size_t count, size_t alignment) {
  CHECK(used < ARENAS && count <= ARENA, "%zu bytes", count);
  unsigned char *arena = arenas[used++];
  // At the end most of the time, because that is where one reads too far.
  return one_in(4) ? arena : arena + (ARENA - count) / alignment * alignment;
}

static void make_arenas(void) {
  for (int i = 0; i < ARENAS; i++) {
    unsigned char *whole = mmap(NULL, ARENA + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(whole != MAP_FAILED && !mprotect(whole + PAGE, ARENA, PROT_READ | PROT_WRITE), "no memory");
    arenas[i] = whole + PAGE;
  }
}

static const int64_t edges[] = {0, 1, -1, 2, 3, 7, 8, 16, 17, 255, 256, 4095, 65535, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
static const double reals[] = {0, -0.0, 1, -1, 0.5, 3.7, 100, 1e9, 1e10, -1e300, 1e300, NAN, INFINITY, -INFINITY, 1e-300};

static int64_t edge(void) { return one_in(3) ? (int64_t)number() : edges[below(sizeof edges / sizeof *edges)]; }
static double real(void) { return one_in(4) ? (double)(int64_t)number() : reals[below(sizeof reals / sizeof *reals)]; }

static struct {
  unsigned char *bytes;
  size_t length;
} seeds[32];
static size_t seed_count;
static struct {
  unsigned char *bytes;
  size_t length;
} model;

static unsigned char *file_bytes(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  CHECK(file, "%s", path);
  unsigned char *bytes = malloc(ARENA);
  *length = bytes ? fread(bytes, 1, ARENA, file) : 0;
  CHECK(*length > 0 && *length < ARENA, "%s has %zu bytes", path, *length);
  fclose(file);
  return bytes;
}

// A seed, most of the time with some bytes changed, or cut.
static void *mutated(const unsigned char *bytes, size_t length, size_t *count) {
  *count = one_in(4) ? below(length) + 1 : length;
  unsigned char *copy = lend(*count, 1);
  memcpy(copy, bytes, *count);
  for (size_t i = one_in(5) ? 0 : below(12); i > 0; i--) copy[below(one_in(2) ? 64 % *count + 1 : *count)] = (unsigned char)number();
  return copy;
}

static const char *text(void) {
  static const char *const texts[] = {
      "", "0", "1", "-1", "0.5", "2", "nan", "true", "false", "dog", "dog,cat", "a\nb\n", ",", "127.5,127.5", "0,0", "first", "none", "sigmoid",
      "softmax", "letterbox", "yolox", "ssd", "scaled", "full", "16", "1e9", "/", "/dev/null", "/nowhere", "\xff\xfe", "\xed\xa0\x80", "bytetrack"};
  if (!one_in(4)) return texts[below(sizeof texts / sizeof *texts)];
  static char random[40];
  size_t length = below(sizeof random);
  for (size_t i = 0; i < length; i++) random[i] = (char)(number() % 255 + 1);
  random[length] = 0;
  return random;
}

static const char *name(void) {
  static const char *const names[] = {
      "threshold", "max-objects", "single", "slice", "slice-size", "slice-overlap", "classifier", "no-classify", "landmarks", "landmark-threshold", "landmark-iou", "smooth-landmarks", "label-threshold", "max-labels",
      "max-results", "allow", "deny", "labels", "locale", "normalize", "exact", "family", "activation", "background", "iou", "cross-class-iou", "fit",
      "class-agnostic", "threads", "decode", "max-pixels", "tracker", "every", "frame-rate", "config"};
  return one_in(16) ? text() : names[below(sizeof names / sizeof *names)];
}

// Frees an error, whose texts there must be. Returns whether there was one.
static int take(fovea_error *error) {
  if (!error) return 0;
  CHECK(*fovea_error_code(error) && *fovea_error_message(error), "run %ld: an error without a text", run);
  (void)fovea_error_remedy(error);
  (void)fovea_error_subject(error);
  fovea_error_free(error);
  return 1;
}

static void check_columns(const fovea_columns *columns, int of_labels) {
  for (size_t i = 0; i < columns->images; i++) {
    CHECK(columns->object_offsets[i] <= columns->object_offsets[i + 1], "run %ld: offsets of objects", run);
    CHECK(columns->widths[i] >= 0 && columns->milliseconds[i * 5 + 4] >= 0, "run %ld: image %zu", run, i);
  }
  CHECK((size_t)columns->object_offsets[columns->images] == columns->objects, "run %ld: objects", run);
  size_t owners = of_labels ? columns->images : columns->objects;
  for (size_t i = 0; i < owners; i++) CHECK(columns->label_offsets[i] <= columns->label_offsets[i + 1], "run %ld: offsets of labels", run);
  CHECK((size_t)columns->label_offsets[owners] == columns->labels, "run %ld: labels", run);
  for (size_t i = 0; i < columns->objects; i++) {
    CHECK(columns->scores[i] >= 0 && columns->scores[i] <= 1, "run %ld: score %g", run, columns->scores[i]);
    for (int j = 0; j < 4; j++) CHECK(isfinite(columns->boxes[i * 4 + j]), "run %ld: a box", run);
  }
  for (size_t i = 0; columns->mask_offsets && i < columns->objects; i++) {
    CHECK(columns->mask_offsets[i + 1] - columns->mask_offsets[i] == (int64_t)columns->mask_sizes[i * 2] * columns->mask_sizes[i * 2 + 1], "run %ld: a mask", run);
  }
  for (size_t i = 0; i < columns->labels; i++) {
    CHECK(columns->label_scores[i] >= 0 && columns->label_scores[i] <= 1, "run %ld: confidence %g", run, columns->label_scores[i]);
    if (columns->label_texts[i]) CHECK(strlen(columns->label_texts[i]) < 1000, "run %ld: a label", run);
  }
}

static void take_result(fovea_result *result, size_t count, int of_labels) {
  fovea_columns columns = {.size = sizeof columns};
  fovea_result_columns(result, &columns);
  CHECK(columns.images == count, "run %ld: %zu images, not %zu", run, columns.images, count);
  check_columns(&columns, of_labels);
  for (size_t i = 0; i < count + 1; i++) {
    const fovea_error *error = fovea_result_error(result, i);
    if (error) CHECK(*fovea_error_code(error) && *fovea_error_message(error), "run %ld: image %zu", run, i);
    // What must not happen to anybody: a failure that nobody has foreseen.
    if (error) CHECK(strcmp(fovea_error_code(error), "unexpected"), "run %ld: %s", run, fovea_error_message(error));
  }
  fovea_result_free(result);
}

static fovea_image random_image(void) {
  fovea_image image = {.size = sizeof image, .kind = (int32_t)below(9)};
  if (one_in(20)) image.kind = (int32_t)edge();
  image.width = one_in(8) ? (int32_t)edge() : (int32_t)below(40) + 1;
  image.height = one_in(8) ? (int32_t)edge() : (int32_t)below(40) + 1;
  int channels = image.kind == FOVEA_GREY ? 1 : image.kind >= FOVEA_RGBA ? 4 : 3;
  if (image.kind == FOVEA_ENCODED) {
    size_t seed = below(seed_count);
    image.data = mutated(seeds[seed].bytes, seeds[seed].length, &image.length);
  } else if (image.kind == FOVEA_FILE) {
    static const char *const paths[] = {"", "/", "/dev/zero", "/nowhere", "a\xff", "/etc/hostname"};
    const char *path = paths[below(6)];
    char *copy = lend(strlen(path) + 1, 1);
    strcpy(copy, path);
    image.data = copy;
    image.length = one_in(2) ? strlen(path) : 0;
  } else {
    // Exactly what the pixels need, or any other length, and never more than there is.
    int64_t row = (int64_t)channels * image.width;
    image.stride = one_in(3) ? 0 : one_in(8) ? edge() : (one_in(2) ? 1 : -1) * (row + (int64_t)below(9));
    int64_t stride = image.stride == 0 ? row : image.stride == INT64_MIN ? INT64_MAX : llabs(image.stride);
    double wanted = (double)stride * (image.height - 1.0) + (double)row;
    image.length = one_in(10) || !(wanted > 0 && wanted < ARENA) ? below(ARENA) : (size_t)wanted;
    unsigned char *lowest = lend(image.length, 1);
    for (size_t i = 0; i < image.length && i < 256; i++) lowest[i] = (unsigned char)number();
    size_t first = image.stride < 0 && (double)image.length >= wanted && wanted > 0 ? (size_t)((double)stride * (image.height - 1.0)) : 0;
    image.data = lowest + first;
  }
  if (one_in(30)) image.data = NULL;
  image.orientation = one_in(10) ? (int32_t)edge() : (int32_t)below(9);
  if (one_in(4)) image.name = text();
  if (one_in(3)) for (int i = 0; i < 4; i++) image.region[i] = one_in(3) ? real() : (double)below(40);
  return image;
}

static void fuzz_images(fovea_detector *detector, fovea_labeler *labeler) {
  fovea_image images[4];
  size_t count = one_in(3) ? 1 + below(3) : 1;
  for (size_t i = 0; i < count; i++) images[i] = random_image();
  if (one_in(40)) images[below(count)].size = (uint32_t)edge();
  fovea_cancel *cancel = one_in(10) ? fovea_cancel_new() : NULL;
  if (cancel && one_in(2)) fovea_cancel_set(cancel);
  fovea_stream *stream = one_in(10) ? fovea_stream_new() : NULL;
  fovea_call call = {.size = one_in(40) ? (uint32_t)edge() : sizeof call, .threads = one_in(200) ? (int32_t)edge() : (int32_t)below(2), .cancel = cancel, .stream = stream, .seconds = real()};
  // The array ends where no one may read.
  fovea_image *array = lend(count * sizeof *array, _Alignof(fovea_image));
  memcpy(array, images, count * sizeof *array);
  fovea_result *result = NULL;
  int of_labels = one_in(2);
  const fovea_call *given = one_in(2) ? &call : NULL;
  // A struct of a newer caller may be longer than this array.
  int is_readable = array[0].size <= sizeof *array || array[0].size > 4096;
  fovea_error *error = NULL;
  if (is_readable) {
    error = of_labels ? fovea_label(labeler, array, count, given, &result) : fovea_detect(detector, array, count, given, &result);
  }
  int failed = take(error);
  CHECK(!(failed && result), "run %ld: an error and a result", run);
  if (result) take_result(result, count, of_labels);
  fovea_cancel_free(cancel);
  fovea_stream_free(stream);
}

static fovea_options *random_options(void) {
  fovea_options *options = NULL;
  take(fovea_options_new(&options));
  for (size_t i = below(6); i > 0; i--) take(fovea_options_set(options, name(), text()));
  // More would cost memory, and nobody waits.
  take(fovea_options_set(options, "threads", "1"));
  return options;
}

static void fuzz_models(void) {
  fovea_model value = {.size = one_in(20) ? (uint32_t)edge() : sizeof value};
  if (value.size > sizeof value && value.size <= 4096) return;
  switch (below(5)) {
    case 0: value.path = text(); break;
    case 1: value.name = one_in(2) ? "classifier" : text(); break;
    default: value.bytes = mutated(model.bytes, model.length, &value.length);
  }
  if (one_in(20)) value.length = 0;
  if (one_in(8)) value.name = text();
  if (one_in(20)) value.path = text();
  fovea_options *options = random_options();
  fovea_detector *detector = NULL;
  fovea_labeler *labeler = NULL;
  char *json = NULL;
  switch (below(3)) {
    case 0:
      CHECK(take(fovea_detector_open(&value, options, &detector)) != !!detector, "run %ld: neither", run);
      break;
    case 1:
      CHECK(take(fovea_labeler_open(&value, options, &labeler)) != !!labeler, "run %ld: neither", run);
      break;
    default: CHECK(take(fovea_inspect(&value, &json)) != !!json, "run %ld: neither", run);
  }
  fovea_options_free(options);
  fovea_image image = {.size = sizeof image, .kind = FOVEA_GREY, .width = 9, .height = 7, .length = 63};
  image.data = lend(63, 1);
  fovea_result *result = NULL;
  if (detector && !take(fovea_detect(detector, &image, 1, NULL, &result))) take_result(result, 1, 0);
  if (labeler && !take(fovea_label(labeler, &image, 1, NULL, &result))) take_result(result, 1, 1);
  for (size_t i = 0; i < 3; i++) (void)fovea_detector_class_name(detector, (size_t)edge());
  fovea_detector_close(detector);
  fovea_labeler_close(labeler);
  fovea_string_free(json);
}

// Masks whose cells and places may be impossible; their memory is the caller's.
typedef struct {
  int64_t offsets[6];
  int32_t sizes[10];
  double places[40], boxes[25];
  unsigned char cells[64];
} random_masks;

static void add_masks(random_masks *masks, fovea_columns *columns) {
  masks->offsets[0] = 0;
  for (size_t i = 0; i < 5; i++) {
    int32_t wide = (int32_t)below(4), high = (int32_t)below(4);
    masks->sizes[i * 2] = one_in(20) ? (int32_t)edge() : wide;
    masks->sizes[i * 2 + 1] = one_in(20) ? (int32_t)edge() : high;
    masks->offsets[i + 1] = masks->offsets[i] + wide * high;
    for (int j = 0; j < 8; j++) masks->places[i * 8 + j] = one_in(20) ? real() : (double)below(20) + (j & 2 ? 20 : 0);
    for (int j = 0; j < 5; j++) masks->boxes[i * 5 + j] = one_in(20) ? real() : (double)below(40);
  }
  for (size_t i = 0; i < sizeof masks->cells; i++) masks->cells[i] = (unsigned char)number();
  columns->mask_offsets = one_in(20) ? NULL : masks->offsets;
  columns->mask_cells = one_in(20) ? NULL : masks->cells;
  columns->mask_sizes = one_in(20) ? NULL : masks->sizes;
  columns->mask_places = masks->places;
  columns->oriented_boxes = one_in(2) ? masks->boxes : NULL;
}

static void fuzz_masks(void) {
  random_masks masks;
  fovea_columns columns = {.size = one_in(30) ? (uint32_t)below(sizeof columns) : sizeof columns, .objects = one_in(30) ? 0 : 5};
  add_masks(&masks, &columns);
  size_t object = one_in(30) ? (size_t)edge() : below(5);
  int32_t width = one_in(30) ? (int32_t)edge() : (int32_t)below(50) + 1, height = one_in(30) ? (int32_t)edge() : (int32_t)below(50) + 1;
  size_t wanted = width > 0 && height > 0 ? (size_t)width * (size_t)height : 0, length = wanted <= ARENA ? wanted : below(ARENA);
  if (one_in(20) && length) length--;
  uint8_t *bits = lend(length, 1);
  int failed = take(fovea_mask_bits(&columns, object, width, height, bits, length));
  size_t inside = 0, count = 0, again = 0;
  for (size_t i = 0; !failed && i < wanted; i++) inside += bits[i];
  CHECK(inside <= wanted, "run %ld: %zu pixels of %zu", run, inside, wanted);
  char *text = NULL;
  // Larger images have as short a text.
  CHECK(take(fovea_mask_text(&columns, object, width, height, &text)) != !!text, "run %ld: neither", run);
  fovea_string_free(text);
  if (take(fovea_mask_outlines(&columns, object, NULL, 0, &count))) return;
  CHECK(count * 16 < ARENA, "run %ld: %zu points", run, count);
  double *points = lend(count * 2 * sizeof *points, sizeof *points);
  CHECK(!take(fovea_mask_outlines(&columns, object, points, count, &again)) && again == count, "run %ld: %zu points, not %zu", run, again, count);
  if (count) CHECK(isnan(points[count * 2 - 1]), "run %ld: the last outline has no end", run);
}

static void fuzz_tracker(void) {
  fovea_options *options = random_options();
  fovea_tracker *tracker = NULL;
  // The options of a model mean nothing for a tracker: most of the time there are none.
  CHECK(take(fovea_tracker_open(one_in(8) ? options : NULL, &tracker)) != !!tracker, "run %ld: neither", run);
  fovea_options_free(options);
  for (size_t frames = below(6); tracker && frames > 0; frames--) {
    used = 0;
    size_t count = below(5);
    double *boxes = lend(count * 4 * sizeof *boxes, sizeof *boxes);
    float *scores = lend(count * sizeof *scores, sizeof *scores);
    int64_t *offsets = lend((count + 1) * sizeof *offsets, sizeof *offsets);
    int32_t *indexes = lend(8 * sizeof *indexes, sizeof *indexes);
    float confidences[8] = {0};
    offsets[0] = 0;
    for (size_t i = 0; i < count; i++) {
      for (int j = 0; j < 4; j++) boxes[i * 4 + j] = one_in(9) ? real() : (double)below(60);
      scores[i] = one_in(9) ? (float)real() : (float)below(100) / 100;
      offsets[i + 1] = one_in(9) ? edge() : offsets[i] + (int64_t)below(2);
    }
    for (int i = 0; i < 8; i++) indexes[i] = (int32_t)edge();
    int32_t width = one_in(9) ? (int32_t)edge() : 64, height = 48, orientation = one_in(9) ? (int32_t)edge() : (int32_t)below(8) + 1;
    fovea_columns columns = {
        .size = one_in(30) ? (uint32_t)below(sizeof columns) : sizeof columns, .images = 1, .objects = count, .labels = 8, .widths = &width, .heights = &height,
        .orientations = &orientation, .boxes = boxes, .scores = scores, .label_offsets = offsets, .label_indexes = indexes, .label_scores = confidences};
    random_masks masks;
    if (one_in(2)) add_masks(&masks, &columns);
    if (one_in(10)) columns.boxes = NULL;
    if (one_in(10)) columns.label_indexes = NULL;
    fovea_image image = random_image();
    fovea_result *result = NULL;
    int failed = take(fovea_tracker_update(tracker, one_in(2) ? &image : NULL, one_in(9) ? NULL : &columns, real(), &result));
    CHECK(failed != !!result, "run %ld: neither", run);
    if (result) take_result(result, 1, 0);
    if (one_in(5)) fovea_tracker_reset(tracker);
  }
  fovea_tracker_close(tracker);
}

static void name_run(int signal_number) {
  char line[64];
  int length = snprintf(line, sizeof line, "fuzz: signal %d in run %ld\n", signal_number, run);
  if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) _exit(3);
  _exit(2);
}

int main(int count, char **arguments) {
  CHECK(count > 5, "fuzz RUNS SEED DETECTOR LABELER IMAGE...");
  long runs = atol(arguments[1]), first = atol(arguments[2]);
  make_arenas();
  model.bytes = file_bytes(arguments[3], &model.length);
  for (int i = 5; i < count && seed_count < 32; i++, seed_count++) seeds[seed_count].bytes = file_bytes(arguments[i], &seeds[seed_count].length);
  const char *const options[] = {"threads", "1", NULL};
  fovea_options *one_thread = options_of(options);
  fovea_detector *detector = NULL;
  fovea_labeler *labeler = NULL;
  succeed(fovea_detector_open(&(fovea_model){.size = sizeof(fovea_model), .path = arguments[3]}, one_thread, &detector), arguments[3]);
  succeed(fovea_labeler_open(&(fovea_model){.size = sizeof(fovea_model), .path = arguments[4]}, one_thread, &labeler), arguments[4]);
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], name_run);
  for (run = first; run < first + runs; run++) {
    state = (uint64_t)run * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < 8; i++) number();
    used = 0;
    // A hang ends the process; the machine may be busy.
    alarm(120);
    if (one_in(60)) {
      fuzz_models();
    } else if (one_in(12)) {
      fuzz_tracker();
    } else if (one_in(12)) {
      fuzz_masks();
    } else {
      fuzz_images(detector, labeler);
    }
  }
  alarm(0);
  fovea_detector_close(detector);
  fovea_labeler_close(labeler);
  fovea_options_free(one_thread);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("fuzz: %ld runs from %ld, at most %ld MiB\n", runs, first, usage.ru_maxrss >> 10);
  return 0;
}
