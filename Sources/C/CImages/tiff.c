// SPDX-License-Identifier: Apache-2.0
#include "library.h"
#include "tiff_directory.h"

#if __has_include(<tiffio.h>)
#include <stdlib.h>
#include <tiffio.h>

#define TIFF_FUNCTIONS(F)      \
  F(TIFFClose)                 \
  F(TIFFGetField)              \
  F(TIFFGetFieldDefaulted)     \
  F(TIFFReadRGBAImageOriented) \
  F(TIFFRGBAImageOK)

// Since 4.5 each file has its own handlers. Before that they are global: errors then have no text, and the
// process's handlers are changed only if they are the default ones, which print.
#if TIFFLIB_VERSION >= 20221213
#define HANDLE_FUNCTIONS(F)               \
  TIFF_FUNCTIONS(F)                       \
  F(TIFFClientOpenExt)                    \
  F(TIFFOpenOptionsAlloc)                 \
  F(TIFFOpenOptionsFree)                  \
  F(TIFFOpenOptionsSetMaxSingleMemAlloc)  \
  F(TIFFOpenOptionsSetErrorHandlerExtR)   \
  F(TIFFOpenOptionsSetWarningHandlerExtR)
FOVEA_TABLE(tiff, HANDLE_FUNCTIONS, FOVEA_LIBRARY("tiff", "6"))
#else
#define HANDLE_FUNCTIONS(F) TIFF_FUNCTIONS(F) F(TIFFClientOpen) F(TIFFSetErrorHandler) F(TIFFSetWarningHandler)
FOVEA_TABLE(tiff, HANDLE_FUNCTIONS, FOVEA_LIBRARY("tiff", "5"))
#endif

// The maximum size of one allocation by libtiff: a strip, a tile or a tag's values.
enum { MAX_SINGLE_ALLOCATION = 512 << 20 };

typedef struct {
  const fovea_image_file *file;
  // The file with the entries needed for decoding; owned while the file is open.
  uint8_t *bytes;
  uint64_t offset;
  bool has_text;
  bool is_palette_lost;
  bool is_out_of_memory;
} source;

static tmsize_t take(thandle_t handle, void *target, tmsize_t count) {
  source *from = handle;
  if (count <= 0 || from->offset >= from->file->count) return 0;
  uint64_t left = from->file->count - from->offset;
  size_t taken = (uint64_t)count < left ? (size_t)count : (size_t)left;
  memcpy(target, from->bytes + from->offset, taken);
  from->offset += taken;
  return (tmsize_t)taken;
}

static tmsize_t refuse_writing(thandle_t handle, void *bytes, tmsize_t count) { return 0; }

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  source *from = handle;
  switch (whence) {
    case SEEK_SET: from->offset = offset; break;
    case SEEK_CUR: from->offset += offset; break;
    case SEEK_END: from->offset = from->file->count + offset; break;
    default: break;
  }
  return from->offset;
}

// The caller owns the file; the copy is freed with libtiff's handle.
static int let_go(thandle_t handle) {
  source *from = handle;
  free(from->bytes);
  from->bytes = NULL;
  return 0;
}
static toff_t size(thandle_t handle) { return ((source *)handle)->file->count; }

static int map(thandle_t handle, void **base, toff_t *count) {
  source *from = handle;
  *base = from->bytes;
  *count = from->file->count;
  return 1;
}

static void unmap(thandle_t handle, void *base, toff_t count) {}

#if TIFFLIB_VERSION >= 20221213
// Keeps only the first text, as later errors follow from it.
static int keep_error(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
  source *from = context;
  if (!from->has_text) vsnprintf(from->file->text, from->file->text_capacity, format, arguments);
  from->has_text = true;
  return 1;
}

// libtiff only warns about a tag beyond the end, but without its palette the image would be wrong.
static int keep_warning(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
  source *from = context;
  char text[256];
  vsnprintf(text, sizeof text, format, arguments);
  if (strstr(text, "\"ColorMap\"")) from->is_palette_lost = true;
  return 1;
}

static TIFF *open_tiff(source *from) {
  from->bytes = fovea_tiff_directory_filter(from->file->bytes, from->file->count);
  if (!from->bytes) {
    from->is_out_of_memory = true;
    return NULL;
  }
  TIFFOpenOptions *options = tiff.TIFFOpenOptionsAlloc();
  if (!options) {
    let_go(from);
    return NULL;
  }
  tiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, MAX_SINGLE_ALLOCATION);
  tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, from);
  tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, keep_warning, from);
  TIFF *file = tiff.TIFFClientOpenExt(
      "TIFF", "r", from, take, refuse_writing, seek, let_go, size, map, unmap, options);
  tiff.TIFFOpenOptionsFree(options);
  // libtiff does not close a file that it failed to open.
  if (!file) let_go(from);
  return file;
}
#else
static pthread_once_t silence_once = PTHREAD_ONCE_INIT;
static void silence(void) {
  tiff.TIFFSetErrorHandler(NULL);
  tiff.TIFFSetWarningHandler(NULL);
}

