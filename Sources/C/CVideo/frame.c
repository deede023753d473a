// SPDX-License-Identifier: Apache-2.0
// Converts FFmpeg's frames to ours: without a copy if the pixel format is one of ours, else with libswscale.
#include "library.h"

#ifdef FOVEA_HAS_FFMPEG
#include <math.h>

bool fovea_is_bt709(enum AVColorSpace space, int height) {
  switch (space) {
    case AVCOL_SPC_BT709:
    case AVCOL_SPC_SMPTE240M:
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL: return true;
    // Without a declaration the size decides: above standard definition it is BT.709, as in players.
    case AVCOL_SPC_UNSPECIFIED:
    case AVCOL_SPC_RESERVED: return height > 576;
    default: return false;
  }
}

// The matrix maps stored pixels to the screen, y downwards: x' = a x + c y, y' = b x + d y.
int32_t fovea_display_orientation(const int32_t *matrix) {
  const double a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  if (fabs(a) + fabs(d) >= fabs(b) + fabs(c)) {
    if (a >= 0) return d >= 0 ? 1 : 4;
    return d >= 0 ? 2 : 3;
  }
  if (b >= 0) return c >= 0 ? 5 : 6;
  return c >= 0 ? 8 : 7;
}

static void release_frame(void *owner) {
  AVFrame *frame = owner;
  AVU.av_frame_free(&frame);
}

static int pixels_of(const AVFrame *frame) {
  switch (frame->format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P: return FOVEA_PIXELS_I420;
    case AV_PIX_FMT_NV12: return FOVEA_PIXELS_NV12;
    case AV_PIX_FMT_GRAY8: return frame->color_range == AVCOL_RANGE_JPEG ? FOVEA_PIXELS_GREY : -1;
    case AV_PIX_FMT_RGB24: return FOVEA_PIXELS_RGB;
    case AV_PIX_FMT_BGRA:
    case AV_PIX_FMT_BGR0: return FOVEA_PIXELS_BGRA;
    case AV_PIX_FMT_RGBA:
    case AV_PIX_FMT_RGB0: return FOVEA_PIXELS_RGBA;
    default: return -1;
  }
}

static bool is_full_range(const AVFrame *frame) {
  switch (frame->format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ411P: return true;
    default: return frame->color_range == AVCOL_RANGE_JPEG;
  }
}

static fovea_video_status convert(
    AVFrame **frame, const AVPixFmtDescriptor *kind, struct SwsContext **scaler, fovea_video_text text) {
  fovea_video_status status = fovea_scale_ready(text);
  if (status != FOVEA_VIDEO_OK) return status;
  const AVFrame *source = *frame;
  const bool is_rgb = kind->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
  AVFrame *target = AVU.av_frame_alloc();
  if (!target) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for a frame");
  target->width = source->width;
  target->height = source->height;
  target->format = is_rgb ? AV_PIX_FMT_BGRA : AV_PIX_FMT_YUV420P;
  int error = AVU.av_frame_get_buffer(target, 0);
  if (error >= 0) error = AVU.av_frame_copy_props(target, source);
  if (error < 0) {
    AVU.av_frame_free(&target);
    return fovea_log_fail(text, FOVEA_VIDEO_NO_MEMORY, error);
  }
  *scaler = SWS.sws_getCachedContext(
      *scaler, source->width, source->height, source->format, target->width, target->height, target->format,
      SWS_BILINEAR, NULL, NULL, NULL);
  if (*scaler) {
    const int range = is_rgb || is_full_range(source);
    const int *matrix = SWS.sws_getCoefficients(
        fovea_is_bt709(source->colorspace, source->height) ? SWS_CS_ITU709 : SWS_CS_ITU601);
    SWS.sws_setColorspaceDetails(*scaler, matrix, range, matrix, range, 0, 1 << 16, 1 << 16);
  }
  if (!*scaler || SWS.sws_scale(
                      *scaler, (const uint8_t *const *)source->data, source->linesize, 0, source->height, target->data,
                      target->linesize) <= 0) {
    AVU.av_frame_free(&target);
    return fovea_video_fail(text, FOVEA_VIDEO_PIXELS, "libswscale does not convert %s", kind->name);
  }
  target->color_range = is_full_range(source) ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  AVU.av_frame_free(frame);
  *frame = target;
  return FOVEA_VIDEO_OK;
}

fovea_video_status fovea_frame_export(
    AVFrame **frame, struct SwsContext **scaler, fovea_video_frame *out, fovea_video_text text) {
  const AVPixFmtDescriptor *kind = AVU.av_pix_fmt_desc_get((*frame)->format);
  if (!kind || (*frame)->width <= 0 || (*frame)->height <= 0) {
    return fovea_video_fail(text, FOVEA_VIDEO_PIXELS, "the decoder gave a frame without pixels");
  }
  int pixels = pixels_of(*frame);
  for (int plane = 0; plane < 3; plane++) {
    // Bottom-up images have their rows in reverse order.
    if ((*frame)->linesize[plane] < 0) pixels = -1;
  }
  if (pixels < 0) {
    fovea_video_status status = convert(frame, kind, scaler, text);
    if (status != FOVEA_VIDEO_OK) return status;
    pixels = pixels_of(*frame);
  }
  AVFrame *source = *frame;
  *out = (fovea_video_frame){
      .owner = source,
      .release = release_frame,
      .width = source->width,
      .height = source->height,
      .pixels = (fovea_pixels)pixels,
      .is_bt709 = fovea_is_bt709(source->colorspace, source->height),
      .is_full_range = is_full_range(source),
#ifdef AV_FRAME_FLAG_CORRUPT
      .is_damaged = source->decode_error_flags || (source->flags & AV_FRAME_FLAG_CORRUPT),
#endif
  };
  for (int plane = 0; plane < 3; plane++) {
    out->planes[plane] = source->data[plane];
    out->strides[plane] = source->linesize[plane];
  }
  *frame = NULL;
  return FOVEA_VIDEO_OK;
}
#endif
