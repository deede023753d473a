/* SPDX-License-Identifier: Apache-2.0
 *
 * Fovea's C interface: finds, labels and follows objects in images with TFLite models, and computes maps and
 * features of images.
 *
 *   fovea_detector *detector = NULL;
 *   fovea_error *error = fovea_detector_open(NULL, NULL, &detector);  // the embedded model, defaults
 *   fovea_image image = {.size = sizeof image, .kind = FOVEA_FILE, .data = "street.jpg"};
 *   fovea_result *result = NULL;
 *   if (!error) error = fovea_detect(detector, &image, 1, NULL, &result);
 *
 * Rules for every function:
 *
 * - Errors: a function that can fail returns NULL on success, or a fovea_error, which the caller frees; `out`
 *   is then set to NULL. A failed image is not an error of the call: its error is in the result.
 * - NULL: a pointer must not be NULL unless its comment allows it. Otherwise a function that can fail returns
 *   "argument-invalid", and any other function does nothing and returns 0, NULL or "".
 * - Structs begin with `size`, their sizeof in the caller's header. Fields that an older caller's struct
 *   lacks are taken as 0. Set all unused fields to 0.
 * - Ownership: arguments are read until the call returns and never kept. The caller frees or closes the
 *   objects that functions return. A `const char *` is valid as long as the object that it belongs to.
 *   Strings are UTF-8.
 * - Threads: a detector, a labeler, a segmenter, an embedder, a result and a cancel may be used by any number
 *   of threads; a tracker, a stream and options by one at a time. Calls run on the caller's thread. Fovea's
 *   threads end with the call, except for the thread pool of a model that was opened with "threads" above 1.
 * - Fork: in a child process, handles of the parent fail with "wrong-process"; open new ones there. The
 *   parent's results, errors and options stay usable. Do not fork while another thread is inside a call.
 * - Boxes and regions are in pixels of the stored image, before any rotation by EXIF; x points right, y
 *   points down, (0, 0) is the upper left corner of the upper left pixel.
 */
#ifndef FOVEA_H
#define FOVEA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Within a version, only functions are added, and fields at the end of
 * structs. */
#define FOVEA_ABI 1

/* --------------------------------------------- the library --------------------------------------------- */

/* Returns the interface version of the library: FOVEA_ABI of its own header. */
uint32_t fovea_abi(void);

/* Returns the version of Fovea, such as "0.2.0". The text is constant. */
const char *fovea_version(void);

/* Returns the layout of this header's structs as compiled into the library, one per line: name, sizeof, and
 * the name and offset of each field, such as "fovea_image 88 size:0 kind:4 data:8 ...". The text is constant.
 * Bindings compare it with their own layout. */
const char *fovea_layout(void);

/* ----------------------------------------------- errors ------------------------------------------------ */

/* An error with a remedy. */
typedef struct fovea_error fovea_error;

/* Returns the stable code for programs to compare, such as "image-truncated"; docs/reference/errors.md lists
 * all. */
const char *fovea_error_code(const fovea_error *error);

/* Returns what happened, with actual and expected values, as one sentence without its full stop. */
const char *fovea_error_message(const fovea_error *error);

/* Returns what to do next, as one sentence without its full stop. Options have their names from
 * fovea_options_set. */
const char *fovea_error_remedy(const fovea_error *error);

/* Returns the file, image or model that failed; NULL if the message names it. */
const char *fovea_error_subject(const fovea_error *error);

/* Frees an error that a function returned; `error` may be NULL. Not for errors from fovea_result_error. */
void fovea_error_free(fovea_error *error);

/* ----------------------------------------------- options ----------------------------------------------- */

/* The options of a detector, labeler, segmenter, embedder or tracker, of a quantisation or a comparison, with the
 * names and values of the program `fovea`. */
typedef struct fovea_options fovea_options;

/* Makes options with the program's defaults. */
fovea_error *fovea_options_new(fovea_options **out);

