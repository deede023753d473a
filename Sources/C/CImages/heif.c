// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#if __has_include(<libheif/heif.h>)
#include <libheif/heif.h>

#define HEIF_FUNCTIONS(F)                     \
  F(heif_context_alloc)                       \
  F(heif_context_free)                        \
  F(heif_context_set_maximum_image_size_limit) \
  F(heif_context_read_from_memory_without_copy) \
  F(heif_context_get_primary_image_handle)    \
  F(heif_image_handle_release)                \
  F(heif_image_handle_get_width)              \
  F(heif_image_handle_get_height)             \
  F(heif_image_handle_has_alpha_channel)      \
  F(heif_image_handle_is_premultiplied_alpha) \
  F(heif_image_handle_get_nclx_color_profile) \
  F(heif_nclx_color_profile_free)             \
  F(heif_decoding_options_alloc)              \
  F(heif_decoding_options_free)               \
  F(heif_decode_image)                        \
  F(heif_image_get_width)                     \
  F(heif_image_get_height)                    \
  F(heif_image_get_plane)                     \
  F(heif_image_release)

FOVEA_TABLE(heif, HEIF_FUNCTIONS, FOVEA_LIBRARY("heif", "1"))

#if LIBHEIF_NUMERIC_VERSION >= 0x01130000
#define SECURITY_FUNCTIONS(F) F(heif_context_get_security_limits)
FOVEA_TABLE(heif_security, SECURITY_FUNCTIONS, FOVEA_LIBRARY("heif", "1"))
#endif

static fovea_image_status failure(const fovea_image_file *file, struct heif_error error) {
  const char *text = error.message ? error.message : "no reason given";
  fovea_image_status status = FOVEA_IMAGE_DAMAGED;
  if (error.subcode == heif_suberror_End_of_data || strstr(text, "nd of file") || strstr(text, "nd of data") ||
      strstr(text, "outside") || strstr(text, "not fully available")) {
    status = FOVEA_IMAGE_TRUNCATED;
  } else if (error.subcode == heif_suberror_Security_limit_exceeded) {
    status = FOVEA_IMAGE_TOO_LARGE;
  } else if (error.code == heif_error_Memory_allocation_error) {
    status = FOVEA_IMAGE_NO_MEMORY;
  } else if (error.subcode == heif_suberror_Unsupported_codec) {
    status = FOVEA_IMAGE_NO_CODEC;
  } else if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype) {
    status = FOVEA_IMAGE_UNSUPPORTED;
  }
  return fovea_image_fail(file, status, text);
}

// Opens the file and finds its primary image; the caller frees both, even after a failure.
static fovea_image_status open_image(
    const fovea_image_file *file, uint32_t max_dimension, uint64_t max_pixels, struct heif_context **context,
    struct heif_image_handle **handle) {
  fovea_image_status status = heif_ready(file);
  if (status != FOVEA_IMAGE_OK) return status;
  *context = heif.heif_context_alloc();
  if (!*context) return fovea_image_fail(file, FOVEA_IMAGE_NO_MEMORY, "no memory to open the file");
  heif.heif_context_set_maximum_image_size_limit(
      *context, max_dimension < INT32_MAX ? (int)max_dimension : INT32_MAX);
#if LIBHEIF_NUMERIC_VERSION >= 0x01130000
  if (heif_security_ready(file) == FOVEA_IMAGE_OK) {
    struct heif_security_limits *limits = heif_security.heif_context_get_security_limits(*context);
    if (limits) limits->max_image_size_pixels = max_pixels;
  }
#else
  (void)max_pixels;
#endif
  struct heif_error error =
      heif.heif_context_read_from_memory_without_copy(*context, file->bytes, file->count, NULL);
  if (error.code == heif_error_Ok) error = heif.heif_context_get_primary_image_handle(*context, handle);
  return error.code == heif_error_Ok ? FOVEA_IMAGE_OK : failure(file, error);
}

static void close_image(struct heif_context *context, struct heif_image_handle *handle) {
  if (handle) heif.heif_image_handle_release(handle);
  if (context) heif.heif_context_free(context);
}

