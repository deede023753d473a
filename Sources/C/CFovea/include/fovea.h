/* SPDX-License-Identifier: Apache-2.0
 *
 * Fovea's C interface: finds, labels and follows objects in images with TFLite models.
 *
 *   fovea_detector *detector = NULL;
 *   fovea_error *error = fovea_detector_open(NULL, NULL, &detector);      // the embedded model, the defaults
 *   fovea_image image = {.size = sizeof image, .kind = FOVEA_FILE, .data = "street.jpg"};
 *   fovea_result *result = NULL;
 *   if (!error) error = fovea_detect(detector, &image, 1, NULL, &result);
 *
 * Rules that hold for every function:
 *
 * - Errors: NULL is success. A function that can fail returns a fovea_error, which the caller frees; what it should have
 *   written to `out` is then NULL. What is wrong with one image of a call is no error of the call: it is in the result.
 * - NULL: a pointer must not be NULL unless its comment says so. Where it is NULL anyway, a function that can fail answers
 *   "argument-invalid", and one that cannot does nothing and answers 0, NULL or "".
 * - Structs begin with `size`, their sizeof in the caller's header. Fields that an older caller's struct does not have are
 *   taken as 0. Set everything that is not used to 0.
 * - Ownership: what the caller passes is read until the call returns and never kept. Objects that a function gives are the
 *   caller's to free or close. A `const char *` lives as long as the object that it comes from. Texts are UTF-8.
 * - Threads: a detector, a labeler, a result and a cancel may be used from any number of threads; a tracker and options by
 *   one at a time. Calls run on the caller's thread. No thread of Fovea's outlives a call; a model that was opened with
 *   "threads" above 1 keeps the threads of its own pool.
 * - Fork: a handle of the parent answers "wrong-process" in the child; open a new one there. Results, errors and options of
 *   the parent stay usable. Do not fork while another thread is inside a call.
 * - Boxes and regions are in pixels of the image as it is stored, before any rotation by EXIF; x to the right, y down,
 *   (0, 0) is the upper left corner of the upper left pixel.
 */
#ifndef FOVEA_H
#define FOVEA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Within one, functions are only added, and fields only at the end of a struct. */
#define FOVEA_ABI 1

/* -------------------------------------------------- the library -------------------------------------------------- */

/* The interface that the library has: FOVEA_ABI of its own header. */
uint32_t fovea_abi(void);

/* The version of Fovea, such as "0.2.0". A constant. */
const char *fovea_version(void);

/* The structs of this header as the library was compiled with them, one a line: name, sizeof, and for each field its name
 * and offset, as "fovea_image 88 size:0 kind:4 data:8 ...". A constant. Bindings compare it with their own idea. */
const char *fovea_layout(void);

/* ---------------------------------------------------- errors ----------------------------------------------------- */

/* What went wrong, and what to do about it. */
typedef struct fovea_error fovea_error;

/* The kind of failure, as docs/reference/errors.md lists them: "image-truncated". Stable; programs compare it. */
const char *fovea_error_code(const fovea_error *error);

/* What happened, with actual and expected values: one sentence without the final stop. */
const char *fovea_error_message(const fovea_error *error);

/* What to do next: one sentence without the final stop. Options are named as in fovea_options_set. */
const char *fovea_error_remedy(const fovea_error *error);

/* The file, image or model that failed, where the message does not name it; NULL where it does. */
const char *fovea_error_subject(const fovea_error *error);

/* Frees an error that a function returned; NULL does nothing. Not for the errors of fovea_result_error. */
void fovea_error_free(fovea_error *error);

/* ---------------------------------------------------- options ---------------------------------------------------- */

/* What a detector, labeler or tracker is to do: names and texts are those of the program `fovea`. */
typedef struct fovea_options fovea_options;

/* Makes options that say nothing: everything is as the program has it by default. */
fovea_error *fovea_options_new(fovea_options **out);