/* Sets an option; a later value replaces an earlier one. Flags are "true" or "false". Elements of lists are
 * separated by commas, or by line ends if an element contains a comma. Fails with "option-invalid" for an
 * unknown name or a value out of range. An option that does not apply to the model or the kind of object
 * fails in the open function.
 *
 *   detector    threshold max-objects single slice slice-size slice-overlap classifier no-classify
 *               landmarks landmark-threshold landmark-iou smooth-landmarks label-threshold max-labels allow
 *               deny labels locale normalize exact family activation background iou cross-class-iou fit
 *               class-agnostic threads sessions decode max-pixels
 *   labeler     threshold max-results allow deny labels locale normalize exact activation threads sessions
 *               decode max-pixels
 *   segmenter   labels locale normalize exact family threads sessions decode max-pixels
 *   embedder    normalize exact threads sessions decode max-pixels
 *   tracker     tracker every frame-rate config threshold max-objects single
 *   quantize    at-least keep-float float-layers ground-truth labels normalize family activation background
 *               threads max-pixels
 *   compare     ground-truth threshold labels normalize family activation background threads max-pixels
 *
 * "sessions", by default 1, is the number of calls that a handle processes in parallel, each with the memory
 * of one more session; further calls wait in order. "threads" is the number of threads that the model uses
 * for one image: by default up to 4 cores with one session, and 1 with several. docs/how-to/c.md describes
 * all options. */
fovea_error *fovea_options_set(fovea_options *options, const char *name, const char *value);

/* Frees options; `options` may be NULL. They may be freed as soon as the open function has returned. */
void fovea_options_free(fovea_options *options);

/* ----------------------------------------------- models ------------------------------------------------ */

/* A model: a file, bytes in memory, or an embedded one. */
typedef struct fovea_model {
  uint32_t size;     /* sizeof(fovea_model) */
  const char *path;  /* a .tflite file, an AutoML folder or its manifest; NULL: see `bytes` */
  const void *bytes; /* the content of a .tflite file, copied once; NULL and `path` NULL: an embedded model */
  size_t length;     /* of `bytes` */
  const char *name;  /* the name of `bytes` in errors, may be NULL; without bytes and path, the embedded model
                        "detector", "localizer" or "classifier"; NULL: the default of the function */
} fovea_model;

/* Describes a model as JSON, like `fovea model inspect --json`. `model` may be NULL for the embedded
 * detector. The caller frees the text with fovea_string_free. */
fovea_error *fovea_inspect(const fovea_model *model, char **out);

/* Frees a string, or the bytes of a model, that a function returned; `text` may be NULL. */
void fovea_string_free(char *text);

/* Sets the path of the LiteRT library (libLiteRt.so, or its folder) before the first model is opened; fails
 * with "option-invalid" if another one is already loaded. The default is FOVEA_LITERT_LIBRARY if set, else
 * next to this library, else the paths in docs/explanation/architecture.md. The library is loaded on first
 * use. */
fovea_error *fovea_runtime_set(const char *path);

/* Loads the LiteRT library if necessary, and sets `out` to its path, which is valid as long as the process.
 * Fails with "runtime-missing" or "runtime-unusable" if there is none. */
fovea_error *fovea_runtime_path(const char **out);

/* ----------------------------------------------- images ------------------------------------------------ */

/* The kinds of `data` of an image. */
enum {
  FOVEA_FILE = 1,    /* the path of an image file, terminated by NUL */
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
  size_t length;        /* the number of bytes of `data`. A path: without its NUL, or 0 to read up to it.
                           Pixels: from the lowest to the highest address, at least
                           |stride| * (height - 1) + the bytes of a row */
  int32_t width;        /* of pixels, 1 ... 65535; else 0 */
  int32_t height;       /* as `width` */
  int64_t stride;       /* of pixels: bytes from one row to the next, 0 for rows without gaps. If negative,
                           the next row is at a lower address: `data` is still the first row */
  int32_t orientation;  /* the rotation that makes the stored image upright, 1 ... 8 as in EXIF; 0: the
                           file's, or 1 for pixels */
  const char *name;     /* the name in errors; NULL: the path, or "image" and its index in the call, from 0 */
  double region[4];     /* x, y, width, height of the part to process; all 0: everything */
} fovea_image;

/* ------------------------------------------------ calls ------------------------------------------------ */

/* Cancels calls from another thread. */
typedef struct fovea_cancel fovea_cancel;

/* Makes a cancel that is not set; returns NULL if there is not enough memory. */
fovea_cancel *fovea_cancel_new(void);

/* Cancels all current and later calls that use it; it cannot be reset. A run stops at the model's next
 * operator. Finished images stay in the result, the others have the error "cancelled". May be called from any
 * thread, more than once. */
void fovea_cancel_set(fovea_cancel *cancel);

/* Frees a cancel; `cancel` may be NULL. Calls that use it continue, and can no longer be cancelled. */
void fovea_cancel_free(fovea_cancel *cancel);

