// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "library.h"

#ifdef FOVEA_HAS_FFMPEG
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

// Puts an image into the frame that is encoded next, in the pixels of the encoder.
fovea_video_status fovea_video_fill(
    fovea_video_writer *writer, const fovea_video_picture *picture, fovea_video_text text);
#endif
