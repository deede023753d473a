// SPDX-License-Identifier: Apache-2.0
// Copies the sound and the subtitles of a file to the written video, packet by packet without decoding.
#include "writer.h"

#ifdef FOVEA_HAS_FFMPEG
#include <math.h>
#include <unistd.h>

void fovea_sound_note(fovea_video_text note, const char *format, ...) {
  char sentence[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  if (strstr(note.bytes, sentence)) return;
  const size_t length = strlen(note.bytes);
  snprintf(note.bytes + length, note.capacity - length, "%s%s", length ? "; " : "", sentence);
}

// Appends an item to the list of tracks left out.
static void add_item(char *list, size_t capacity, const char *item) {
  const size_t length = strlen(list);
  snprintf(list + length, capacity - length, "%s%s", length ? ", no " : "", item);
}

// Notes the tracks that are never copied: all but sound, subtitles and one video track.
static void note_others(const AVFormatContext *source, fovea_video_text note) {
  int videos = 0;
  bool has_cover = false, has_data = false, has_attachment = false;
  for (unsigned index = 0; index < source->nb_streams; index++) {
    const AVStream *stream = source->streams[index];
    switch (stream->codecpar->codec_type) {
      case AVMEDIA_TYPE_VIDEO:
        if (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) {
          has_cover = true;
        } else {
          videos++;
        }
        break;
      case AVMEDIA_TYPE_AUDIO:
      case AVMEDIA_TYPE_SUBTITLE: break;
      case AVMEDIA_TYPE_ATTACHMENT: has_attachment = true; break;
      // The track with the names of chapters does not count separately.
      default: has_data |= !source->nb_chapters || stream->codecpar->codec_id != AV_CODEC_ID_BIN_DATA; break;
    }
  }
  char list[96] = "";
  if (videos > 1) add_item(list, sizeof list, "second video track");
  if (source->nb_chapters) add_item(list, sizeof list, "chapters");
  if (has_cover) add_item(list, sizeof list, "cover image");
  if (has_attachment) add_item(list, sizeof list, "attachments");
  if (has_data) add_item(list, sizeof list, "data tracks");
  if (list[0]) fovea_sound_note(note, "the copy has no %s", list);
}

// Adds each sound and subtitle track that the container supports.
static int add_tracks(fovea_video_writer *writer, fovea_tracks tracks, fovea_video_text note) {
  fovea_video_sound *sound = &writer->sound;
  for (unsigned index = 0; index < sound->container->nb_streams; index++) {
    AVStream *from = sound->container->streams[index];
    from->discard = AVDISCARD_ALL;
    const bool is_sound = from->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    const bool is_subtitle = from->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE;
    if (!is_sound && !(is_subtitle && tracks == FOVEA_TRACKS_ALL)) continue;
    const enum AVCodecID codec = from->codecpar->codec_id;
    if (AVF.avformat_query_codec(writer->container->oformat, codec, FF_COMPLIANCE_NORMAL) != 1) {
      fovea_sound_note(
          note, is_sound ? "the sound (%s) does not go into %s and is left out"
                         : "the subtitles (%s) do not go into %s and are left out",
          AVC.avcodec_get_name(codec), writer->container->oformat->name);
      continue;
    }
    if (sound->count == fovea_sound_limit) {
      fovea_sound_note(note, "only %d tracks of sound and subtitles are copied", fovea_sound_limit);
      continue;
    }
    AVStream *to = AVF.avformat_new_stream(writer->container, NULL);
    if (!to) return AVERROR(ENOMEM);
    int error = AVC.avcodec_parameters_copy(to->codecpar, from->codecpar);
    if (error < 0) return error;
    // Containers have different tags for a codec.
    to->codecpar->codec_tag = 0;
    to->time_base = from->time_base;
    // The language distinguishes several tracks.
    const AVDictionaryEntry *language = AVU.av_dict_get(from->metadata, "language", NULL, 0);
    if (language) AVU.av_dict_set(&to->metadata, "language", language->value, 0);
    to->disposition = from->disposition;
    from->discard = AVDISCARD_DEFAULT;
    sound->has_sound |= is_sound;
    sound->has_subtitles |= is_subtitle;
    sound->tracks[sound->count++] = (fovea_sound_track){.from = (int)index, .to = to, .last = -1};
  }
  note_others(sound->container, note);
  return 0;
}

void fovea_sound_open(
    fovea_video_writer *writer, int descriptor, double start, fovea_tracks tracks, fovea_video_text note) {
  fovea_video_sound *sound = &writer->sound;
  AVDictionary *options = NULL;
  sound->start = start;
  sound->file = (fovea_video_file){.descriptor = descriptor};
  sound->container = AVF.avformat_alloc_context();
  sound->packet = AVC.av_packet_alloc();
  // An earlier attempt has moved the position.
  lseek(descriptor, 0, SEEK_SET);
  sound->input = fovea_video_file_open(&sound->file, false);
  int error = sound->container && sound->packet && sound->input ? 0 : AVERROR(ENOMEM);
  if (error >= 0) {
    fovea_video_use_file(sound->container, sound->input, &options);
    error = AVF.avformat_open_input(&sound->container, "", NULL, &options);
    AVU.av_dict_free(&options);
  }
  if (error >= 0) error = AVF.avformat_find_stream_info(sound->container, NULL);
  if (error >= 0) error = add_tracks(writer, tracks, note);
  if (error < 0) fovea_sound_note(note, "the sound cannot be read and is left out");
}

void fovea_sound_close(fovea_video_writer *writer) {
  fovea_video_sound *sound = &writer->sound;
  if (sound->packet) AVC.av_packet_free(&sound->packet);
  if (sound->container) AVF.avformat_close_input(&sound->container);
  fovea_video_file_close(&sound->input);
  sound->count = 0;
}

// Returns the track of the packet; NULL if it is not, or no longer, copied.
static fovea_sound_track *track_of(fovea_video_sound *sound) {
  for (int index = 0; index < sound->count; index++) {
    fovea_sound_track *track = &sound->tracks[index];
    if (track->from == sound->packet->stream_index) return track->is_refused ? NULL : track;
  }
  return NULL;
}

// Writes the packet; returns false if the container refuses it.
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
  // Containers refuse times that do not increase.
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
      // Sound before the first frame would shift all frames; up to 1 ms is a rounding error.
      if (time > -0.001 && !write_packet(writer, track)) {
        track->is_refused = true;
        // If the file cannot be written, other tracks cannot be written either.
        sound->has_ended = writer->file.error != 0;
      }
    }
    AVC.av_packet_unref(sound->packet);
  }
}
#endif
