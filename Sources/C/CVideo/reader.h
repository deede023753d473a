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
  int64_t packets;      // of the stream
  double end;           // of the packets of all streams that are read, in seconds from where the container counts
  int64_t segment_end;  // where Matroska's one element ends in the file, 0 where nobody says
  AVRational time_base;
  bool is_network;
  bool has_ended;    // of packets
  int64_t failures;  // packets in a row that gave nothing
  char end_text[256];
};

// Where the one element of a Matroska file ends, as it says itself; 0 where it does not, and for other files.
int64_t fovea_video_segment_end(int descriptor);
// How many frames the container announces, without those that an edit list leaves out; 0 where it does not count.
int64_t fovea_video_shown_frames(const fovea_video_reader *reader);
// Takes note of a packet that was read.
void fovea_video_note_packet(fovea_video_reader *reader);
#endif
