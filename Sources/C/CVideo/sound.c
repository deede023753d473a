// SPDX-License-Identifier: Apache-2.0
// Copies the sound of a file next to the pictures that are written: its packets as they are, none is decoded.
#include "writer.h"

#ifdef FOVEA_HAS_FFMPEG
#include <math.h>

static void add_note(fovea_video_text note, const char *codec, const char *container) {
  const size_t length = strlen(note.bytes);
  snprintf(
      note.bytes + length, note.capacity - length, "%sthe sound (%s) does not go into %s and is left out",
      length ? "; " : "", codec, container);
}

// Adds a track for each one of the source that the container can hold.
static int add_tracks(fovea_video_writer *writer, fovea_video_text note) {
  fovea_video_sound *sound = &writer->sound;
  for (unsigned index = 0; index < sound->container->nb_streams; index++) {
    AVStream *from = sound->container->streams[index];
    from->discard = AVDISCARD_ALL;
    if (from->codecpar->codec_type != AVMEDIA_TYPE_AUDIO) continue;
    const enum AVCodecID codec = from->codecpar->codec_id;
    if (sound->count == fovea_sound_limit ||
        AVF.avformat_query_codec(writer->container->oformat, codec, FF_COMPLIANCE_NORMAL) != 1) {
      add_note(note, AVC.avcodec_get_name(codec), writer->container->oformat->name);
      continue;
    }
    AVStream *to = AVF.avformat_new_stream(writer->container, NULL);
    if (!to) return AVERROR(ENOMEM);
    int error = AVC.avcodec_parameters_copy(to->codecpar, from->codecpar);
    if (error < 0) return error;
    // The name of the codec is another one in another container.
    to->codecpar->codec_tag = 0;
    to->time_base = from->time_base;
    from->discard = AVDISCARD_DEFAULT;
    sound->tracks[sound->count++] = (fovea_sound_track){(int)index, to, -1};
  }
  return 0;
}

void fovea_sound_open(fovea_video_writer *writer, int descriptor, double start, fovea_video_text note) {
  fovea_video_sound *sound = &writer->sound;
  AVDictionary *options = NULL;
  sound->start = start;
  sound->file = (fovea_video_file){.descriptor = descriptor};
  sound->container = AVF.avformat_alloc_context();
  sound->packet = AVC.av_packet_alloc();
  sound->input = fovea_video_file_open(&sound->file, false);
  int error = sound->container && sound->packet && sound->input ? 0 : AVERROR(ENOMEM);
  if (error >= 0) {
    fovea_video_use_file(sound->container, sound->input, &options);
    error = AVF.avformat_open_input(&sound->container, "", NULL, &options);
    AVU.av_dict_free(&options);
  }
  if (error >= 0) error = AVF.avformat_find_stream_info(sound->container, NULL);
  if (error >= 0) error = add_tracks(writer, note);
  if (error < 0 && !note.bytes[0]) snprintf(note.bytes, note.capacity, "the sound cannot be read and is left out");
}

void fovea_sound_close(fovea_video_writer *writer) {
  fovea_video_sound *sound = &writer->sound;
  if (sound->packet) AVC.av_packet_free(&sound->packet);
  if (sound->container) AVF.avformat_close_input(&sound->container);
  fovea_video_file_close(&sound->input);
  sound->count = 0;
}

static fovea_sound_track *track_of(fovea_video_sound *sound) {
  for (int index = 0; index < sound->count; index++) {
    if (sound->tracks[index].from == sound->packet->stream_index) return &sound->tracks[index];
  }
  return NULL;
}

// Writes the packet; false where the container does not take it.
static bool write_packet(fovea_video_writer *writer, fovea_sound_track *track) {
  fovea_video_sound *sound = &writer->sound;
  AVPacket *packet = sound->packet;
  const AVRational from = sound->container->streams[track->from]->time_base;
  const int64_t start = llround(sound->start / av_q2d(from));
  if (packet->dts == AV_NOPTS_VALUE) packet->dts = packet->pts;
  if (packet->pts == AV_NOPTS_VALUE) packet->pts = packet->dts;
  packet->pts -= start;
  packet->dts -= start;
  AVC.av_packet_rescale_ts(packet, from, track->to->time_base);
  // Times that do not rise are an error to a container.
  if (packet->dts <= track->last) packet->dts = track->last + 1;
  if (packet->pts < packet->dts) packet->pts = packet->dts;
  track->last = packet->dts;
  packet->stream_index = track->to->index;
  packet->pos = -1;
  return AVF.av_interleaved_write_frame(writer->container, packet) >= 0;
}

void fovea_sound_copy(fovea_video_writer *writer, double until) {
  fovea_video_sound *sound = &writer->sound;
  while (sound->count && !sound->has_ended) {
    if (!sound->has_packet && AVF.av_read_frame(sound->container, sound->packet) < 0) {
      sound->has_ended = true;
      return;
    }
    sound->has_packet = false;
    fovea_sound_track *track = track_of(sound);
    const int64_t stamp = sound->packet->pts != AV_NOPTS_VALUE ? sound->packet->pts : sound->packet->dts;
    if (track && stamp != AV_NOPTS_VALUE) {
      const double time = (double)stamp * av_q2d(sound->container->streams[track->from]->time_base) - sound->start;
      if (time > until) {
        sound->has_packet = true;
        return;
      }
      // What is heard before the first picture would move all pictures; a millisecond is rounding.
      if (time > -0.001 && !write_packet(writer, track)) sound->has_ended = true;
    }
    AVC.av_packet_unref(sound->packet);
  }
}
#endif
