// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "library.h"

#ifdef FOVEA_HAS_FFMPEG
// What opening and reading a video share.
struct fovea_video_reader {
  AVFormatContext *container;
  AVIOContext *input;  // ours, for descriptors
  fovea_video_file file;
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
  struct SwsContext *scaler;
  fovea_video_interrupt *interrupt;
  int64_t read_timeout;
  int stream;
  AVRational time_base;
  bool is_network;
  bool has_ended;    // of packets
  int64_t failures;  // packets in a row that gave nothing
  char end_text[256];
};
#endif
