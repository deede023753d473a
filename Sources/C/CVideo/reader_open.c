// SPDX-License-Identifier: Apache-2.0
#include "reader.h"

#ifdef FOVEA_HAS_FFMPEG
#include <stdlib.h>
#include <unistd.h>

// The allowed formats of local files, without playlists and scripts, which name other files.
static const char local_formats[] =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,gif,apng,asf,ogg,h264,hevc,vvc,av1,obu,ivf,m4v,"
    "mjpeg,mpjpeg,mxf,nut,rm,dv,yuv4mpegpipe,h263,h261,vc1,dirac,wtv,swf,jpeg_pipe,png_pipe,webp_pipe,bmp_pipe,"
    "tiff_pipe,image2,image2pipe,"
    "wav,mp3,flac,aac,ac3,eac3,aiff,caf,amr,au,w64,ape,wv";
// The allowed protocols of URLs, which never access local files.
static const char network_protocols[] =
    "http,https,httpproxy,tls,tcp,udp,rtp,srtp,rtsp,rtsps,rtmp,rtmps,rtmpt,rtmpts,rtmpe,rtmpte,srt,crypto";

static int refuse_other_files(
    struct AVFormatContext *context, AVIOContext **pb, const char *url, int flags, AVDictionary **options) {
  return AVERROR(EACCES);
}

void fovea_video_use_file(AVFormatContext *container, AVIOContext *input, AVDictionary **options) {
  container->pb = input;
  container->io_open = refuse_other_files;
  AVU.av_dict_set(options, "protocol_whitelist", "none", 0);
  AVU.av_dict_set(options, "format_whitelist", local_formats, 0);
}

static enum AVPixelFormat choose_format(AVCodecContext *codec, const enum AVPixelFormat *formats) {
  for (const enum AVPixelFormat *format = formats; *format != AV_PIX_FMT_NONE; format++) {
    if (*format == AV_PIX_FMT_VAAPI && codec->hw_device_ctx) return *format;
  }
  for (const enum AVPixelFormat *format = formats; *format != AV_PIX_FMT_NONE; format++) {
    const AVPixFmtDescriptor *kind = AVU.av_pix_fmt_desc_get(*format);
    if (kind && !(kind->flags & AV_PIX_FMT_FLAG_HWACCEL)) return *format;
  }
  return AV_PIX_FMT_NONE;
}

static bool decodes_in_hardware(const AVCodec *decoder) {
  for (int index = 0;; index++) {
    const AVCodecHWConfig *config = AVC.avcodec_get_hw_config(decoder, index);
    if (!config) return false;
    if (config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX && config->device_type == AV_HWDEVICE_TYPE_VAAPI) {
      return true;
    }
  }
}

// Sets the codec up for VA-API; on failure the note has the reason.
static bool use_hardware(AVCodecContext *codec, const AVCodec *decoder, fovea_video_text note) {
  if (!decodes_in_hardware(decoder)) {
    fovea_video_fail(note, FOVEA_VIDEO_OK, "FFmpeg's decoder '%s' has no VA-API", decoder->name);
    return false;
  }
  bool is_there = false;
  for (int number = 128; number < 144 && !is_there; number++) {
    char path[32];
    snprintf(path, sizeof path, "/dev/dri/renderD%d", number);
    if (access(path, F_OK) != 0) continue;
    is_there = true;
    if (access(path, R_OK | W_OK) != 0) {
      fovea_video_fail(note, FOVEA_VIDEO_OK, "%s may not be used: join the group 'render'", path);
      return false;
    }
    int error = AVU.av_hwdevice_ctx_create(&codec->hw_device_ctx, AV_HWDEVICE_TYPE_VAAPI, path, NULL, 0);
    if (error < 0) {
      fovea_log_fail(note, FOVEA_VIDEO_OK, error);
      return false;
    }
  }
  if (!is_there) fovea_video_fail(note, FOVEA_VIDEO_OK, "this machine has no /dev/dri/renderD128");
  return is_there;
}

