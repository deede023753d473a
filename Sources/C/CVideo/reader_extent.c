// SPDX-License-Identifier: Apache-2.0
// Computes the amount of a video that was read, and the amount that its container declares.
#include "reader.h"

#ifdef FOVEA_HAS_FFMPEG
#include <sys/stat.h>
#include <unistd.h>

// Returns the number of entries of the track's index if it has all packets: that of QuickTime and MP4, to which
// FFmpeg has applied edit lists, and that of a complete AVI. The index of a fragmented file grows with each
// fragment, that of an incomplete AVI with each packet.
static int64_t indexed(const fovea_video_reader *reader) {
#ifdef FOVEA_HAS_INDEX
  const AVStream *stream = reader->container->streams[reader->stream];
  const bool has_all = reader->is_whole_avi || strstr(reader->container->iformat->name, "mp4");
  if (!has_all || fovea_video_declared_frames(reader) <= 0) return 0;
  return AVF.avformat_index_get_entries_count(stream);
#else
  return 0;
#endif
}

int64_t fovea_video_shown_frames(const fovea_video_reader *reader) {
#ifdef FOVEA_HAS_INDEX
  AVStream *stream = reader->container->streams[reader->stream];
  const int64_t count = indexed(reader);
  int64_t shown = 0;
  for (int64_t index = 0; index < count; index++) {
    const AVIndexEntry *entry = AVF.avformat_index_get_entry(stream, (int)index);
    if (entry && !(entry->flags & AVINDEX_DISCARD_FRAME)) shown++;
  }
  if (shown > 0) return shown;
#endif
  return fovea_video_declared_frames(reader);
}

void fovea_video_note_packet(fovea_video_reader *reader) {
  const AVPacket *packet = reader->packet;
  const AVStream *stream = reader->container->streams[packet->stream_index];
  const int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
  if (packet->stream_index == reader->stream) reader->packets++;
  if (time == AV_NOPTS_VALUE) return;
  double end = (double)(time + packet->duration) * av_q2d(stream->time_base);
  if (reader->container->start_time != AV_NOPTS_VALUE) end -= (double)reader->container->start_time / AV_TIME_BASE;
  if (end > reader->end) reader->end = end;
}

void fovea_video_extent_read(const fovea_video_reader *reader, fovea_video_extent *out) {
  const AVFormatContext *container = reader->container;
  const int64_t count = indexed(reader);
  struct stat status;
  *out = (fovea_video_extent){
      .packets = reader->packets,
      .announced = count > 0 ? count : fovea_video_declared_frames(reader),
      .end = reader->end,
      .is_indexed = count > 0 && !reader->is_whole_avi,
      .is_whole = reader->segment_end > 0 && fstat(reader->file.descriptor, &status) == 0 &&
                  status.st_size >= reader->segment_end};
  // FFmpeg's guess from the bit rate, the end or the size of the file does not count as declared.
  if (container->duration > 0 && container->duration_estimation_method == AVFMT_DURATION_FROM_STREAM &&
      !fovea_video_lacks_length(reader)) {
    out->announced_end = (double)container->duration / AV_TIME_BASE;
  }
}

// Reads an EBML number, whose leading zero bits encode its number of bytes. Returns 0 if it is missing;
// `*value` is -1 for an unknown size.
static size_t variable(const uint8_t *bytes, size_t count, bool keeps_mark, int64_t *value) {
  size_t length = 1;
  while (length <= 8 && count > 0 && !(bytes[0] & 0x80 >> (length - 1))) length++;
  if (length > 8 || length > count) return 0;
  uint64_t number = keeps_mark ? bytes[0] : bytes[0] & (0xff >> length), most = 0xff >> length;
  for (size_t index = 1; index < length; index++) {
    number = number << 8 | bytes[index];
    most = most << 8 | 0xff;
  }
  *value = !keeps_mark && number == most ? -1 : (int64_t)number;
  return length;
}

// Source: RFC 8794, section 6; RFC 9559, section 4.5.
int64_t fovea_video_segment_end(int descriptor) {
  uint8_t bytes[4096];
  const ssize_t got = pread(descriptor, bytes, sizeof bytes, 0);
  size_t offset = 0;
  while (got > 0 && offset < (size_t)got) {
    int64_t name = 0, size = 0;
    const size_t first = variable(bytes + offset, (size_t)got - offset, true, &name);
    const size_t second = first ? variable(bytes + offset + first, (size_t)got - offset - first, false, &size) : 0;
    if (!second || (!offset && name != 0x1a45dfa3) || size < 0) return 0;
    offset += first + second;
    if (name == 0x18538067) return size > INT64_MAX - (int64_t)offset ? 0 : (int64_t)offset + size;
    if (size > got) return 0;
    offset += (size_t)size;
  }
  return 0;
}
#else
void fovea_video_extent_read(const fovea_video_reader *reader, fovea_video_extent *out) {
  *out = (fovea_video_extent){0};
}
#endif