static TIFF *open_tiff(source *from) {
  from->bytes = fovea_tiff_directory_filter(from->file->bytes, from->file->count);
  if (!from->bytes) {
    from->is_out_of_memory = true;
    return NULL;
  }
  pthread_once(&silence_once, silence);
  TIFF *file = tiff.TIFFClientOpen(
      "TIFF", "r", from, take, refuse_writing, seek, let_go, size, map, unmap);
  if (!file) let_go(from);
  return file;
}
#endif

static fovea_image_status failure(source *from) {
  const fovea_image_file *file = from->file;
  if (from->is_out_of_memory) return FOVEA_IMAGE_NO_MEMORY;
  if (!from->has_text) return fovea_image_fail(file, FOVEA_IMAGE_DAMAGED, "libtiff gives no reason");
  if (strstr(file->text, "annot read") || strstr(file->text, "ead error") || strstr(file->text, "ot enough data") ||
      strstr(file->text, "nd of file") || strstr(file->text, "remature") || strstr(file->text, "eek error")) {
    return FOVEA_IMAGE_TRUNCATED;
  }
  if (strstr(file->text, "emory limit") || strstr(file->text, "than allowed")) return FOVEA_IMAGE_TOO_LARGE;
  if (strstr(file->text, "ut of memory") || strstr(file->text, "o space for")) return FOVEA_IMAGE_NO_MEMORY;
  if (strstr(file->text, "not configured") || strstr(file->text, "not supported") ||
      strstr(file->text, "ot implemented") || strstr(file->text, "Sorry")) {
    return FOVEA_IMAGE_UNSUPPORTED;
  }
  return FOVEA_IMAGE_DAMAGED;
}

// Returns whether the first page is the small preview of a camera's raw photo.
static bool is_camera_raw(TIFF *file) {
  uint16_t count = 0;
  void *values = NULL;
  uint32_t kind = 0;
  if (tiff.TIFFGetField(file, TIFFTAG_DNGVERSION, &values)) return true;
  return tiff.TIFFGetField(file, TIFFTAG_SUBFILETYPE, &kind) && (kind & FILETYPE_REDUCEDIMAGE) &&
         tiff.TIFFGetField(file, TIFFTAG_SUBIFD, &count, &values);
}

fovea_image_status fovea_tiff_header(const fovea_image_file *image, fovea_image_header *out) {
  fovea_image_status status = tiff_ready(image);
  if (status != FOVEA_IMAGE_OK) return status;
  source from = {.file = image};
  TIFF *file = open_tiff(&from);
  if (!file) return failure(&from);
  uint16_t orientation = 1;
  tiff.TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &orientation);
  out->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
  if (from.is_palette_lost) {
    status = fovea_image_fail(image, FOVEA_IMAGE_TRUNCATED, "the palette is not in the file");
  } else if (is_camera_raw(file)) {
    status = fovea_image_fail(image, FOVEA_IMAGE_UNSUPPORTED, "a camera's raw photo");
  } else if (
      !tiff.TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &out->width) ||
      !tiff.TIFFGetField(file, TIFFTAG_IMAGELENGTH, &out->height)) {
    status = fovea_image_fail(image, FOVEA_IMAGE_DAMAGED, "the first page has no size");
  }
  tiff.TIFFClose(file);
  return status;
}

// Returns whether the first band after the colours is declared as alpha. libtiff treats a band declared as
// unspecified (0), or not declared, as premultiplied alpha: infrared bands made such images white.
static bool has_alpha(TIFF *file) {
  uint16_t count = 0, *kinds = NULL;
  return tiff.TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &count, &kinds) && count > 0 && kinds &&
         (kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA);
}

