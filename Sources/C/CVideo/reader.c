// SPDX-License-Identifier: Apache-2.0
#include "reader.h"

#ifdef FOVEA_HAS_FFMPEG
#include <stdlib.h>

void fovea_video_close(fovea_video_reader *reader) {
  fovea_log_begin(reader->has_address);
  if (reader->codec) AVC.avcodec_free_context(&reader->codec);
  if (reader->packet) AVC.av_packet_free(&reader->packet);
  if (reader->frame) AVU.av_frame_free(&reader->frame);
  if (reader->container) AVF.avformat_close_input(&reader->container);
  fovea_video_file_close(&reader->input);
  if (reader->scaler) SWS.sws_freeContext(reader->scaler);
  fovea_log_end();
  free(reader);
}

// Copies a frame from the memory of the graphics card.
static int download(fovea_video_reader *reader) {
  AVFrame *copy = AVU.av_frame_alloc();
  if (!copy) return AVERROR(ENOMEM);
  int error = AVU.av_hwframe_transfer_data(copy, reader->frame, 0);
  if (error >= 0) error = AVU.av_frame_copy_props(copy, reader->frame);
  AVU.av_frame_unref(reader->frame);
  if (error < 0) {
    AVU.av_frame_free(&copy);
    return error;
  }
  AVU.av_frame_free(&reader->frame);
  reader->frame = copy;
  return 0;
}

static fovea_video_status deliver(fovea_video_reader *reader, fovea_video_frame *out, fovea_video_text text) {
  if (reader->frame->format == AV_PIX_FMT_VAAPI) {
    int error = download(reader);
    if (error < 0) return fovea_log_fail(text, FOVEA_VIDEO_DAMAGED, error);
  }
  const int64_t time = reader->frame->best_effort_timestamp;
  fovea_video_status status = fovea_frame_export(&reader->frame, &reader->scaler, out, text);
  if (!reader->frame) reader->frame = AVU.av_frame_alloc();
  else AVU.av_frame_unref(reader->frame);
  if (!reader->frame && status == FOVEA_VIDEO_OK) {
    out->release(out->owner);
    return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for a frame");
  }
  if (status != FOVEA_VIDEO_OK) return status;
  out->has_time = time != AV_NOPTS_VALUE;
  out->time = out->has_time ? (double)time * av_q2d(reader->time_base) : 0;
  reader->failures = 0;
  return FOVEA_VIDEO_OK;
}

// Returns whether the file is known to be complete: FFmpeg's last message is then not about missing data.
static bool is_whole(const fovea_video_reader *reader) {
  fovea_video_extent extent;
  fovea_video_extent_read(reader, &extent);
  return extent.is_whole;
}

// Reads up to the next packet of the stream and sends it, or the end of the stream, to the decoder.
static fovea_video_status feed(fovea_video_reader *reader, int64_t *skipped, fovea_video_text text) {
  for (;;) {
    fovea_video_interrupt_begin(reader->interrupt, reader->read_timeout);
    fovea_log_begin(reader->has_address);
    int error = AVF.av_read_frame(reader->container, reader->packet);
    if (error == AVERROR(EAGAIN)) {
      if (!fovea_video_interrupt_wait(reader->interrupt, 5000)) return FOVEA_VIDEO_CANCELLED;
      continue;
    }
    if (error < 0) {
      if (fovea_video_interrupt_is_cancelled(reader->interrupt)) return FOVEA_VIDEO_CANCELLED;
      // The decoder's remaining frames are returned first, then the reason.
      if (fovea_video_interrupt_timed_out(reader->interrupt)) {
        snprintf(reader->end_text, sizeof reader->end_text, "no data for %.3g s", (double)reader->read_timeout / 1e6);
      } else if (reader->file.error) {
        snprintf(reader->end_text, sizeof reader->end_text, "%s", strerror(reader->file.error));
      } else if (error != AVERROR_EOF || (fovea_log_has_messages() && !is_whole(reader))) {
        fovea_video_text end = {reader->end_text, sizeof reader->end_text};
        fovea_log_fail(end, FOVEA_VIDEO_END, error);
      }
      reader->has_ended = true;
      AVC.avcodec_send_packet(reader->codec, NULL);
      return FOVEA_VIDEO_OK;
    }
    fovea_video_note_packet(reader);
    if (reader->packet->stream_index != reader->stream) {
      AVC.av_packet_unref(reader->packet);
      continue;
    }
    error = AVC.avcodec_send_packet(reader->codec, reader->packet);
    AVC.av_packet_unref(reader->packet);
    if (error == AVERROR(ENOMEM)) return fovea_log_fail(text, FOVEA_VIDEO_NO_MEMORY, error);
    if (error < 0 && error != AVERROR_EOF && error != AVERROR(EAGAIN)) *skipped += 1;
    return FOVEA_VIDEO_OK;
  }
}

fovea_video_status fovea_video_next(
    fovea_video_reader *reader, fovea_video_frame *out, int64_t *skipped, fovea_video_text text) {
  text.bytes[0] = 0;
  fovea_video_status status = FOVEA_VIDEO_OK;
  fovea_log_begin(reader->has_address);
  for (;;) {
    if (fovea_video_interrupt_is_cancelled(reader->interrupt)) {
      status = FOVEA_VIDEO_CANCELLED;
      break;
    }
    int error = AVC.avcodec_receive_frame(reader->codec, reader->frame);
    if (error >= 0) {
      status = deliver(reader, out, text);
      if (status != FOVEA_VIDEO_DAMAGED) break;
      *skipped += 1;
    } else if (error == AVERROR(EAGAIN) && !reader->has_ended) {
      status = feed(reader, skipped, text);
      if (status != FOVEA_VIDEO_OK) break;
    } else if (error == AVERROR_EOF || (reader->has_ended && error == AVERROR(EAGAIN)) || ++reader->failures > 100000) {
      status = fovea_video_fail(text, FOVEA_VIDEO_END, "%s", reader->end_text);
      break;
    } else if (error == AVERROR(ENOMEM)) {
      status = fovea_log_fail(text, FOVEA_VIDEO_NO_MEMORY, error);
      break;
    } else {
      *skipped += 1;
    }
  }
  fovea_log_end();
  return status;
}
#else
fovea_video_status fovea_video_next(
    fovea_video_reader *reader, fovea_video_frame *out, int64_t *skipped, fovea_video_text text) {
  return FOVEA_VIDEO_NOT_BUILT;
}
void fovea_video_close(fovea_video_reader *reader) {}
#endif