/* Says one option; a second value replaces the first. Flags take "true" or "false"; lists have commas between their
 * elements, or line ends where an element has a comma. "option-invalid" for a name that there is not, and a value out of
 * its range. What a model cannot do, and what has no meaning for a labeler or tracker, is an error of its open function.
 *
 *   detector    threshold max-objects single slice slice-size slice-overlap classifier no-classify label-threshold
 *               max-labels allow deny labels locale normalize exact family activation background iou cross-class-iou fit
 *               class-agnostic threads sessions decode max-pixels
 *   labeler     threshold max-results allow deny labels locale normalize exact activation threads sessions decode max-pixels
 *   tracker     tracker every frame-rate config threshold max-objects single
 *
 * "sessions" (1 by default) is how many calls a handle works on at the same time, each with the memory of one more session;
 * further ones wait in the order in which they came. "threads" is how many threads the model has for one image: by default
 * up to 4 cores with one session, and 1 with several. docs/how-to/c.md lists all. */
fovea_error *fovea_options_set(fovea_options *options, const char *name, const char *value);

/* Frees options; NULL does nothing. They may be freed as soon as the open function has returned. */
void fovea_options_free(fovea_options *options);

/* ---------------------------------------------------- models ----------------------------------------------------- */

/* A model: a file, bytes in memory, or one that the library carries in itself. */
typedef struct fovea_model {
  uint32_t size;     /* sizeof(fovea_model) */
  const char *path;  /* a .tflite file, an AutoML folder or its manifest; NULL: see `bytes` */
  const void *bytes; /* the content of a .tflite file, copied once; NULL, with `path` NULL: an embedded model */
  size_t length;     /* of `bytes` */
  const char *name;  /* what errors call `bytes`, may be NULL; without bytes and path it is the embedded model: "detector",
                        "localizer" or "classifier"; NULL: the default of the function */
} fovea_model;

/* What a model is, as JSON: what `fovea model inspect --json` prints. `model` may be NULL for the embedded detector. The
 * caller frees the text with fovea_string_free. */
fovea_error *fovea_inspect(const fovea_model *model, char **out);

/* Frees a text that a function gave; NULL does nothing. */
void fovea_string_free(char *text);

/* Names the LiteRT library (libLiteRt.so, or the folder that it is in) before the first model is opened; "option-invalid"
 * once another one is loaded. Without it: FOVEA_LITERT_LIBRARY where that is set, else next to this library, then
 * where docs/explanation/architecture.md says. It is not opened before it is needed. */
fovea_error *fovea_runtime_set(const char *path);

/* The LiteRT library that is loaded, or that is loaded now; its path lives as long as the process.
 * "runtime-missing" or "runtime-unusable" where there is none. */
fovea_error *fovea_runtime_path(const char **out);

/* ---------------------------------------------------- images ----------------------------------------------------- */

/* What `data` of an image is. */
enum {
  FOVEA_FILE = 1,    /* the path of an image file, ended by NUL */
  FOVEA_ENCODED = 2, /* the bytes of an image file: JPEG, PNG, WebP, BMP, GIF, TIFF, HEIC */
  FOVEA_RGB = 3,     /* pixels, 3 bytes each: red, green, blue */
  FOVEA_BGR = 4,     /* pixels, 3 bytes each: blue, green, red */
  FOVEA_RGBA = 5,    /* pixels, 4 bytes each; alpha is ignored */
  FOVEA_BGRA = 6,    /* pixels, 4 bytes each; alpha is ignored */
  FOVEA_GREY = 7     /* pixels, 1 byte each */
};

/* An image. */
typedef struct fovea_image {
  uint32_t size;        /* sizeof(fovea_image), the same for all images of one call */
  int32_t kind;         /* FOVEA_FILE ... FOVEA_GREY */
  const void *data;     /* the path, the encoded bytes, or the first pixel of the first row */
  size_t length;        /* the bytes of `data`. A path: without its NUL, or 0 for up to it. Pixels: from the lowest to the
                           highest address that they cover, at least |stride| * (height - 1) + the bytes of a row */
  int32_t width;        /* of pixels, 1 ... 65535; else 0 */
  int32_t height;       /* as `width` */
  int64_t stride;       /* of pixels: bytes from one row to the next, 0 for rows without gaps. Below 0 the next row lies
                           before: `data` is then still the first row, the one at the highest address */
  int32_t orientation;  /* how the stored image must be rotated, 1 ... 8 as in EXIF; 0: what the file says, 1 for pixels */
  const char *name;     /* what errors call it; NULL: the path, or "image" and its number in the call, from 0 */
  double region[4];     /* x, y, width, height of the part to process; all 0: everything */
} fovea_image;