/* The memory of a detector from one frame of a stream to the next. */
typedef struct fovea_stream fovea_stream;

/* Makes an empty memory, for one detector and one stream; returns NULL if there is not enough memory. */
fovea_stream *fovea_stream_new(void);

/* Frees a memory, after a running call; `stream` may be NULL. */
void fovea_stream_free(fovea_stream *stream);

/* The settings of a call. */
typedef struct fovea_call {
  uint32_t size;        /* sizeof(fovea_call) */
  int32_t threads;      /* the number of threads that share the images; 0 or 1: only the caller's. They end
                           before the call returns. More threads than the handle's "sessions" queue up */
  fovea_cancel *cancel; /* cancels the call; may be NULL */
  /* Called on the caller's thread when an image is done, and every 100 ms if `threads` is above 1; may be
   * NULL. `done` of `count` images are done. It may call fovea_cancel_set, but no other function with the
   * same handle. */
  void (*progress)(void *context, size_t done, size_t count);
  void *context; /* passed to `progress` */
  /* The image is the next frame of this stream; NULL for single images. Only fovea_detect takes it, with one
   * image. A landmark model looks where it saw each object in the frame before; the detector runs only if an
   * object is lost, and every half a second while there are fewer than "max-objects". With "smooth-landmarks"
   * the points are smoothed from frame to frame, if the times are known. A frame of another size or orientation
   * begins anew. A call during one of another thread with the same stream fails with "busy". */
  fovea_stream *stream;
  double seconds; /* the time of the frame, above that of the one before; NaN if it is not known */
} fovea_call;

/* ----------------------------------------------- results ----------------------------------------------- */

/* The immutable results of one call. */
typedef struct fovea_result fovea_result;

/* A result as columns. All memory belongs to the result. A column without rows may be NULL. A failed image
 * has no objects and no labels, and 0 in the columns of images. */
typedef struct fovea_columns {
  uint32_t size;                /* sizeof(fovea_columns) */
  size_t images;                /* the number of images of the call */
  size_t objects;               /* of all images */
  size_t labels;                /* of all objects, or of all images for a labeler */
  const int32_t *widths;        /* images: of the stored image, in pixels */
  const int32_t *heights;       /* images */
  const int32_t *orientations;  /* images: the rotation that makes them upright, 1 ... 8 as in EXIF */
  const double *milliseconds;   /* images * 5: decode, prepare, detect, classify, total */
  const int64_t *object_offsets; /* images + 1: the objects of image i are object_offsets[i] ...
                                    object_offsets[i + 1] - 1, by descending score */
  const double *boxes;          /* objects * 4: x, y, width, height, clipped to the image */
  const float *scores;          /* objects: 0 ... 1 */
  const int64_t *track_ids;     /* objects: the identity from a tracker, from 1; 0: none */
  const int64_t *label_offsets; /* objects + 1, or images + 1 for a labeler: as object_offsets. The first
                                   label of an object is the detector's class if it has classes; a
                                   classifier's labels follow, by descending confidence */
  const int32_t *label_indexes; /* labels: the class, from 0 */
  const float *label_scores;    /* labels: 0 ... 1 */
  const char *const *label_texts; /* labels: the name; NULL if the model has none */
  const int64_t *keypoint_offsets; /* objects + 1: as object_offsets */
  const double *keypoints;      /* keypoint_offsets[objects] * 2: x, y of keypoints, from some models */
  const double *oriented_boxes; /* objects * 5: x, y of the middle, width, height, and the rotation in radians,
                                   clockwise as seen on the screen; NaN for an object without a rotated box.
                                   NULL if no object has one */
  const int64_t *mask_offsets;  /* objects + 1: as object_offsets. NULL, like the other columns of masks, if no
                                   object has a mask */
  const uint8_t *mask_cells;    /* mask_offsets[objects]: the probability that each cell belongs to the object,
                                   0 ... 255 for 0 ... 1, row by row from the top left. The functions under
                                   "masks" make pixels and outlines of them */
  const int32_t *mask_sizes;    /* objects * 2: the number of cells in a row, and of rows; 0 for a mask that
                                   covers nothing, and for an object without a mask */
  const double *mask_places;    /* objects * 8: left, top, right, bottom of the object's bounds, outside which
                                   it has no pixels, and the same of the region of the cells; NaN for an object
                                   without a mask */
  const float *keypoint_scores; /* keypoint_offsets[objects]: the probability of each keypoint to be visible,
                                   0 ... 1; NaN for an object whose keypoints have none. NULL if no object has
                                   them */
  const int64_t *map_offsets;   /* images + 1: the cells of image i are map_offsets[i] ... map_offsets[i + 1] - 1.
                                   NULL, like the other columns of maps, unless from a segmenter */
  const uint8_t *map_classes;   /* map_offsets[images]: the class of each cell, row by row from the top left; 255:
                                   none. The function under "maps" makes pixels of them */
  const uint8_t *map_confidences; /* map_offsets[images]: the probability of the cell's class, 0 ... 255 for
                                   0 ... 1. NULL for models that output only classes */
  const int32_t *map_sizes;     /* images * 2: the number of cells in a row, and of rows */
  const double *map_places;     /* images * 8: left, top, right, bottom of the processed part of the image, and
                                   the same of the region of the cells; NaN for a failed image */
  size_t map_class_count;       /* the number of classes of the model, 0 if it is not known. With 2 classes and
                                   confidences, pixels are interpolated between cells */
  const float *features;        /* images * feature_count: the features of each image; NaN for a failed image.
                                   NULL unless from an embedder */
  size_t feature_count;         /* the number of features of an image */
  const float *keypoint_depths; /* keypoint_offsets[objects]: z of each keypoint of a landmark model, in pixels of
                                   the image, smaller for points nearer to the camera; NaN for other keypoints.
                                   NULL, like the next three columns, if no object has any */
  const float *keypoint_presences; /* keypoint_offsets[objects]: the probability of each keypoint to be in the
                                   image, 0 ... 1; NaN for models without it */
  const float *keypoint_worlds; /* keypoint_offsets[objects] * 3: x, y, z of each keypoint in metres from the
                                   middle of the object, in the axes of the stored image; NaN for models without
                                   them */
  const float *right_hands;     /* objects: the probability that a hand is a right one, 0 ... 1; NaN for other
                                   objects */
} fovea_columns;

