// SPDX-License-Identifier: Apache-2.0
// Reads PNG with libpng, which is linked into every build. libpng reports errors by longjmp, which Swift does
// not support, so reading is one C function. Its simplified interface would avoid that, but it applies gAMA
// (no model was trained with that), and in the security releases of late 2025 it mixes up the rows of
// interlaced images with 16 bits per sample.
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "CImages.h"

typedef struct {
  const uint8_t *bytes;
  size_t count;
  // The limit for reading: libpng also inflates data after the last row, which can be any amount.
  size_t end;
  size_t offset;
  char *message;
  size_t message_size;
} source;

static void fail(png_structp png, png_const_charp text) {
  source *from = (source *)png_get_error_ptr(png);
  strncpy(from->message, text, from->message_size - 1);
  longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void take(png_structp png, png_bytep target, size_t count) {
  source *from = (source *)png_get_io_ptr(png);
  if (count > from->count - from->offset) png_error(png, "read beyond end of data");
  if (from->offset > from->end || count > from->end - from->offset) {
    png_error(png, "more compressed data than the image needs");
  }
  memcpy(target, from->bytes + from->offset, count);
  from->offset += count;
}

int fovea_png_read(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, bool as_stored, uint8_t *pixels, int *channels,
    char *message, size_t message_size) {
  source from = {bytes, count, count, 0, message, message_size};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &from, fail, ignore);
  if (!png) {
    strncpy(message, "not enough memory, or another version of libpng", message_size - 1);
    return 1;
  }
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, info ? &info : NULL, NULL);
    return 1;
  }
  // Sizes are already checked against the caller's limits.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
#ifdef PNG_SET_UNKNOWN_CHUNKS_SUPPORTED
  // Only chunks for the pixels are read: palette, transparency, data. Text, profiles and other chunks are
  // skipped: a thousand compressed text chunks of a few kilobytes inflate to gigabytes.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
#else
#error "libpng was built without png_set_keep_unknown_chunks, which keeps it from inflating text and profiles"
#endif
#ifdef PNG_SET_USER_LIMITS_SUPPORTED
  // 1 keeps none, in case a version of libpng knows a chunk type that the line above does not cover.
  png_set_chunk_cache_max(png, 1);
#endif
  png_set_read_fn(png, &from, take);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) {
    png_error(png, "two headers disagree on the size");
  }
  if (as_stored) {
    // One byte for each pixel, also with a palette of up to 16 colours, whose pixels share bytes.
    png_set_packing(png);
  } else {
    png_set_expand(png);
    png_set_scale_16(png);
  }
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  const int found = png_get_channels(png, info);
  if (png_get_rowbytes(png, info) != (size_t)width * (size_t)found) png_error(png, "unexpected pixel size");
  if (!pixels) {
    *channels = found;
  } else {
    if (found != *channels) png_error(png, "unexpected number of channels");
    for (int pass = 0; pass < passes; pass++) {
      for (uint32_t y = 0; y < height; y++) {
        if (pass == passes - 1 && y == height - 1) {
          // The largest last row: uncompressed with 8 bytes per pixel, and data that writers leave after it.
          const size_t most = (size_t)width * 8 + (1 << 17);
          if (most < count - from.offset) from.end = from.offset + most;
        }
        png_read_row(png, pixels + (size_t)y * width * (size_t)found, NULL);
      }
    }
  }
  png_destroy_read_struct(&png, &info, NULL);
  return 0;
}