/* ----------------------------------------------------- calls ----------------------------------------------------- */

/* Ends calls from another thread. */
typedef struct fovea_cancel fovea_cancel;

/* Makes one that is not set; NULL where there is no memory. */
fovea_cancel *fovea_cancel_new(void);

/* Ends every call that was given it, now and later; it cannot be taken back. A run stops at the model's next operator. Images
 * that are done stay in the result, the others have the error "cancelled". From any thread, more than once. */
void fovea_cancel_set(fovea_cancel *cancel);

/* Frees it; NULL does nothing. Calls that were given it go on, and no one can end them any more. */
void fovea_cancel_free(fovea_cancel *cancel);

/* How a call runs. */
typedef struct fovea_call {
  uint32_t size;        /* sizeof(fovea_call) */
  int32_t threads;      /* the threads that share the images of this call; 0 or 1: the caller's alone. They end before the
                           call returns. More than the handle's "sessions" wait for each other */
  fovea_cancel *cancel; /* ends the call; may be NULL */
  /* Called on the caller's thread when an image is done, and every 100 ms while `threads` above 1 work; may be NULL. `done`
   * of `count` images are done. It may call fovea_cancel_set, and no other function with the same handle. */
  void (*progress)(void *context, size_t done, size_t count);
  void *context; /* for `progress` */
} fovea_call;

/* ---------------------------------------------------- results ---------------------------------------------------- */

/* What was found in the images of one call. Never changes. */
typedef struct fovea_result fovea_result;

/* A result as columns. All memory belongs to the result. A column with no rows may be NULL. An image that failed has no
 * objects and no labels, and 0 in the columns of images. */
typedef struct fovea_columns {
  uint32_t size;                /* sizeof(fovea_columns) */
  size_t images;                /* as many as the call had */
  size_t objects;               /* of all images */
  size_t labels;                /* of all objects, or of all images for a labeler */
  const int32_t *widths;        /* images: of the stored image, in pixels */
  const int32_t *heights;       /* images */
  const int32_t *orientations;  /* images: how the stored image must be rotated, 1 ... 8 as in EXIF */
  const double *milliseconds;   /* images * 5: decode, prepare, detect, classify, total */
  const int64_t *object_offsets; /* images + 1: objects of image i are object_offsets[i] ... object_offsets[i + 1] - 1, by
                                    falling score */
  const double *boxes;          /* objects * 4: x, y, width, height, clipped to the image */
  const float *scores;          /* objects: 0 ... 1 */
  const int64_t *track_ids;     /* objects: the identity that a tracker gave, from 1; 0: none */
  const int64_t *label_offsets; /* objects + 1, or images + 1 for a labeler: as object_offsets. The first label of an object
                                   is the detector's class where it has classes; those of a classifier follow, by falling
                                   confidence */
  const int32_t *label_indexes; /* labels: the class, from 0 */
  const float *label_scores;    /* labels: 0 ... 1 */
  const char *const *label_texts; /* labels: the name; NULL where the model names none */
  const int64_t *keypoint_offsets; /* objects + 1: as object_offsets */
  const double *keypoints;      /* keypoint_offsets[objects] * 2: x, y; places that some models name on an object */
} fovea_columns;

/* Writes the columns into the struct: at most `out->size` bytes of it, which the caller has set; afterwards `out->size` is
 * what was written. */
void fovea_result_columns(const fovea_result *result, fovea_columns *out);

/* What is wrong with one image of the call; NULL where it was processed. The error is the result's: do not free it. */
const fovea_error *fovea_result_error(const fovea_result *result, size_t image);

/* Frees a result with its columns and errors; NULL does nothing. */
void fovea_result_free(fovea_result *result);

/* --------------------------------------------------- detectors --------------------------------------------------- */

/* Finds objects in images. */
typedef struct fovea_detector fovea_detector;

/* Opens a detector; 10 to 40 ms. `model` may be NULL for the embedded detector, which knows the 80 classes of COCO; it may be
 * a classifier, which then labels what the embedded localizer finds. `options` may be NULL for the defaults. */
