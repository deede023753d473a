// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "library.h"

#ifdef FOVEA_HAS_FFMPEG
// The state shared by opening and reading a video.
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
  double end;           // of the packets of all streams that are read, in seconds of the container's time
  int64_t segment_end;  // the end of Matroska's segment in the file, 0 if it is not known
  bool is_whole_avi;    // an AVI with all of its bytes and an index
  AVRational time_base;
  bool is_network;
  bool has_address;  // a URL or a device, not a descriptor
  bool has_ended;    // of packets
  int64_t failures;  // consecutive packets without a frame
  char end_text[256];
};

// Returns the declared end of a Matroska file's segment; 0 if it is not declared, and for other files.
int64_t fovea_video_segment_end(int descriptor);
// Returns whether the file is an AVI with all the bytes that it declares, and an index behind its frames.
bool fovea_video_avi_is_whole(int descriptor);
// Returns whether the file is an AVI without a length, as one written to a pipe: FFmpeg's is a guess.
bool fovea_video_lacks_length(const fovea_video_reader *reader);
// Returns the average number of frames per second; 0 if it is not known.
double fovea_video_frame_rate(const fovea_video_reader *reader);
// Returns the number of frames that the track's header declares; 0 for none.
int64_t fovea_video_declared_frames(const fovea_video_reader *reader);
// Returns the number of frames that the container declares, excluding those its edit list skips; 0 for none.
int64_t fovea_video_shown_frames(const fovea_video_reader *reader);
// Records a packet that was read.
void fovea_video_note_packet(fovea_video_reader *reader);
#endif
