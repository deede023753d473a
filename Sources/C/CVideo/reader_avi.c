// SPDX-License-Identifier: Apache-2.0
// Reads the counts of AVI files. AVI counts ticks of a clock: a frame shown for several has one chunk with data,
// and empty ones for the rest. Files copied from MP4 count in ticks of 1/600 s.
#include "reader.h"

#ifdef FOVEA_HAS_FFMPEG
#include <sys/stat.h>
#include <unistd.h>

// FFmpeg writes 2^30 for a length that it does not know, as when it writes to a pipe; others write 2^32 - 1.
enum { unknown_ticks = 1 << 30 };

static bool is_avi(const fovea_video_reader *reader) { return !strcmp(reader->container->iformat->name, "avi"); }

bool fovea_video_lacks_length(const fovea_video_reader *reader) {
  const int64_t ticks = reader->container->streams[reader->stream]->nb_frames;
  return is_avi(reader) && (ticks <= 0 || ticks >= unknown_ticks);
}

double fovea_video_frame_rate(const fovea_video_reader *reader) {
  AVStream *stream = reader->container->streams[reader->stream];
  const AVRational guess = AVF.av_guess_frame_rate(reader->container, stream, NULL);
  const AVRational mean = stream->avg_frame_rate;
  const double guessed = guess.num > 0 && guess.den > 0 ? av_q2d(guess) : 0;
  const double average = mean.num > 0 && mean.den > 0 ? av_q2d(mean) : 0;
  // AVI's average is the rate of its ticks.
  const bool counts_ticks = is_avi(reader) && guessed > 0 && guessed < average;
  return average > 0 && !counts_ticks ? average : guessed;
}

int64_t fovea_video_declared_frames(const fovea_video_reader *reader) {
  const AVStream *stream = reader->container->streams[reader->stream];
  if (stream->nb_frames <= 0 || fovea_video_lacks_length(reader)) return 0;
  if (!is_avi(reader)) return stream->nb_frames;
  const double frames = (double)stream->nb_frames * av_q2d(stream->time_base) * fovea_video_frame_rate(reader);
  return frames < 1 ? 1 : frames > (double)stream->nb_frames ? stream->nb_frames : (int64_t)(frames + 0.5);
}

// Reads the name and the size of a chunk; returns false if it is not there.
static bool chunk(int descriptor, int64_t offset, char name[4], uint32_t *size) {
  uint8_t bytes[8];
  if (pread(descriptor, bytes, sizeof bytes, offset) != (ssize_t)sizeof bytes) return false;
  memcpy(name, bytes, 4);
  *size = (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 | (uint32_t)bytes[7] << 24;
  return true;
}

// Source: Microsoft's "AVI RIFF File Reference"; OpenDML's "AVI File Format Extensions" for several RIFF chunks.
bool fovea_video_avi_is_whole(int descriptor) {
  struct stat status;
  char name[4], kind[4];
  uint32_t size = 0;
  bool has_index = false;
  int64_t start = 0;
  if (fstat(descriptor, &status) != 0) return false;
  for (int count = 0; chunk(descriptor, start, name, &size) && !memcmp(name, "RIFF", 4); count++) {
    const int64_t end = start + 8 + size;
    const bool is_first = start == 0;
    if (pread(descriptor, kind, 4, start + 8) != 4 || memcmp(kind, is_first ? "AVI " : "AVIX", 4)) return false;
    if (end > status.st_size || count == 1024) return false;
    // The index is after the frames, so that a file which was only reserved does not have it.
    int64_t offset = start + 12;
    for (int parts = 0; is_first && !has_index && offset < end && parts < 64; parts++) {
      if (!chunk(descriptor, offset, name, &size)) return false;
      offset += 8 + (int64_t)size + (size & 1);
      has_index = !memcmp(name, "idx1", 4) && size > 0 && offset <= end + 1;
    }
    start = end + (end & 1);
  }
  return has_index;
}
#endif
