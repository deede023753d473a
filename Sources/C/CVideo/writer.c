// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#ifdef FOVEA_HAS_FFMPEG
#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct fovea_video_writer {
  AVFormatContext *container;
  AVIOContext *output;
  fovea_video_file file;
  AVCodecContext *codec;
  AVStream *stream;
  AVPacket *packet;
  AVFrame *frame;
  struct SwsContext *scaler;
  uint8_t *widened;  // a copy of a picture of an odd width, one column wider; NULL before the first
  size_t widened_size;
  int64_t last_time;  // in the codec's time base; -1 before the first
  bool is_full_range, is_bt709;
};

// The quality of 1 to 100 in the encoder's own measure, where less is better.
static int scaled(int quality, int best, int worst) {
  return worst - (int)lround((double)(quality - 1) / 99 * (worst - best));
}

static void set_up(AVCodecContext *codec, const fovea_video_target *target) {
  const char *name = codec->codec->name;
  char value[16];
  if (!strcmp(name, "mjpeg")) {
    const int scale = scaled(target->quality, 2, 24);
    codec->flags |= AV_CODEC_FLAG_QSCALE;
    codec->global_quality = scale * FF_QP2LAMBDA;
    codec->qmin = codec->qmax = scale;
    return;
  }
  if (!strcmp(name, "libx264")) {
    snprintf(value, sizeof value, "%d", scaled(target->quality, 14, 44));
    AVU.av_opt_set(codec->priv_data, "preset", target->preset, 0);
    AVU.av_opt_set(codec->priv_data, "crf", value, 0);
  } else if (!strcmp(name, "libvpx-vp9")) {
    snprintf(value, sizeof value, "%d", scaled(target->quality, 20, 60));
    AVU.av_opt_set(codec->priv_data, "crf", value, 0);
    AVU.av_opt_set(codec->priv_data, "deadline", "realtime", 0);
    AVU.av_opt_set(codec->priv_data, "cpu-used", "8", 0);
    AVU.av_opt_set(codec->priv_data, "row-mt", "1", 0);
    codec->bit_rate = 0;
  } else {
    // An encoder that knows bit rates alone: bits a pixel from 0.02 to 0.2.
    const double rate = target->frame_rate > 0 ? target->frame_rate : 25;
    codec->bit_rate = (int64_t)((double)target->width * target->height * rate * (0.02 + 0.0018 * target->quality));
  }
  // A key frame every ten seconds at least, so that players can jump.
  codec->gop_size = (int)lround((target->frame_rate > 0 ? target->frame_rate : 25) * 10);
  if (codec->gop_size < 1) codec->gop_size = 1;
  if (codec->gop_size > 600) codec->gop_size = 600;
}

static fovea_video_status open_encoder(
    fovea_video_writer *writer, const fovea_video_target *target, const char **name, fovea_video_text text) {
  const AVCodec *encoder = NULL;
  char names[128] = "";
  for (size_t index = 0; target->encoders[index] && !encoder; index++) {
    encoder = AVC.avcodec_find_encoder_by_name(target->encoders[index]);
    if (index) strncat(names, " and ", sizeof names - strlen(names) - 1);
    strncat(names, target->encoders[index], sizeof names - strlen(names) - 1);
  }
  if (!encoder) return fovea_video_fail(text, FOVEA_VIDEO_NO_ENCODER, "%s", names);
  *name = encoder->name;
  const bool is_mjpeg = !strcmp(encoder->name, "mjpeg");
  const bool is_avi = !strcmp(target->container, "avi");
  AVCodecContext *codec = writer->codec = AVC.avcodec_alloc_context3(encoder);
  writer->packet = AVC.av_packet_alloc();
  writer->frame = AVU.av_frame_alloc();
  if (!codec || !writer->packet || !writer->frame) {
    return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for the encoder");
  }
  const double rate = target->frame_rate > 0 ? target->frame_rate : 25;
  codec->opaque = &fovea_log_mark;
  codec->width = target->width;
  codec->height = target->height;
  codec->pix_fmt = is_mjpeg ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P;
  // AVI counts frames, it has no times: its unit is a frame. Elsewhere each frame keeps its time.
  codec->time_base = is_avi ? (AVRational){1000, (int)lround(rate * 1000)} : (AVRational){1, 90000};
  codec->framerate = (AVRational){(int)lround(rate * 1000), 1000};
  codec->thread_count = target->threads;
  writer->is_full_range = is_mjpeg || target->is_full_range;
  writer->is_bt709 = target->is_bt709 && !is_mjpeg;
  codec->color_range = writer->is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  codec->colorspace = writer->is_bt709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
  codec->color_primaries = writer->is_bt709 ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M;
  codec->color_trc = writer->is_bt709 ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M;
  if (writer->container->oformat->flags & AVFMT_GLOBALHEADER) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  set_up(codec, target);
  int error = AVC.avcodec_open2(codec, encoder, NULL);
  if (error < 0) return fovea_log_fail(text, FOVEA_VIDEO_FAILED, error);
  writer->frame->format = codec->pix_fmt;
  writer->frame->width = codec->width;
  writer->frame->height = codec->height;
  error = AVU.av_frame_get_buffer(writer->frame, 0);
  return error < 0 ? fovea_log_fail(text, FOVEA_VIDEO_NO_MEMORY, error) : FOVEA_VIDEO_OK;
}