static const int32_t *display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  for (int index = 0; index < stream->codecpar->nb_coded_side_data; index++) {
    const AVPacketSideData *data = &stream->codecpar->coded_side_data[index];
    if (data->type == AV_PKT_DATA_DISPLAYMATRIX && data->size >= 36) return (const int32_t *)data->data;
  }
#else
  for (int index = 0; index < stream->nb_side_data; index++) {
    const AVPacketSideData *data = &stream->side_data[index];
    if (data->type == AV_PKT_DATA_DISPLAYMATRIX && data->size >= 36) return (const int32_t *)data->data;
  }
#endif
  return NULL;
}

static fovea_video_status open_failure(fovea_video_reader *reader, int error, fovea_video_text text) {
  if (fovea_video_interrupt_is_cancelled(reader->interrupt)) return FOVEA_VIDEO_CANCELLED;
  if (fovea_video_interrupt_timed_out(reader->interrupt)) return FOVEA_VIDEO_TIMED_OUT;
  if (reader->file.error) {
    return fovea_video_fail(text, FOVEA_VIDEO_FAILED, "%s", strerror(reader->file.error));
  }
  if (error == AVERROR_INVALIDDATA || error == AVERROR(EINVAL) || error == AVERROR_EOF) {
    return fovea_log_fail(text, FOVEA_VIDEO_UNKNOWN_FORMAT, error);
  }
  return fovea_log_fail(text, reader->is_network ? FOVEA_VIDEO_UNREACHABLE : FOVEA_VIDEO_FAILED, error);
}

static void set_number(AVDictionary **options, const char *name, const char *format, double first, int second) {
  char value[64];
  snprintf(value, sizeof value, format, first, second);
  AVU.av_dict_set(options, name, value, 0);
}

static fovea_video_status open_container(
    fovea_video_reader *reader, const fovea_video_source *source, fovea_video_text text) {
  AVDictionary *options = NULL;
  const void *format = NULL;
  reader->container = AVF.avformat_alloc_context();
  if (!reader->container) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory to open the video");
  reader->container->interrupt_callback.callback = fovea_video_interrupt_check;
  reader->container->interrupt_callback.opaque = source->interrupt;
  if (source->is_camera) {
    fovea_video_status status = fovea_device_ready(text);
    if (status != FOVEA_VIDEO_OK) return status;
    format = AVF.av_find_input_format("video4linux2");
    if (!format) return fovea_video_fail(text, FOVEA_VIDEO_NO_DECODER, "the installed FFmpeg has no Video4Linux input");
    if (source->camera_width > 0 && source->camera_height > 0) {
      set_number(&options, "video_size", "%.0fx%d", source->camera_width, source->camera_height);
    }
    if (source->camera_rate > 0) set_number(&options, "framerate", "%.6g", source->camera_rate, 0);
  } else if (source->descriptor >= 0) {
    reader->file = (fovea_video_file){.descriptor = source->descriptor, .interrupt = source->interrupt};
    reader->input = fovea_video_file_open(&reader->file, false);
    if (!reader->input) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory to open the video");
    fovea_video_use_file(reader->container, reader->input, &options);
    if (reader->file.can_seek) {
      reader->segment_end = fovea_video_segment_end(source->descriptor);
      reader->is_whole_avi = fovea_video_avi_is_whole(source->descriptor);
    }
  } else {
    reader->is_network = true;
    // Live streams: two seconds must be enough to identify the format.
    reader->container->max_analyze_duration = 2 * AV_TIME_BASE;
    AVU.av_dict_set(&options, "protocol_whitelist", network_protocols, 0);
    AVU.av_dict_set(&options, "rtsp_transport", "tcp", 0);
    AVU.av_dict_set(&options, "user_agent", "fovea", 0);
  }
  // FFmpeg frees the context if this fails.
  int error = AVF.avformat_open_input(
      &reader->container, source->address ? source->address : "", (__typeof__(AVF.av_find_input_format("")))format,
      &options);
  AVU.av_dict_free(&options);
  if (error < 0) return open_failure(reader, error, text);
  error = AVF.avformat_find_stream_info(reader->container, NULL);
  if (error < 0 || fovea_video_interrupt_check(source->interrupt)) return open_failure(reader, error, text);
  return FOVEA_VIDEO_OK;
}

