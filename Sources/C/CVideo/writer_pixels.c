// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

#ifdef FOVEA_HAS_FFMPEG
#include <stdlib.h>

static enum AVPixelFormat format_of(fovea_pixels pixels) {
  switch (pixels) {
    case FOVEA_PIXELS_I420: return AV_PIX_FMT_YUV420P;
    case FOVEA_PIXELS_NV12: return AV_PIX_FMT_NV12;
    case FOVEA_PIXELS_GREY: return AV_PIX_FMT_GRAY8;
    case FOVEA_PIXELS_RGB: return AV_PIX_FMT_RGB24;
    case FOVEA_PIXELS_BGRA: return AV_PIX_FMT_BGR0;
    case FOVEA_PIXELS_RGBA: return AV_PIX_FMT_RGB0;
  }
}

// Repeats the last column and row if the image is one pixel smaller than the even size.
static void pad(AVFrame *frame, int width, int height) {
  for (int plane = 0; plane < 3; plane++) {
    const int step = plane ? 2 : 1;
    const int columns = (width + step - 1) / step, rows = (height + step - 1) / step;
    const int all_columns = (frame->width + step - 1) / step, all_rows = (frame->height + step - 1) / step;
    uint8_t *data = frame->data[plane];
    const int stride = frame->linesize[plane];
    for (int row = 0; row < rows && columns < all_columns; row++) data[row * stride + columns] = data[row * stride + columns - 1];
    for (int row = rows; row < all_rows; row++) memcpy(data + row * stride, data + (row - 1) * stride, (size_t)all_columns);
  }
}

// libswscale makes one chroma value of two neighbours, and reads beyond the end of a row with an odd width:
// such RGB images are copied with a repeated last column.
static fovea_video_status widen(fovea_video_writer *writer, fovea_video_image *image, fovea_video_text text) {
  const size_t pixel = image->pixels == FOVEA_PIXELS_RGB ? 3 : 4;
  const size_t row = (size_t)image->width * pixel, stride = row + pixel;
  const size_t size = stride * (size_t)image->height;
  if (size > writer->widened_size) {
    uint8_t *memory = realloc(writer->widened, size);
    if (!memory) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for an image");
    writer->widened = memory;
    writer->widened_size = size;
  }
  for (int line = 0; line < image->height; line++) {
    uint8_t *target = writer->widened + (size_t)line * stride;
    memcpy(target, image->planes[0] + (ptrdiff_t)line * image->strides[0], row);
    memcpy(target + row, target + row - pixel, pixel);
  }
  image->planes[0] = writer->widened;
  image->strides[0] = (int32_t)stride;
  image->width++;
  return FOVEA_VIDEO_OK;
}

static fovea_video_status convert(
    fovea_video_writer *writer, const fovea_video_image *given, int width, int height, fovea_video_text text) {
  fovea_video_status status = fovea_scale_ready(text);
  if (status != FOVEA_VIDEO_OK) return status;
  fovea_video_image copy = *given, *image = &copy;
  const bool is_color = image->pixels == FOVEA_PIXELS_RGB || image->pixels == FOVEA_PIXELS_BGRA ||
                        image->pixels == FOVEA_PIXELS_RGBA;
  if (is_color && image->width % 2) {
    // The rows of the frame are padded to whole vectors, so one more column fits.
    if (width == image->width) width++;
    status = widen(writer, image, text);
    if (status != FOVEA_VIDEO_OK) return status;
  }
  const bool is_yuv = image->pixels == FOVEA_PIXELS_I420 || image->pixels == FOVEA_PIXELS_NV12;
  writer->scaler = SWS.sws_getCachedContext(
      writer->scaler, image->width, image->height, format_of(image->pixels), width, height, AV_PIX_FMT_YUV420P,
      SWS_BILINEAR, NULL, NULL, NULL);
  if (!writer->scaler) return fovea_video_fail(text, FOVEA_VIDEO_PIXELS, "libswscale does not convert the image");
  const int *to = SWS.sws_getCoefficients(writer->is_bt709 ? SWS_CS_ITU709 : SWS_CS_ITU601);
  const int *from = SWS.sws_getCoefficients(
      (is_yuv ? image->is_bt709 : writer->is_bt709) ? SWS_CS_ITU709 : SWS_CS_ITU601);
  SWS.sws_setColorspaceDetails(
      writer->scaler, from, !is_yuv || image->is_full_range, to, writer->is_full_range, 0, 1 << 16, 1 << 16);
  if (SWS.sws_scale(
          writer->scaler, image->planes, image->strides, 0, image->height, writer->frame->data,
          writer->frame->linesize) <= 0) {
    return fovea_video_fail(text, FOVEA_VIDEO_PIXELS, "libswscale does not convert the image");
  }
  return FOVEA_VIDEO_OK;
}

fovea_video_status fovea_video_fill(
    fovea_video_writer *writer, const fovea_video_image *image, fovea_video_text text) {
  AVFrame *frame = writer->frame;
  int error = AVU.av_frame_make_writable(frame);
  if (error < 0) return fovea_log_fail(text, FOVEA_VIDEO_NO_MEMORY, error);
  const int wider = frame->width - image->width, higher = frame->height - image->height;
  const bool fits = wider >= 0 && wider <= 1 && higher >= 0 && higher <= 1;
  const int width = fits ? image->width : frame->width, height = fits ? image->height : frame->height;
  if (fits && image->pixels == FOVEA_PIXELS_I420 && image->is_full_range == writer->is_full_range &&
      image->is_bt709 == writer->is_bt709) {
    for (int plane = 0; plane < 3; plane++) {
      const int step = plane ? 2 : 1;
      AVU.av_image_copy_plane(
          frame->data[plane], frame->linesize[plane], image->planes[plane], image->strides[plane],
          (width + step - 1) / step, (height + step - 1) / step);
    }
  } else {
    fovea_video_status status = convert(writer, image, width, height, text);
    if (status != FOVEA_VIDEO_OK) return status;
  }
  if (fits && (wider || higher)) pad(frame, width, height);
  return FOVEA_VIDEO_OK;
}
#endif