static fovea_video_status write_failure(fovea_video_writer *writer, int error, fovea_video_text text) {
  if (writer->file.error) {
    return fovea_video_fail(text, FOVEA_VIDEO_FAILED, "%s", strerror(writer->file.error));
  }
  return fovea_log_fail(text, FOVEA_VIDEO_FAILED, error);
}

static fovea_video_status open_output(
    fovea_video_writer *writer, const fovea_video_target *target, const char **encoder, fovea_video_text text) {
  int error = AVF.avformat_alloc_output_context2(&writer->container, NULL, target->container, NULL);
  if (error < 0) return fovea_log_fail(text, FOVEA_VIDEO_NO_ENCODER, error);
  fovea_video_status status = open_encoder(writer, target, encoder, text);
  if (status != FOVEA_VIDEO_OK) return status;
  writer->file = (fovea_video_file){.descriptor = target->descriptor};
  writer->output = fovea_video_file_open(&writer->file, true);
  writer->stream = AVF.avformat_new_stream(writer->container, NULL);
  if (!writer->output || !writer->stream) {
    return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for the file");
  }
  writer->container->pb = writer->output;
  writer->container->flags |= AVFMT_FLAG_CUSTOM_IO;
  writer->stream->time_base = writer->codec->time_base;
  writer->stream->avg_frame_rate = target->frame_rate > 0 ? writer->codec->framerate : (AVRational){0, 1};
  error = AVC.avcodec_parameters_from_context(writer->stream->codecpar, writer->codec);
  AVDictionary *options = NULL;
  if (target->is_fragmented) AVU.av_dict_set(&options, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
  AVU.av_dict_set(&options, "strict", "experimental", 0);
  if (error >= 0) error = AVF.avformat_write_header(writer->container, &options);
  AVU.av_dict_free(&options);
  return error < 0 ? write_failure(writer, error, text) : FOVEA_VIDEO_OK;
}

fovea_video_status fovea_video_create(
    const fovea_video_target *target, fovea_video_writer **out, const char **encoder, fovea_video_text text) {
  text.bytes[0] = 0;
  *out = NULL;
  fovea_video_status status = fovea_video_ready(text);
  if (status != FOVEA_VIDEO_OK) return status;
  fovea_video_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for the encoder");
  writer->last_time = -1;
  fovea_log_begin();
  status = open_output(writer, target, encoder, text);
  fovea_log_end();
  if (status == FOVEA_VIDEO_OK) *out = writer;
  else fovea_video_discard(writer);
  return status;
}

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

// Repeats the last column and row where the picture is one short of the even size.
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

// libswscale makes one chroma value of two neighbours, and reads beyond the end of a row that has no second one: pictures
// of red, green and blue with an odd width get a copy whose last column is repeated.
static fovea_video_status widen(fovea_video_writer *writer, fovea_video_picture *picture, fovea_video_text text) {
  const size_t pixel = picture->pixels == FOVEA_PIXELS_RGB ? 3 : 4;
  const size_t row = (size_t)picture->width * pixel, stride = row + pixel;
  const size_t size = stride * (size_t)picture->height;
  if (size > writer->widened_size) {
    uint8_t *memory = realloc(writer->widened, size);
    if (!memory) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for a picture");
    writer->widened = memory;
    writer->widened_size = size;
  }
  for (int line = 0; line < picture->height; line++) {
    uint8_t *target = writer->widened + (size_t)line * stride;
    memcpy(target, picture->planes[0] + (ptrdiff_t)line * picture->strides[0], row);
    memcpy(target + row, target + row - pixel, pixel);
  }
  picture->planes[0] = writer->widened;
  picture->strides[0] = (int32_t)stride;
  picture->width++;
  return FOVEA_VIDEO_OK;
}

static fovea_video_status convert(
    fovea_video_writer *writer, const fovea_video_picture *given, int width, int height, fovea_video_text text) {
  fovea_video_status status = fovea_scale_ready(text);
  if (status != FOVEA_VIDEO_OK) return status;
  fovea_video_picture copy = *given, *picture = &copy;
  const bool is_color = picture->pixels == FOVEA_PIXELS_RGB || picture->pixels == FOVEA_PIXELS_BGRA ||
                        picture->pixels == FOVEA_PIXELS_RGBA;
  if (is_color && picture->width % 2) {
    // The rows of the frame are padded to whole vectors: they have room for the column more.
    if (width == picture->width) width++;
    status = widen(writer, picture, text);
    if (status != FOVEA_VIDEO_OK) return status;
  }
  const bool is_yuv = picture->pixels == FOVEA_PIXELS_I420 || picture->pixels == FOVEA_PIXELS_NV12;
  writer->scaler = SWS.sws_getCachedContext(
      writer->scaler, picture->width, picture->height, format_of(picture->pixels), width, height, AV_PIX_FMT_YUV420P,
      SWS_BILINEAR, NULL, NULL, NULL);
  if (!writer->scaler) return fovea_video_fail(text, FOVEA_VIDEO_PIXELS, "libswscale does not convert the picture");
  const int *to = SWS.sws_getCoefficients(writer->is_bt709 ? SWS_CS_ITU709 : SWS_CS_ITU601);
  const int *from = SWS.sws_getCoefficients(
      (is_yuv ? picture->is_bt709 : writer->is_bt709) ? SWS_CS_ITU709 : SWS_CS_ITU601);
  SWS.sws_setColorspaceDetails(
      writer->scaler, from, !is_yuv || picture->is_full_range, to, writer->is_full_range, 0, 1 << 16, 1 << 16);
  if (SWS.sws_scale(
          writer->scaler, picture->planes, picture->strides, 0, picture->height, writer->frame->data,
          writer->frame->linesize) <= 0) {
    return fovea_video_fail(text, FOVEA_VIDEO_PIXELS, "libswscale does not convert the picture");
  }
  return FOVEA_VIDEO_OK;
}

static fovea_video_status fill(fovea_video_writer *writer, const fovea_video_picture *picture, fovea_video_text text) {
  AVFrame *frame = writer->frame;
  int error = AVU.av_frame_make_writable(frame);
  if (error < 0) return fovea_log_fail(text, FOVEA_VIDEO_NO_MEMORY, error);
  const int wider = frame->width - picture->width, higher = frame->height - picture->height;
  const bool fits = wider >= 0 && wider <= 1 && higher >= 0 && higher <= 1;
  const int width = fits ? picture->width : frame->width, height = fits ? picture->height : frame->height;
  if (fits && picture->pixels == FOVEA_PIXELS_I420 && picture->is_full_range == writer->is_full_range &&
      picture->is_bt709 == writer->is_bt709) {
    for (int plane = 0; plane < 3; plane++) {
      const int step = plane ? 2 : 1;
      AVU.av_image_copy_plane(
          frame->data[plane], frame->linesize[plane], picture->planes[plane], picture->strides[plane],
          (width + step - 1) / step, (height + step - 1) / step);
    }
  } else {
    fovea_video_status status = convert(writer, picture, width, height, text);
    if (status != FOVEA_VIDEO_OK) return status;
  }
  if (fits && (wider || higher)) pad(frame, width, height);
  return FOVEA_VIDEO_OK;
}

static fovea_video_status encode(fovea_video_writer *writer, AVFrame *frame, fovea_video_text text) {
  int error = AVC.avcodec_send_frame(writer->codec, frame);
  while (error >= 0) {
    error = AVC.avcodec_receive_packet(writer->codec, writer->packet);
    if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return FOVEA_VIDEO_OK;
    if (error < 0) break;
    AVC.av_packet_rescale_ts(writer->packet, writer->codec->time_base, writer->stream->time_base);
    writer->packet->stream_index = writer->stream->index;
    // The last frame is shown as long as a frame is on average; the others until the next one.
    if (!writer->packet->duration) {
      writer->packet->duration = AVU.av_rescale_q(
          1, (AVRational){writer->codec->framerate.den, writer->codec->framerate.num}, writer->stream->time_base);
    }
    error = AVF.av_interleaved_write_frame(writer->container, writer->packet);
    if (error >= 0 && writer->file.error) error = AVERROR(writer->file.error);
  }
  return error == AVERROR_EOF ? FOVEA_VIDEO_OK : write_failure(writer, error, text);
}

fovea_video_status fovea_video_write(
    fovea_video_writer *writer, const fovea_video_picture *picture, fovea_video_text text) {
  text.bytes[0] = 0;
  fovea_log_begin();
  fovea_video_status status = fill(writer, picture, text);
  if (status == FOVEA_VIDEO_OK) {
    const double units = picture->time / av_q2d(writer->codec->time_base);
    int64_t time = isfinite(units) && units < 1e15 && units > 0 ? llround(units) : 0;
    if (time <= writer->last_time) time = writer->last_time + 1;
    writer->last_time = writer->frame->pts = time;
    status = encode(writer, writer->frame, text);
  }
  fovea_log_end();
  return status;
}

fovea_video_status fovea_video_finish(fovea_video_writer *writer, fovea_video_text text) {
  text.bytes[0] = 0;
  fovea_log_begin();
  fovea_video_status status = encode(writer, NULL, text);
  // The end is written also after a failure, so that what is there can be played.
  int error = AVF.av_write_trailer(writer->container);
  AVF.avio_flush(writer->output);
  if (status == FOVEA_VIDEO_OK && (error < 0 || writer->file.error)) status = write_failure(writer, error, text);
  fovea_log_end();
  return status;
}

void fovea_video_discard(fovea_video_writer *writer) {
  fovea_log_begin();
  if (writer->codec) AVC.avcodec_free_context(&writer->codec);
  if (writer->packet) AVC.av_packet_free(&writer->packet);
  if (writer->frame) AVU.av_frame_free(&writer->frame);
  if (writer->container) AVF.avformat_free_context(writer->container);
  fovea_video_file_close(&writer->output);
  if (writer->scaler) SWS.sws_freeContext(writer->scaler);
  free(writer->widened);
  fovea_log_end();
  free(writer);
}
#else
fovea_video_status fovea_video_create(
    const fovea_video_target *target, fovea_video_writer **out, const char **encoder, fovea_video_text text) {
  return fovea_video_fail(text, FOVEA_VIDEO_NOT_BUILT, "FFmpeg");
}
fovea_video_status fovea_video_write(
    fovea_video_writer *writer, const fovea_video_picture *picture, fovea_video_text text) {
  return FOVEA_VIDEO_NOT_BUILT;
}
fovea_video_status fovea_video_finish(fovea_video_writer *writer, fovea_video_text text) {
  return FOVEA_VIDEO_NOT_BUILT;
}
void fovea_video_discard(fovea_video_writer *writer) {}
#endif