/* Writes the columns into the struct, at most the `out->size` bytes that the caller has set; then `out->size`
 * is the number of bytes written. */
void fovea_result_columns(const fovea_result *result, fovea_columns *out);

/* Returns the error of one image of the call; NULL if it was processed. The error belongs to the result: do
 * not free it. */
const fovea_error *fovea_result_error(const fovea_result *result, size_t image);

/* Frees a result with its columns and errors; `result` may be NULL. */
void fovea_result_free(fovea_result *result);

/* ------------------------------------------------ masks ------------------------------------------------ */

/* Each function reads the mask of one object, by its index in the columns. `columns` are those of a result, or
 * the caller's own with `objects` and all columns of masks; other columns are not read. An object without a
 * mask has no pixels. Pixels belong to the object if the probability at their middle is above 0.5. */

/* Writes the pixels of an object in an image of `width` * `height` pixels into `out`, a byte each, row by row
 * without gaps: 1 for a pixel of the object, else 0. `length` is the number of bytes of `out`, at least
 * `width` * `height`. */
fovea_error *fovea_mask_bits(const fovea_columns *columns, size_t object, int32_t width, int32_t height,
                             uint8_t *out, size_t length);

/* Sets `out` to the pixels of an object in an image of `width` * `height` pixels as COCO's compressed run
 * lengths: the text that pycocotools expects in "counts", next to "size": [height, width]. The caller frees the
 * text with fovea_string_free. */
fovea_error *fovea_mask_text(const fovea_columns *columns, size_t object, int32_t width, int32_t height, char **out);

/* Writes the outlines of an object as x and y of each point into `points`. Outer outlines run clockwise as seen
 * on the screen, holes counter-clockwise; the last point is not the first one again. Two NaN follow each
 * outline. `count` is set to the number of pairs, the NaN included; if it is above `capacity`, the number of
 * pairs that `points` has space for, nothing is written. `points` may be NULL if `capacity` is 0. */
fovea_error *fovea_mask_outlines(const fovea_columns *columns, size_t object, double *points, size_t capacity,
                                 size_t *count);

/* ------------------------------------------------ maps ------------------------------------------------- */

/* Writes the class of each pixel of an image of `width` * `height` pixels into `out`, a byte each, row by row
 * without gaps; 255 for a pixel without a class, and for all pixels of a failed image. `columns` are those of a
 * segmenter's result, or the caller's own with `images` and all columns of maps; other columns are not read.
 * `image` is an index in the columns. `length` is the number of bytes of `out`, at least `width` * `height`. */
