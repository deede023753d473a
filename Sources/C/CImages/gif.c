// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#include <stdlib.h>

#define GIF_FUNCTIONS(F) \
  F(DGifOpen)            \
  F(DGifCloseFile)       \
  F(DGifGetRecordType)   \
  F(DGifGetImageDesc)    \
  F(DGifGetLine)         \
  F(DGifGetExtension)    \
  F(DGifGetExtensionNext)

#if defined(__APPLE__)
FOVEA_TABLE(gif, GIF_FUNCTIONS, FOVEA_LIBRARY("gif", "7"), "libgif.dylib")
#else
FOVEA_TABLE(gif, GIF_FUNCTIONS, FOVEA_LIBRARY("gif", "7"))
#endif

typedef struct {
  const fovea_image_file *file;
  size_t offset;
} source;

static int take(GifFileType *file, GifByteType *target, int count) {
  source *from = file->UserData;
  size_t left = from->file->count - from->offset;
  size_t taken = count < 0 ? 0 : (size_t)count < left ? (size_t)count : left;
  memcpy(target, from->file->bytes + from->offset, taken);
  from->offset += taken;
  return (int)taken;
}

static fovea_image_status failure(const fovea_image_file *file, int code) {
  switch (code) {
    case D_GIF_ERR_READ_FAILED:
    case D_GIF_ERR_EOF_TOO_SOON:
    case D_GIF_ERR_NO_IMAG_DSCR: return fovea_image_fail(file, FOVEA_IMAGE_TRUNCATED, "the file ends");
    case D_GIF_ERR_NOT_ENOUGH_MEM: return fovea_image_fail(file, FOVEA_IMAGE_NO_MEMORY, "no memory");
    case D_GIF_ERR_NOT_GIF_FILE: return fovea_image_fail(file, FOVEA_IMAGE_DAMAGED, "no GIF header");
    case D_GIF_ERR_WRONG_RECORD: return fovea_image_fail(file, FOVEA_IMAGE_DAMAGED, "an unknown block");
    case D_GIF_ERR_DATA_TOO_BIG:
      return fovea_image_fail(file, FOVEA_IMAGE_DAMAGED, "more pixels than the frame has");
    default: return fovea_image_fail(file, FOVEA_IMAGE_DAMAGED, "the compressed pixels make no sense");
  }
}

// Writes a row of the frame through its palette, without transparent pixels and those outside the image.
static void write_row(
    const GifPixelType *row, const GifFileType *file, int transparent, uint32_t width, uint8_t *target) {
  const ColorMapObject *map = file->Image.ColorMap ? file->Image.ColorMap : file->SColorMap;
  for (int x = 0; x < file->Image.Width && (uint32_t)(file->Image.Left + x) < width; x++) {
    if (row[x] == transparent) continue;
    uint8_t *pixel = target + (size_t)(file->Image.Left + x) * 3;
    if (!map) {
      // A file without a palette: the values are grey levels.
      pixel[0] = pixel[1] = pixel[2] = row[x];
    } else if (row[x] < map->ColorCount) {
      pixel[0] = map->Colors[row[x]].Red;
      pixel[1] = map->Colors[row[x]].Green;
      pixel[2] = map->Colors[row[x]].Blue;
    } else {
      pixel[0] = pixel[1] = pixel[2] = 0;
    }
  }
}

static fovea_image_status read_frame(
    GifFileType *file, const fovea_image_file *image, int transparent, uint32_t width, uint32_t height,
    uint8_t *pixels) {
  // The rows of an interlaced frame: every eighth, then those between them. (GIF89a, appendix E)
  static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  const GifImageDesc *frame = &file->Image;
  if (frame->Width <= 0 || frame->Height <= 0 || frame->Left < 0 || frame->Top < 0) {
    return fovea_image_fail(image, FOVEA_IMAGE_DAMAGED, "a frame without pixels");
  }
  GifPixelType *row = malloc((size_t)frame->Width);
  if (!row) return fovea_image_fail(image, FOVEA_IMAGE_NO_MEMORY, "no memory");
  fovea_image_status status = FOVEA_IMAGE_OK;
  for (int pass = 0; pass < (frame->Interlace ? 4 : 1) && status == FOVEA_IMAGE_OK; pass++) {
    for (int y = frame->Interlace ? starts[pass] : 0; y < frame->Height; y += frame->Interlace ? steps[pass] : 1) {
      if (gif.DGifGetLine(file, row, frame->Width) == GIF_ERROR) {
        status = failure(image, file->Error);
        break;
      }
      if ((uint32_t)(frame->Top + y) >= height) continue;
      write_row(row, file, transparent, width, pixels + (size_t)(frame->Top + y) * width * 3);
    }
  }
  free(row);
  return status;
}

fovea_image_status fovea_gif_decode(
    const fovea_image_file *image, uint32_t width, uint32_t height, uint8_t *pixels) {
  fovea_image_status status = gif_ready(image);
  if (status != FOVEA_IMAGE_OK) return status;
  source from = {image, 0};
  int error = 0;
  GifFileType *file = gif.DGifOpen(&from, take, &error);
  if (!file) return failure(image, error);
  int transparent = -1;
  GifRecordType record = UNDEFINED_RECORD_TYPE;
  status = FOVEA_IMAGE_TRUNCATED;
  fovea_image_fail(image, status, "no frame");
  while (true) {
    if (gif.DGifGetRecordType(file, &record) == GIF_ERROR) {
      status = failure(image, file->Error);
      break;
    }
    if (record == IMAGE_DESC_RECORD_TYPE) {
      status = gif.DGifGetImageDesc(file) == GIF_ERROR
                   ? failure(image, file->Error)
                   : read_frame(file, image, transparent, width, height, pixels);
      break;
    }
    if (record == TERMINATE_RECORD_TYPE) break;
    int code = 0;
    GifByteType *block = NULL;
    int result = gif.DGifGetExtension(file, &code, &block);
    // A graphic control block: its first byte declares whether the fourth is the transparent value.
    if (result != GIF_ERROR && code == GRAPHICS_EXT_FUNC_CODE && block && block[0] >= 4) {
      transparent = block[1] & 1 ? block[4] : -1;
    }
    while (result != GIF_ERROR && block) result = gif.DGifGetExtensionNext(file, &block);
    if (result == GIF_ERROR) {
      status = failure(image, file->Error);
      break;
    }
  }
  gif.DGifCloseFile(file, &error);
  return status;
}

#else
#ifdef FOVEA_HEADER_MISSING
FOVEA_HEADER_MISSING()
#endif
fovea_image_status fovea_gif_decode(
    const fovea_image_file *image, uint32_t width, uint32_t height, uint8_t *pixels) {
  return fovea_image_fail(image, FOVEA_IMAGE_NOT_BUILT, "giflib");
}
#endif
