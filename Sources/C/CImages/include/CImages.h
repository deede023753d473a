// SPDX-License-Identifier: Apache-2.0
// Reads images with libraries that are loaded on first use: HEIC and AVIF (libheif), TIFF (libtiff), GIF
// (giflib), BMP (gdk-pixbuf). They are not linked, because their dependencies would slow down every start,
// and most runs never read such a file. PNG (libpng) is small and common, so it is linked.
//
// All functions may be called from any thread. They do not print or change a library's global state.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
  FOVEA_IMAGE_OK = 0,
  FOVEA_IMAGE_NO_LIBRARY = 1,   // text: the loader's reason
  FOVEA_IMAGE_NO_SYMBOL = 2,    // text: the library and the function that it lacks
  FOVEA_IMAGE_NOT_BUILT = 3,    // the library's headers were missing when Fovea was built
  FOVEA_IMAGE_DAMAGED = 4,      // text: the library's reason, as for all below
  FOVEA_IMAGE_TRUNCATED = 5,
  FOVEA_IMAGE_UNSUPPORTED = 6,
  FOVEA_IMAGE_NO_CODEC = 7,     // the library lacks the decoder for this kind of file
  FOVEA_IMAGE_TOO_LARGE = 8,
  FOVEA_IMAGE_NO_MEMORY = 9
} fovea_image_status;

// A whole file in memory, and a buffer of `text_capacity` bytes for a NUL-terminated error text.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  char *text;
  size_t text_capacity;
} fovea_image_file;

typedef struct {
  uint32_t width;
  uint32_t height;
  int32_t orientation;  // EXIF's 1 to 8
} fovea_image_header;

// Pixels that the library owns until `release(owner)`.
typedef struct {
  uint8_t *_Nullable pixels;
  size_t bytes_per_row;
  uint32_t width;
  uint32_t height;
  int32_t channels;  // 3: red, green, blue; 4: also alpha
  bool is_premultiplied;
  void *_Nullable owner;
  void (*_Nullable release)(void *_Nullable owner);
} fovea_image_pixels;

// HEIC and AVIF, with the container's rotation, mirroring and cropping applied: header and pixels are
// upright.
fovea_image_status fovea_heif_header(
    const fovea_image_file *file, uint32_t max_dimension, uint64_t max_pixels, fovea_image_header *out);
fovea_image_status fovea_heif_decode(
    const fovea_image_file *file, uint32_t max_dimension, uint64_t max_pixels, fovea_image_pixels *out);

// TIFF, the first page, as stored. `pixels` has width * height * 4 bytes: premultiplied RGB, and alpha.
fovea_image_status fovea_tiff_header(const fovea_image_file *file, fovea_image_header *out);
fovea_image_status fovea_tiff_decode(
    const fovea_image_file *file, uint32_t width, uint32_t height, uint8_t *pixels);

// GIF, the first frame. `pixels` has width * height * 3 bytes, which stay unchanged outside the frame and at
// transparent pixels.
fovea_image_status fovea_gif_decode(
    const fovea_image_file *file, uint32_t width, uint32_t height, uint8_t *pixels);

// BMP: `header` (the bytes before the pixels), then `file`'s bytes (the pixels), then `padding` zero bytes.
fovea_image_status fovea_bmp_decode(
    const uint8_t *header, size_t header_count, const fovea_image_file *file, size_t padding,
    fovea_image_pixels *out);

// Reads a PNG as 8-bit grey, grey + alpha, RGB or RGBA: 1 to 4 channels.
//
// Without `pixels` only the number of channels is read. Otherwise `height` rows of width * channels bytes are
// written without gaps; a file with another size or number of channels is an error. With `as_stored`, a pixel of
// a palette is the index of its colour, and samples of fewer than 8 bits are not scaled; more bits are an error.
// Returns 0, or 1 with a message in `message` (`message_size` bytes, all zero before the call).
int fovea_png_read(
    const uint8_t *_Nullable bytes, size_t count, uint32_t width, uint32_t height, bool as_stored,
    uint8_t *_Nullable pixels, int *channels, char *_Nullable message, size_t message_size);

#pragma clang assume_nonnull end