fovea_image_status fovea_heif_header(
    const fovea_image_file *file, uint32_t max_dimension, uint64_t max_pixels, fovea_image_header *out) {
  struct heif_context *context = NULL;
  struct heif_image_handle *handle = NULL;
  fovea_image_status status = open_image(file, max_dimension, max_pixels, &context, &handle);
  if (status == FOVEA_IMAGE_OK) {
    int width = heif.heif_image_handle_get_width(handle);
    int height = heif.heif_image_handle_get_height(handle);
    out->width = width > 0 ? (uint32_t)width : 0;
    out->height = height > 0 ? (uint32_t)height : 0;
    out->orientation = 1;
  }
  close_image(context, handle);
  return status;
}

// Writes a note if the values are those of a high dynamic range, or an empty text. Only the depth is converted to 8
// bits: without tone mapping the image is paler and darker than on a screen.
static void note_range(const fovea_image_file *file, const struct heif_image_handle *handle) {
  file->text[0] = 0;
  struct heif_color_profile_nclx *profile = NULL;
  if (heif.heif_image_handle_get_nclx_color_profile(handle, &profile).code != heif_error_Ok || !profile) return;
  const char *transfer = NULL;
  if (profile->transfer_characteristics == heif_transfer_characteristic_ITU_R_BT_2100_0_PQ) transfer = "PQ";
  if (profile->transfer_characteristics == heif_transfer_characteristic_ITU_R_BT_2100_0_HLG) transfer = "HLG";
  if (transfer) {
    snprintf(
        file->text, file->text_capacity,
        "the image has a high dynamic range (%s), which is reduced to 8 bits without tone mapping", transfer);
  }
  heif.heif_nclx_color_profile_free(profile);
}

static void release_image(void *owner) { heif.heif_image_release(owner); }

fovea_image_status fovea_heif_decode(
    const fovea_image_file *file, uint32_t max_dimension, uint64_t max_pixels, fovea_image_pixels *out) {
  struct heif_context *context = NULL;
  struct heif_image_handle *handle = NULL;
  struct heif_image *image = NULL;
  fovea_image_status status = open_image(file, max_dimension, max_pixels, &context, &handle);
  if (status == FOVEA_IMAGE_OK) {
    bool has_alpha = heif.heif_image_handle_has_alpha_channel(handle);
    struct heif_decoding_options *options = heif.heif_decoding_options_alloc();
    if (options) options->convert_hdr_to_8bit = 1;
#if LIBHEIF_NUMERIC_VERSION >= 0x010f0000
    // dav1d, libheif's choice, prints errors of damaged files to standard error, and libheif cannot turn that
    // off. libaom is silent. Without it libheif uses any decoder, and 1.15 always uses dav1d for the alpha
    // plane.
    if (options && options->version >= 4) options->decoder_id = "aom";
#endif
    struct heif_error error = heif.heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options);
    if (options) heif.heif_decoding_options_free(options);
    int stride = 0;
    uint8_t *pixels = NULL;
    if (error.code != heif_error_Ok) {
      status = failure(file, error);
    } else if (!(pixels = heif.heif_image_get_plane(image, heif_channel_interleaved, &stride)) || stride <= 0) {
      status = fovea_image_fail(file, FOVEA_IMAGE_DAMAGED, "the decoder gave no pixels");
    } else {
      int width = heif.heif_image_get_width(image, heif_channel_interleaved);
      int height = heif.heif_image_get_height(image, heif_channel_interleaved);
      *out = (fovea_image_pixels){
          .pixels = pixels,
          .bytes_per_row = (size_t)stride,
          .width = width > 0 ? (uint32_t)width : 0,
          .height = height > 0 ? (uint32_t)height : 0,
          .channels = has_alpha ? 4 : 3,
          .is_premultiplied = has_alpha && heif.heif_image_handle_is_premultiplied_alpha(handle),
          .owner = image,
          .release = release_image};
      image = NULL;
      note_range(file, handle);
    }
  }
  if (image) heif.heif_image_release(image);
  close_image(context, handle);
  return status;
}

#else
#ifdef FOVEA_HEADER_MISSING
FOVEA_HEADER_MISSING()
#endif
fovea_image_status fovea_heif_header(
    const fovea_image_file *file, uint32_t max_dimension, uint64_t max_pixels, fovea_image_header *out) {
  return fovea_image_fail(file, FOVEA_IMAGE_NOT_BUILT, "libheif");
}
fovea_image_status fovea_heif_decode(
    const fovea_image_file *file, uint32_t max_dimension, uint64_t max_pixels, fovea_image_pixels *out) {
  return fovea_image_fail(file, FOVEA_IMAGE_NOT_BUILT, "libheif");
}
#endif