fovea_error *fovea_map_pixels(const fovea_columns *columns, size_t image, int32_t width, int32_t height,
                              uint8_t *out, size_t length);

/* ---------------------------------------------- detectors ---------------------------------------------- */

/* Finds objects in images. */
typedef struct fovea_detector fovea_detector;

/* Opens a detector, which takes 10 to 40 ms. `model` may be NULL for the embedded detector with COCO's 80
 * classes; it may be a classifier, which then labels the objects that the embedded localizer finds. `options`
 * may be NULL. */
fovea_error *fovea_detector_open(const fovea_model *model, const fovea_options *options, fovea_detector **out);

/* Finds the objects in `count` images. `call` may be NULL: on the caller's thread, without cancellation. With
 * 0 images the result is empty, and `images` may be NULL. */
fovea_error *fovea_detect(fovea_detector *detector, const fovea_image *images, size_t count, const fovea_call *call,
                          fovea_result **out);

/* Returns the number of classes that the first label of an object can have; 0 if they are not known. */
size_t fovea_detector_class_count(const fovea_detector *detector);

/* Returns the name of a class by its index; NULL if the index is out of range. */
const char *fovea_detector_class_name(const fovea_detector *detector, size_t index);

/* Returns the number of assumptions that were made because neither the options nor the model define
 * something, such as the normalisation of float inputs. A wrong assumption causes poor results without an
 * error: show them to the person who chose the model. */
size_t fovea_detector_assumption_count(const fovea_detector *detector);

/* Returns an assumption by its index, as a sentence without its full stop that names the option; NULL if the
 * index is out of range. */
const char *fovea_detector_assumption(const fovea_detector *detector, size_t index);

/* Waits for running calls, then frees the detector; queued calls fail with "closed". `detector` may be NULL.
 * The handle must not be used afterwards. In a process other than the one that opened it, nothing is
 * freed. */
void fovea_detector_close(fovea_detector *detector);

/* ---------------------------------------------- labelers ----------------------------------------------- */

/* Labels whole images. */
typedef struct fovea_labeler fovea_labeler;

/* Opens a labeler. `model`, a classifier, may be NULL for the embedded one (Fashion good, Food, Home good,
 * Place, Plant); `options` may be NULL. */
fovea_error *fovea_labeler_open(const fovea_model *model, const fovea_options *options, fovea_labeler **out);

/* Labels `count` images, like fovea_detect. The result has no objects: label_offsets has images + 1
 * elements. */
fovea_error *fovea_label(fovea_labeler *labeler, const fovea_image *images, size_t count, const fovea_call *call,
                         fovea_result **out);

/* Returns the number of classes of the model. */
size_t fovea_labeler_class_count(const fovea_labeler *labeler);

/* Returns the name of a class by its index; NULL if it has none, or the index is out of range. */
const char *fovea_labeler_class_name(const fovea_labeler *labeler, size_t index);

/* Like fovea_detector_assumption_count. */
size_t fovea_labeler_assumption_count(const fovea_labeler *labeler);

/* Like fovea_detector_assumption. */
const char *fovea_labeler_assumption(const fovea_labeler *labeler, size_t index);

/* Like fovea_detector_close. */
void fovea_labeler_close(fovea_labeler *labeler);

/* --------------------------------------------- segmenters ---------------------------------------------- */

/* Finds the class of each part of an image: people before a background, or roads, cars and sky. */
typedef struct fovea_segmenter fovea_segmenter;

/* Opens a segmenter. `model` is a segmentation model; none is embedded. `options` may be NULL. */
fovea_error *fovea_segmenter_open(const fovea_model *model, const fovea_options *options, fovea_segmenter **out);

/* Segments `count` images, like fovea_detect. The result has no objects and no labels, but the columns of
 * maps. */
fovea_error *fovea_segment(fovea_segmenter *segmenter, const fovea_image *images, size_t count,
                           const fovea_call *call, fovea_result **out);

/* Returns the number of classes of the model; 0 if it is not known. */
size_t fovea_segmenter_class_count(const fovea_segmenter *segmenter);

/* Returns the name of a class by its index; NULL if it has none, or the index is out of range. */
const char *fovea_segmenter_class_name(const fovea_segmenter *segmenter, size_t index);

/* Like fovea_detector_assumption_count. */
size_t fovea_segmenter_assumption_count(const fovea_segmenter *segmenter);

/* Like fovea_detector_assumption. */
const char *fovea_segmenter_assumption(const fovea_segmenter *segmenter, size_t index);