fovea_error *fovea_detector_open(const fovea_model *model, const fovea_options *options, fovea_detector **out);

/* Finds the objects of `count` images. `call` may be NULL: on the caller's thread, not to be cancelled. With 0 images the
 * result is empty, and `images` may be NULL. */
fovea_error *fovea_detect(fovea_detector *detector, const fovea_image *images, size_t count, const fovea_call *call,
                          fovea_result **out);

/* How many classes the first label of an object can have; 0 where none are known. */
size_t fovea_detector_class_count(const fovea_detector *detector);

/* The name of a class by its index; NULL beyond them. */
const char *fovea_detector_class_name(const fovea_detector *detector, size_t index);

/* How many assumptions were made because neither options nor model decide it, such as the normalisation of float inputs. A wrong
 * one gives poor results without an error: show them to the person who chose the model. */
size_t fovea_detector_assumption_count(const fovea_detector *detector);

/* An assumption, a sentence without the final stop that names the option; NULL beyond them. */
const char *fovea_detector_assumption(const fovea_detector *detector, size_t index);

/* Waits for calls that run, then frees the detector; calls that wait for their turn answer "closed". NULL does nothing. The
 * handle must not be used afterwards. In another process than the one that opened it nothing is freed. */
void fovea_detector_close(fovea_detector *detector);

/* --------------------------------------------------- labelers ---------------------------------------------------- */

/* Names what images show. */
typedef struct fovea_labeler fovea_labeler;

/* Opens a labeler. `model`, a classifier, may be NULL for the embedded one (Fashion good, Food, Home good, Place, Plant);
 * `options` may be NULL for the defaults. */
fovea_error *fovea_labeler_open(const fovea_model *model, const fovea_options *options, fovea_labeler **out);

/* Labels `count` images; as fovea_detect. The result has no objects: label_offsets has images + 1 elements. */
fovea_error *fovea_label(fovea_labeler *labeler, const fovea_image *images, size_t count, const fovea_call *call,
                         fovea_result **out);

/* How many classes the model has. */
size_t fovea_labeler_class_count(const fovea_labeler *labeler);

/* The name of a class by its index; NULL beyond them, and where it has none. */
const char *fovea_labeler_class_name(const fovea_labeler *labeler, size_t index);

/* As fovea_detector_assumption_count. */
size_t fovea_labeler_assumption_count(const fovea_labeler *labeler);

/* As fovea_detector_assumption. */
const char *fovea_labeler_assumption(const fovea_labeler *labeler, size_t index);

/* As fovea_detector_close. */
void fovea_labeler_close(fovea_labeler *labeler);

/* --------------------------------------------------- trackers ---------------------------------------------------- */

/* Follows objects from frame to frame. Has one owner, frames come in their order; a second thread that comes while a call runs
 * gets "busy". */
typedef struct fovea_tracker fovea_tracker;

/* Makes a tracker. `options` may be NULL: Fovea's own tracker, detections on every frame. */
fovea_error *fovea_tracker_open(const fovea_options *options, fovea_tracker **out);

/* Takes the next frame.
 *
 * `frame` is its pixels (not a file and no encoded bytes), copied where they are needed later; it may be NULL with a tracker
 * whose option "every" is 1, the default. `detections` is what was found in it: columns of one image; columns that are NULL
 * are taken as absent, but `boxes` and `scores` must be there where there are objects, and `widths` and `heights` where `frame` is
 * NULL. NULL, with "every" above 1 alone: the objects of the frame before move with the image. `seconds` is when the frame was
 * taken; NaN where that is unknown.
 *
 * The result has one image: the objects that have an identity in track_ids. A frame of another size or orientation than the one
 * before begins again. */
fovea_error *fovea_tracker_update(fovea_tracker *tracker, const fovea_image *frame, const fovea_columns *detections,
                                  double seconds, fovea_result **out);

/* Forgets every object. Does nothing while another thread's call runs. */
void fovea_tracker_reset(fovea_tracker *tracker);

/* Frees the tracker, after a call that runs; NULL does nothing. The handle must not be used afterwards. */
void fovea_tracker_close(fovea_tracker *tracker);

#ifdef __cplusplus
}
#endif

#endif
