// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

#ifdef FOVEA_HAS_FFMPEG
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

// Maps the quality 1 to 100 to the encoder's scale, on which lower is better.
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
    // An encoder that supports only bit rates: 0.02 to 0.2 bits per pixel.
    const double rate = target->frame_rate > 0 ? target->frame_rate : 25;
    codec->bit_rate = (int64_t)((double)target->width * target->height * rate * (0.02 + 0.0018 * target->quality));
  }
  // A key frame at least every ten seconds, so that players can seek.
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
  // AVI has no timestamps, so its unit is a frame. In other containers each frame keeps its time.
  codec->time_base = is_avi ? (AVRational){1000, (int)lround(rate * 1000)} : (AVRational){1, 90000};
  codec->framerate = (AVRational){(int)lround(rate * 1000), 1000};
  codec->sample_aspect_ratio = (AVRational){target->aspect_width, target->aspect_height};
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
    fovea_video_writer *writer, const fovea_video_target *target, fovea_tracks tracks, const char **encoder,
    fovea_video_text note, fovea_video_text text) {
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
  writer->stream->sample_aspect_ratio = writer->codec->sample_aspect_ratio;
  error = AVC.avcodec_parameters_from_context(writer->stream->codecpar, writer->codec);
  if (error >= 0 && target->sound_descriptor >= 0 && tracks != FOVEA_TRACKS_NONE) {
    fovea_sound_open(writer, target->sound_descriptor, target->sound_start, tracks, note);
  }
  AVDictionary *options = NULL;
  if (target->is_fragmented) AVU.av_dict_set(&options, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
  AVU.av_dict_set(&options, "strict", "experimental", 0);
  if (error >= 0) error = AVF.avformat_write_header(writer->container, &options);
  AVU.av_dict_free(&options);
  return error < 0 ? write_failure(writer, error, text) : FOVEA_VIDEO_OK;
}

// Starts the file with some of the source's tracks. Sets `*found` to those that the container seemed to
// accept.
static fovea_video_status begin(
    const fovea_video_target *target, fovea_tracks tracks, fovea_video_writer **out, const char **encoder,
    fovea_tracks *found, fovea_video_text note, fovea_video_text text) {
  *found = FOVEA_TRACKS_NONE;
  text.bytes[0] = 0;
  fovea_video_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for the encoder");
  writer->last_time = -1;
  fovea_log_begin(false);
  fovea_video_status status = open_output(writer, target, tracks, encoder, note, text);
  if (writer->sound.has_sound) *found = FOVEA_TRACKS_SOUND;
  if (writer->sound.has_subtitles) *found = FOVEA_TRACKS_ALL;
  fovea_log_end();
  if (status == FOVEA_VIDEO_OK) {
    *out = writer;
  } else {
    fovea_video_discard(writer);
  }
  return status;
}

fovea_video_status fovea_video_create(
    const fovea_video_target *target, fovea_video_writer **out, const char **encoder, fovea_video_text note,
    fovea_video_text text) {
  text.bytes[0] = note.bytes[0] = 0;
  *out = NULL;
  fovea_video_status status = fovea_video_ready(text);
  if (status != FOVEA_VIDEO_OK) return status;
  fovea_tracks found;
  status = begin(target, FOVEA_TRACKS_ALL, out, encoder, &found, note, text);
  const bool has_subtitles = found == FOVEA_TRACKS_ALL;
  // If the container refuses the tracks with its header, retry without subtitles, then without sound.
  while (status != FOVEA_VIDEO_OK && found != FOVEA_TRACKS_NONE) {
    if (lseek(target->descriptor, 0, SEEK_SET) < 0 || ftruncate(target->descriptor, 0) < 0) return status;
    const fovea_tracks fewer = found == FOVEA_TRACKS_ALL ? FOVEA_TRACKS_SOUND : FOVEA_TRACKS_NONE;
    status = begin(target, fewer, out, encoder, &found, note, text);
    if (status != FOVEA_VIDEO_OK) continue;
    fovea_sound_note(
        note, "the %s not go into %s and %s left out%s",
        fewer == FOVEA_TRACKS_SOUND ? "subtitles do" : "sound does", target->container,
        fewer == FOVEA_TRACKS_SOUND ? "are" : "is",
        fewer == FOVEA_TRACKS_NONE && has_subtitles ? ", and the subtitles with it" : "");
  }
  return status;
}

static fovea_video_status encode(fovea_video_writer *writer, AVFrame *frame, fovea_video_text text) {
  int error = AVC.avcodec_send_frame(writer->codec, frame);
  while (error >= 0) {
    error = AVC.avcodec_receive_packet(writer->codec, writer->packet);
    if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return FOVEA_VIDEO_OK;
    if (error < 0) break;
    AVC.av_packet_rescale_ts(writer->packet, writer->codec->time_base, writer->stream->time_base);
    writer->packet->stream_index = writer->stream->index;
    // The last frame has the average duration; the others last until the next one.
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
    fovea_video_writer *writer, const fovea_video_image *image, fovea_video_text text) {
  text.bytes[0] = 0;
  fovea_log_begin(false);
  fovea_video_status status = fovea_video_fill(writer, image, text);
  if (status == FOVEA_VIDEO_OK) {
    const double units = image->time / av_q2d(writer->codec->time_base);
    int64_t time = isfinite(units) && units < 1e15 && units > 0 ? llround(units) : 0;
    if (time <= writer->last_time) time = writer->last_time + 1;
    writer->last_time = writer->frame->pts = time;
    status = encode(writer, writer->frame, text);
    if (status == FOVEA_VIDEO_OK) fovea_sound_copy(writer, (double)time * av_q2d(writer->codec->time_base));
  }
  fovea_log_end();
  return status;
}

fovea_video_status fovea_video_finish(fovea_video_writer *writer, bool has_all_sound, fovea_video_text text) {
  text.bytes[0] = 0;
  fovea_log_begin(false);
  fovea_video_status status = encode(writer, NULL, text);
  const double end = (double)writer->last_time * av_q2d(writer->codec->time_base) + 1 / av_q2d(writer->codec->framerate);
  fovea_sound_copy(writer, has_all_sound ? HUGE_VAL : end);
  // The end is written even after a failure, so that the written part can be played.
  int error = AVF.av_write_trailer(writer->container);
  AVF.avio_flush(writer->output);
  if (status == FOVEA_VIDEO_OK && (error < 0 || writer->file.error)) status = write_failure(writer, error, text);
  fovea_log_end();
  return status;
}

void fovea_video_discard(fovea_video_writer *writer) {
  fovea_log_begin(false);
  fovea_sound_close(writer);
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
    const fovea_video_target *target, fovea_video_writer **out, const char **encoder, fovea_video_text note,
    fovea_video_text text) {
  return fovea_video_fail(text, FOVEA_VIDEO_NOT_BUILT, "FFmpeg");
}
fovea_video_status fovea_video_write(
    fovea_video_writer *writer, const fovea_video_image *image, fovea_video_text text) {
  return FOVEA_VIDEO_NOT_BUILT;
}
fovea_video_status fovea_video_finish(fovea_video_writer *writer, bool has_all_sound, fovea_video_text text) {
  return FOVEA_VIDEO_NOT_BUILT;
}
void fovea_video_discard(fovea_video_writer *writer) {}
#endif
