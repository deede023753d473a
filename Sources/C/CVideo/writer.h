// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "library.h"

#ifdef FOVEA_HAS_FFMPEG
enum { fovea_sound_limit = 64 };

// The tracks of a source to copy.
typedef enum { FOVEA_TRACKS_NONE, FOVEA_TRACKS_SOUND, FOVEA_TRACKS_ALL } fovea_tracks;

// A track that is copied.
typedef struct {
  int from;       // its number in the source
  AVStream *to;
  int64_t last;   // the time of the last packet, in the units of `to`; -1 before the first
  bool is_refused;  // the container has refused a packet, so no more are written
} fovea_sound_track;

// The sound and the subtitles of a file, and the state of their copy.
typedef struct {
  AVFormatContext *container;
  AVIOContext *input;
  fovea_video_file file;
  AVPacket *packet;
  fovea_sound_track tracks[fovea_sound_limit];
  int count;
  double start;     // the time in the source that is 0 here, in seconds
  bool has_sound, has_subtitles;  // some are copied
  bool has_packet;  // a packet was read that is written later
  bool has_ended;
} fovea_video_sound;

struct fovea_video_writer {
  AVFormatContext *container;
  AVIOContext *output;
  fovea_video_file file;
  AVCodecContext *codec;
  AVStream *stream;
  AVPacket *packet;
  AVFrame *frame;
  struct SwsContext *scaler;
  uint8_t *widened;  // a copy of an image of an odd width, one column wider; NULL before the first
  size_t widened_size;
  int64_t last_time;  // in the codec's time base; -1 before the first
  bool is_full_range, is_bt709;
  fovea_video_sound sound;
};

// Opens a file and adds its sound tracks, and its subtitles if `tracks` includes them, to the container
// before its header is written. `note` is set to the tracks left out.
void fovea_sound_open(
    fovea_video_writer *writer, int descriptor, double start, fovea_tracks tracks, fovea_video_text note);
// Appends a sentence to a note, once.
void fovea_sound_note(fovea_video_text note, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Writes the sound up to a time, in seconds.
void fovea_sound_copy(fovea_video_writer *writer, double until);
void fovea_sound_close(fovea_video_writer *writer);

// Converts an image into the next frame to encode, in the encoder's pixel format.
fovea_video_status fovea_video_fill(
    fovea_video_writer *writer, const fovea_video_image *image, fovea_video_text text);
#endif