static fovea_video_status find_stream(fovea_video_reader *reader, fovea_video_text text) {
  AVFormatContext *container = reader->container;
  if (!container->nb_streams) {
    return fovea_video_fail(text, FOVEA_VIDEO_DAMAGED, "it names no track, as when it was cut off");
  }
  reader->stream = AVF.av_find_best_stream(container, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  const bool is_cover =
      reader->stream >= 0 && container->streams[reader->stream]->disposition & AV_DISPOSITION_ATTACHED_PIC;
  if (reader->stream < 0 || is_cover) {
    unsigned sounds = 0, unknown = 0;
    for (unsigned index = 0; index < container->nb_streams; index++) {
      const enum AVMediaType kind = container->streams[index]->codecpar->codec_type;
      if (kind == AVMEDIA_TYPE_AUDIO) sounds++;
      if (kind == AVMEDIA_TYPE_UNKNOWN || kind == AVMEDIA_TYPE_DATA) unknown++;
    }
    if (unknown == container->nb_streams) {
      return fovea_video_fail(text, FOVEA_VIDEO_DAMAGED, "none of its tracks can be read, as when it was cut off");
    }
    return fovea_video_fail(
        text, FOVEA_VIDEO_NO_VIDEO, "%s",
        sounds ? (is_cover ? "only sound and a cover image" : "only sound")
               : (is_cover ? "only a cover image" : "and no sound"));
  }
  const bool is_counted = fovea_video_declared_frames(reader) > 0;
  for (unsigned index = 0; index < container->nb_streams; index++) {
    // Without a frame count, the duration is that of the longest track, so the end of the sound shows whether
    // the file is complete.
    const bool tells_the_end = !is_counted && reader->file.can_seek &&
                               container->streams[index]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if ((int)index != reader->stream && !tells_the_end) container->streams[index]->discard = AVDISCARD_ALL;
  }
  reader->time_base = container->streams[reader->stream]->time_base;
  return FOVEA_VIDEO_OK;
}

static fovea_video_status open_decoder(
    fovea_video_reader *reader, const fovea_video_source *source, fovea_video_info *info, fovea_video_text note,
    fovea_video_text text) {
  AVStream *stream = reader->container->streams[reader->stream];
  const AVCodec *decoder = AVC.avcodec_find_decoder(stream->codecpar->codec_id);
  if (stream->codecpar->codec_id == AV_CODEC_ID_NONE) {
    return fovea_video_fail(text, FOVEA_VIDEO_DAMAGED, "its video track names no codec, as when it was cut off");
  }
  if (!decoder) {
    return fovea_video_fail(
        text, FOVEA_VIDEO_NO_DECODER, "%s", AVC.avcodec_get_name(stream->codecpar->codec_id));
  }
  AVCodecContext *codec = reader->codec = AVC.avcodec_alloc_context3(decoder);
  reader->packet = AVC.av_packet_alloc();
  reader->frame = AVU.av_frame_alloc();
  if (!codec || !reader->packet || !reader->frame) {
    return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory for the decoder");
  }
  codec->opaque = &fovea_log_mark;
  int error = AVC.avcodec_parameters_to_context(codec, stream->codecpar);
  codec->thread_count = source->threads;
  codec->max_pixels = source->max_pixels;
  codec->pkt_timebase = stream->time_base;
  codec->get_format = choose_format;
  if (source->hardware != FOVEA_HARDWARE_OFF) info->uses_hardware = use_hardware(codec, decoder, note);
  if (source->hardware == FOVEA_HARDWARE_REQUIRED && !info->uses_hardware) return FOVEA_VIDEO_NO_HARDWARE;
  if ((int64_t)codec->width * codec->height > source->max_pixels) {
    return fovea_video_fail(text, FOVEA_VIDEO_TOO_LARGE, "%d × %d", codec->width, codec->height);
  }
  if (error >= 0) error = AVC.avcodec_open2(codec, decoder, NULL);
  return error >= 0 ? FOVEA_VIDEO_OK : fovea_log_fail(text, FOVEA_VIDEO_DAMAGED, error);
}

static void describe(fovea_video_reader *reader, fovea_video_info *info) {
  AVStream *stream = reader->container->streams[reader->stream];
  const int32_t *matrix = display_matrix(stream);
  const char *pixels = AVU.av_get_pix_fmt_name(reader->codec->pix_fmt);
  info->width = reader->codec->width;
  info->height = reader->codec->height;
  info->orientation = matrix ? fovea_display_orientation(matrix) : 1;
  info->frame_rate = fovea_video_frame_rate(reader);
  if (fovea_video_lacks_length(reader)) {
    info->seconds = 0;
  } else if (stream->duration > 0) {
    info->seconds = (double)stream->duration * av_q2d(stream->time_base);
  } else if (reader->container->duration > 0) {
    info->seconds = (double)reader->container->duration / AV_TIME_BASE;
  }
  info->frame_count = fovea_video_shown_frames(reader);
  const AVRational aspect = AVF.av_guess_sample_aspect_ratio(reader->container, stream, NULL);
  const bool has_aspect = aspect.num > 0 && aspect.den > 0;
  info->aspect_width = has_aspect ? aspect.num : 1;
  info->aspect_height = has_aspect ? aspect.den : 1;
  for (unsigned index = 0; index < reader->container->nb_streams; index++) {
    const bool is_sound = reader->container->streams[index]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (is_sound) info->sounds++;
    info->has_more |= !is_sound && reader->container->streams[index] != stream;
  }
  info->has_more |= reader->container->nb_chapters > 0;
  info->is_finite = reader->input || (info->seconds > 0 && reader->is_network);
  if (!info->is_finite && reader->container->pb) info->is_finite = AVF.avio_size(reader->container->pb) > 0;
  info->container = reader->container->iformat->name;
  info->codec = AVC.avcodec_get_name(stream->codecpar->codec_id);
  info->pixel_format = pixels ? pixels : "unknown";
}

fovea_video_status fovea_video_open(
    const fovea_video_source *source, fovea_video_reader **out, fovea_video_info *info, fovea_video_text note,
    fovea_video_text text) {
  text.bytes[0] = note.bytes[0] = 0;
  *info = (fovea_video_info){.orientation = 1};
  *out = NULL;
  fovea_video_status status = fovea_video_ready(text);
  if (status != FOVEA_VIDEO_OK) return status;
  fovea_video_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return fovea_video_fail(text, FOVEA_VIDEO_NO_MEMORY, "no memory to open the video");
  reader->interrupt = source->interrupt;
  reader->read_timeout = source->read_timeout;
  fovea_video_interrupt_begin(source->interrupt, source->open_timeout);
  reader->has_address = source->descriptor < 0;
  fovea_log_begin(reader->has_address);
  status = open_container(reader, source, text);
  if (status == FOVEA_VIDEO_OK) status = find_stream(reader, text);
  if (status == FOVEA_VIDEO_OK) status = open_decoder(reader, source, info, note, text);
  if (status == FOVEA_VIDEO_OK) {
    describe(reader, info);
    *out = reader;
  } else {
    fovea_video_close(reader);
  }
  fovea_log_end();
  return status;
}
#else
fovea_video_status fovea_video_open(
    const fovea_video_source *source, fovea_video_reader **out, fovea_video_info *info, fovea_video_text note,
    fovea_video_text text) {
  return fovea_video_fail(text, FOVEA_VIDEO_NOT_BUILT, "FFmpeg");
}
#endif