// Describes bands that libtiff has no reader for, such as CMYK with a further plane: its own text names no reason.
static void describe_bands(const fovea_image_file *image, TIFF *file) {
  if (strcmp(image->text, "Sorry, can not handle image")) return;
  uint16_t bands = 1, bits = 1, planes = PLANARCONFIG_CONTIG, colors = PHOTOMETRIC_RGB;
  tiff.TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &bands);
  tiff.TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &bits);
  tiff.TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planes);
  tiff.TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &colors);
  snprintf(
      image->text, image->text_capacity, "%s with %u %s of %u bits%s",
      colors == PHOTOMETRIC_SEPARATED ? "CMYK"
      : colors == PHOTOMETRIC_RGB     ? "RGB"
                                      : "an image",
      (unsigned)bands, bands == 1 ? "band" : "bands", (unsigned)bits,
      planes == PLANARCONFIG_SEPARATE ? ", each in a plane of its own" : "");
}

// Writes a note on what the decoded pixels lack, or an empty text.
static void note_losses(const fovea_image_file *image, TIFF *file) {
  uint16_t bands = 1, colors = PHOTOMETRIC_MINISBLACK;
  tiff.TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &bands);
  tiff.TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &colors);
  const bool is_single = colors == PHOTOMETRIC_MINISWHITE || colors == PHOTOMETRIC_MINISBLACK ||
                         colors == PHOTOMETRIC_PALETTE || colors == PHOTOMETRIC_LOGL;
  const unsigned used = (is_single ? 1 : colors == PHOTOMETRIC_SEPARATED ? 4 : 3) + (has_alpha(file) ? 1 : 0);
  image->text[0] = 0;
  if (bands > used && used == 1) {
    snprintf(image->text, image->text_capacity, "the TIFF has %u bands, of which only the first is read", bands);
  } else if (bands > used) {
    snprintf(
        image->text, image->text_capacity, "the TIFF has %u bands, of which only the first %u are read", bands, used);
  } else if (colors == PHOTOMETRIC_LOGL || colors == PHOTOMETRIC_LOGLUV) {
    snprintf(image->text, image->text_capacity, "the TIFF has a high dynamic range, which is reduced to 8 bits");
  }
}

fovea_image_status fovea_tiff_decode(
    const fovea_image_file *image, uint32_t width, uint32_t height, uint8_t *pixels) {
  fovea_image_status status = tiff_ready(image);
  if (status != FOVEA_IMAGE_OK) return status;
  source from = {.file = image};
  TIFF *file = open_tiff(&from);
  if (!file) return failure(&from);
  char reason[1024] = "";
  uint32_t stored_width = 0, stored_height = 0;
  uint16_t orientation = 1;
  tiff.TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &orientation);
  tiff.TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &stored_width);
  tiff.TIFFGetField(file, TIFFTAG_IMAGELENGTH, &stored_height);
  if (stored_width != width || stored_height != height) {
    status = fovea_image_fail(image, FOVEA_IMAGE_DAMAGED, "two headers disagree on the size");
  } else if (!tiff.TIFFRGBAImageOK(file, reason)) {
    status = fovea_image_fail(image, FOVEA_IMAGE_UNSUPPORTED, reason);
    // Requesting the file's own orientation keeps libtiff from rotating.
  } else if (!tiff.TIFFReadRGBAImageOriented(file, width, height, (uint32_t *)pixels, orientation, 1)) {
    status = failure(&from);
    if (status == FOVEA_IMAGE_UNSUPPORTED) describe_bands(image, file);
  }
  const bool is_opaque = !has_alpha(file);
  if (status == FOVEA_IMAGE_OK) note_losses(image, file);
  tiff.TIFFClose(file);
  if (status != FOVEA_IMAGE_OK) return status;
  // libtiff packs a pixel into a number with red in the lowest byte.
  const uint32_t probe = 1;
  if (!*(const uint8_t *)&probe) {
    uint32_t *words = (uint32_t *)pixels;
    for (size_t index = 0; index < (size_t)width * height; index++) words[index] = __builtin_bswap32(words[index]);
  }
  // In this case libtiff does not change the colours: with opaque alpha they are the file's.
  for (size_t index = 0; is_opaque && index < (size_t)width * height; index++) pixels[index * 4 + 3] = 255;
  return FOVEA_IMAGE_OK;
}

#else
#ifdef FOVEA_HEADER_MISSING
FOVEA_HEADER_MISSING()
#endif
fovea_image_status fovea_tiff_header(const fovea_image_file *image, fovea_image_header *out) {
  return fovea_image_fail(image, FOVEA_IMAGE_NOT_BUILT, "libtiff");
}
fovea_image_status fovea_tiff_decode(
    const fovea_image_file *image, uint32_t width, uint32_t height, uint8_t *pixels) {
  return fovea_image_fail(image, FOVEA_IMAGE_NOT_BUILT, "libtiff");
}
#endif
