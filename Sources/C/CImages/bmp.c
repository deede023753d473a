// SPDX-License-Identifier: Apache-2.0
#include "library.h"

// gdk-pixbuf's functions are declared here instead of by its headers: they use only opaque pointers, and the
// headers would require GLib's development files and their dependencies.
typedef struct fovea_pixbuf fovea_pixbuf;
typedef struct fovea_pixbuf_loader fovea_pixbuf_loader;
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} fovea_glib_error;

fovea_pixbuf_loader *gdk_pixbuf_loader_new_with_type(const char *type, fovea_glib_error **error);
int gdk_pixbuf_loader_write(fovea_pixbuf_loader *, const uint8_t *bytes, size_t count, fovea_glib_error **error);
int gdk_pixbuf_loader_close(fovea_pixbuf_loader *, fovea_glib_error **error);
fovea_pixbuf *gdk_pixbuf_loader_get_pixbuf(fovea_pixbuf_loader *);
int gdk_pixbuf_get_width(const fovea_pixbuf *);
int gdk_pixbuf_get_height(const fovea_pixbuf *);
int gdk_pixbuf_get_n_channels(const fovea_pixbuf *);
int gdk_pixbuf_get_rowstride(const fovea_pixbuf *);
uint8_t *gdk_pixbuf_get_pixels(const fovea_pixbuf *);
void *g_object_ref(void *);
void g_object_unref(void *);
void g_error_free(fovea_glib_error *);

#define BMP_FUNCTIONS(F)             \
  F(gdk_pixbuf_loader_new_with_type) \
  F(gdk_pixbuf_loader_write)         \
  F(gdk_pixbuf_loader_close)         \
  F(gdk_pixbuf_loader_get_pixbuf)    \
  F(gdk_pixbuf_get_width)            \
  F(gdk_pixbuf_get_height)           \
  F(gdk_pixbuf_get_n_channels)       \
  F(gdk_pixbuf_get_rowstride)        \
  F(gdk_pixbuf_get_pixels)           \
  F(g_object_ref)                    \
  F(g_object_unref)                  \
  F(g_error_free)

FOVEA_TABLE(bmp, BMP_FUNCTIONS, FOVEA_LIBRARY("gdk_pixbuf-2.0", "0"))

static fovea_image_status failure(
    const fovea_image_file *file, fovea_image_status status, fovea_glib_error *error) {
  fovea_image_fail(file, status, error ? error->message : "gdk-pixbuf gives no reason");
  if (error) bmp.g_error_free(error);
  return strstr(file->text, "nough memory") ? FOVEA_IMAGE_NO_MEMORY : status;
}

static void release_pixbuf(void *owner) { bmp.g_object_unref(owner); }

fovea_image_status fovea_bmp_decode(
    const uint8_t *header, size_t header_count, const fovea_image_file *file, size_t padding,
    fovea_image_pixels *out) {
  static const uint8_t zeros[64];
  fovea_image_status status = bmp_ready(file);
  if (status != FOVEA_IMAGE_OK) return status;
  fovea_glib_error *error = NULL;
  fovea_pixbuf_loader *loader = bmp.gdk_pixbuf_loader_new_with_type("bmp", &error);
  if (!loader) return failure(file, FOVEA_IMAGE_NO_CODEC, error);
  int sound = bmp.gdk_pixbuf_loader_write(loader, header, header_count, &error) &&
              bmp.gdk_pixbuf_loader_write(loader, file->bytes, file->count, &error);
  for (; sound && padding > 0; padding -= padding < sizeof zeros ? padding : sizeof zeros) {
    sound = bmp.gdk_pixbuf_loader_write(loader, zeros, padding < sizeof zeros ? padding : sizeof zeros, &error);
  }
  // A loader must be closed; after an error, errors of closing are ignored.
  int closed = bmp.gdk_pixbuf_loader_close(loader, sound ? &error : NULL);
  fovea_pixbuf *image = sound && closed ? bmp.gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
  if (!image) {
    status = failure(file, FOVEA_IMAGE_DAMAGED, error);
  } else {
    *out = (fovea_image_pixels){
        .pixels = bmp.gdk_pixbuf_get_pixels(image),
        .bytes_per_row = (size_t)bmp.gdk_pixbuf_get_rowstride(image),
        .width = (uint32_t)bmp.gdk_pixbuf_get_width(image),
        .height = (uint32_t)bmp.gdk_pixbuf_get_height(image),
        .channels = bmp.gdk_pixbuf_get_n_channels(image),
        .is_premultiplied = false,
        .owner = bmp.g_object_ref(image),
        .release = release_pixbuf};
  }
  bmp.g_object_unref(loader);
  return status;
}