/* Like fovea_detector_close. */
void fovea_segmenter_close(fovea_segmenter *segmenter);

/* ---------------------------------------------- embedders ---------------------------------------------- */

/* Computes the features of images: numbers that are close for images that look alike to the model. */
typedef struct fovea_embedder fovea_embedder;

/* Opens an embedder. `model`, a classifier or a model with one output of features, may be NULL for the embedded
 * classifier; `options` may be NULL. */
fovea_error *fovea_embedder_open(const fovea_model *model, const fovea_options *options, fovea_embedder **out);

/* Computes the features of `count` images, like fovea_detect. The result has no objects and no labels, but
 * `features`. */
fovea_error *fovea_embed(fovea_embedder *embedder, const fovea_image *images, size_t count, const fovea_call *call,
                         fovea_result **out);

/* Returns the number of features of an image. */
size_t fovea_embedder_dimension(const fovea_embedder *embedder);

/* Like fovea_detector_assumption_count. */
size_t fovea_embedder_assumption_count(const fovea_embedder *embedder);

/* Like fovea_detector_assumption. */
const char *fovea_embedder_assumption(const fovea_embedder *embedder, size_t index);

/* Like fovea_detector_close. */
void fovea_embedder_close(fovea_embedder *embedder);

/* ---------------------------------------------- trackers ----------------------------------------------- */

/* Follows objects from frame to frame. It has one owner, who passes the frames in order; a call during the
 * call of another thread fails with "busy". */
typedef struct fovea_tracker fovea_tracker;

/* Makes a tracker. `options` may be NULL: Fovea's own tracker, with detections on every frame. */
fovea_error *fovea_tracker_open(const fovea_options *options, fovea_tracker **out);

/* Processes the next frame.
 *
 * `frame` contains its pixels (not a file or encoded bytes), which are copied if they are needed later; it
 * may be NULL if the option "every" is 1, the default. `detections` contains the objects found in it, as
 * columns of one image. Columns may be NULL, except `boxes` and `scores` if there are objects, and `widths`
 * and `heights` if `frame` is NULL. With "every" above 1, `detections` may be NULL: the objects of the
 * previous frame then move with the image. `seconds` is the time of the frame; NaN if it is not known.
 *
 * The result has one image, with the objects that have an identity in track_ids. A frame of another size or
 * orientation than the previous one restarts the tracker. */
fovea_error *fovea_tracker_update(fovea_tracker *tracker, const fovea_image *frame, const fovea_columns *detections,
                                  double seconds, fovea_result **out);

/* Removes all objects. Does nothing during a call of another thread. */
void fovea_tracker_reset(fovea_tracker *tracker);

/* Frees the tracker, after a running call; `tracker` may be NULL. The handle must not be used afterwards. */
void fovea_tracker_close(fovea_tracker *tracker);

/* --------------------------------------- smaller and other models --------------------------------------- */

/* Makes an int8 model of a float model and `count` photos, like `fovea model quantize`, which takes seconds to
 * minutes. Fails with "agreement-too-low", with the layers to blame, if the int8 model agrees less with the float
 * model than the option "at-least", by default 0.9, demands.
 *
 * `options` and `call` may be NULL; `progress` is called with thousandths, and `threads` of the call is not used.
 * Photos are whole: their `region` is 0. `out` is set to the `length` bytes of the .tflite file, and `report` to
 * the JSON of `fovea model quantize --json` without "input" and "output", but with "errors": an object with
 * "subject", "code", "message" and "remedy" for each photo that cannot be read. The caller frees both with
 * fovea_string_free. */
fovea_error *fovea_quantize(const fovea_model *model, const fovea_options *options, const fovea_image *photos,
                            size_t count, const fovea_call *call, uint8_t **out, size_t *length, char **report);

/* Compares two models of one task on `count` photos, like `fovea model compare`: agreement, accuracy if the option
 * "ground-truth" is set, processor time and size. Options apply to both models.
 *
 * `options` and `call` may be NULL; `threads` of the call is not used, and the `region` of photos is 0. `report` is
 * set to the JSON of `fovea model compare --json` without "first" and "second" at the top, but with "errors" as
 * from fovea_quantize; the caller frees it with fovea_string_free. */
fovea_error *fovea_compare(const fovea_model *first, const fovea_model *second, const fovea_options *options,
                           const fovea_image *photos, size_t count, const fovea_call *call, char **report);

#ifdef __cplusplus
}
#endif

#endif
