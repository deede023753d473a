// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "CVideo.h"

#pragma clang assume_nonnull begin
fovea_video_status fovea_video_fail(
    fovea_video_text text, fovea_video_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
#pragma clang assume_nonnull end

// FOVEA_VIDEO is the trait Video of Package.swift; without it FFmpeg's headers are not used.
#if defined(FOVEA_VIDEO) && __has_include(<libavformat/avformat.h>) && __has_include(<libavcodec/avcodec.h>) && \
    __has_include(<libswscale/swscale.h>)
#define FOVEA_HAS_FFMPEG 1
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#define FORMAT_FUNCTIONS(F)      \
  F(avformat_version)            \
  F(avformat_network_init)       \
  F(avformat_alloc_context)      \
  F(avformat_free_context)       \
  F(avformat_open_input)         \
  F(avformat_close_input)        \
  F(avformat_find_stream_info)   \
  F(av_find_best_stream)         \
  F(av_read_frame)               \
  F(av_find_input_format)        \
  F(avformat_query_codec)        \
  F(av_guess_sample_aspect_ratio) \
  F(av_guess_frame_rate)         \
  F(avio_alloc_context)          \
  F(avio_context_free)           \
  F(avio_flush)                  \
  F(avio_size)                   \
  F(avformat_alloc_output_context2) \
  F(avformat_new_stream)         \
  F(avformat_write_header)       \
  F(av_interleaved_write_frame)  \
  F(av_write_trailer)            \
  INDEX_FUNCTIONS(F)

// Since 5.0 the index of a track can be read.
#if LIBAVFORMAT_VERSION_MAJOR >= 59
#define FOVEA_HAS_INDEX 1
#define INDEX_FUNCTIONS(F) F(avformat_index_get_entries_count) F(avformat_index_get_entry)
#else
#define INDEX_FUNCTIONS(F)
#endif

#define CODEC_FUNCTIONS(F)            \
  F(avcodec_version)                  \
  F(avcodec_find_decoder)             \
  F(avcodec_find_decoder_by_name)     \
  F(avcodec_find_encoder_by_name)     \
  F(avcodec_get_name)                 \
  F(avcodec_get_hw_config)            \
  F(avcodec_alloc_context3)           \
  F(avcodec_free_context)             \
  F(avcodec_parameters_to_context)    \
  F(avcodec_parameters_from_context)  \
  F(avcodec_parameters_copy)          \
  F(avcodec_open2)                    \
  F(avcodec_send_packet)              \
  F(avcodec_receive_frame)            \
  F(avcodec_send_frame)               \
  F(avcodec_receive_packet)           \
  F(av_packet_alloc)                  \
  F(av_packet_free)                   \
  F(av_packet_unref)                  \
  F(av_packet_rescale_ts)

#define UTIL_FUNCTIONS(F)          \
  F(av_log_set_callback)           \
  F(av_log_default_callback)       \
  F(av_log_format_line2)           \
  F(av_strerror)                   \
  F(av_malloc)                     \
  F(av_freep)                      \
  F(av_dict_get)                   \
  F(av_dict_set)                   \
  F(av_dict_free)                  \
  F(av_opt_set)                    \
  F(av_frame_alloc)                \
  F(av_frame_free)                 \
  F(av_frame_unref)                \
  F(av_frame_get_buffer)           \
  F(av_frame_make_writable)        \
  F(av_frame_copy_props)           \
  F(av_get_pix_fmt_name)           \
  F(av_pix_fmt_desc_get)           \
  F(av_rescale_q)                  \
  F(av_buffer_ref)                 \
  F(av_buffer_unref)               \
  F(av_hwdevice_ctx_create)        \
  F(av_hwframe_transfer_data)      \
  F(av_image_copy_plane)

#define SCALE_FUNCTIONS(F)        \
  F(sws_getCachedContext)         \
  F(sws_setColorspaceDetails)     \
  F(sws_getCoefficients)          \
  F(sws_scale)                    \
  F(sws_freeContext)

#pragma clang assume_nonnull begin

// Tables of function pointers, with types from FFmpeg's own headers.
#define FOVEA_FIELD(name) __typeof__(&name) name;
typedef struct { FORMAT_FUNCTIONS(FOVEA_FIELD) } fovea_format_functions;
typedef struct { CODEC_FUNCTIONS(FOVEA_FIELD) } fovea_codec_functions;
typedef struct { UTIL_FUNCTIONS(FOVEA_FIELD) } fovea_util_functions;
typedef struct { SCALE_FUNCTIONS(FOVEA_FIELD) } fovea_scale_functions;
extern fovea_format_functions fovea_avformat;
extern fovea_codec_functions fovea_avcodec;
extern fovea_util_functions fovea_avutil;
extern fovea_scale_functions fovea_swscale;
#define AVF fovea_avformat
#define AVC fovea_avcodec
#define AVU fovea_avutil
#define SWS fovea_swscale

// Loads libavformat, libavcodec and libavutil at the first call.
fovea_video_status fovea_video_ready(fovea_video_text text);
// Loads libswscale at the first call.
fovea_video_status fovea_scale_ready(fovea_video_text text);
// Loads libavdevice, if installed, to register its inputs.
fovea_video_status fovea_device_ready(fovea_video_text text);

// Collects FFmpeg's messages on this thread until `fovea_log_end`. If FFmpeg knows an address, which may have a
// password, the messages with inserted texts are dropped, since each of them may contain a part of it.
void fovea_log_begin(bool has_address);
void fovea_log_end(void);
// Fails with the last error or warning since `fovea_log_begin`, else with FFmpeg's text for the error number.
fovea_video_status fovea_log_fail(fovea_video_text text, fovea_video_status status, int error);
// Returns whether there was an error or warning since `fovea_log_begin`, also one that was dropped.
bool fovea_log_has_messages(void);
// Marks a codec context as ours: messages of its threads are not printed.
extern int fovea_log_mark;

// Converts a frame of any pixel format to one of `fovea_pixels`; `*scaler` is kept between calls.
fovea_video_status fovea_frame_export(
    AVFrame *_Nullable *_Nonnull frame, struct SwsContext *_Nullable *_Nonnull scaler, fovea_video_frame *out,
    fovea_video_text text);
bool fovea_is_bt709(enum AVColorSpace space, int height);
int32_t fovea_display_orientation(const int32_t *matrix);

// Reads and writes through a descriptor that FFmpeg does not own.
typedef struct {
  int descriptor;
  bool can_seek;
  int error;  // errno of the last failure, 0 for none
  const fovea_video_interrupt *_Nullable interrupt;
} fovea_video_file;
AVIOContext *_Nullable fovea_video_file_open(fovea_video_file *file, bool writes);
// Allows a container to be read from this file, but from no other file that it names.
void fovea_video_use_file(AVFormatContext *container, AVIOContext *input, AVDictionary *_Nullable *_Nonnull options);
void fovea_video_file_close(AVIOContext *_Nullable *_Nonnull context);

#pragma clang assume_nonnull end
#elif defined(FOVEA_VIDEO) && defined(__linux__)
_Pragma("GCC error \"FFmpeg's headers are missing: run make setup, or build without the trait Video\"")
#endif

#pragma clang assume_nonnull begin
// Sets the timeout for calls that use the interrupt: microseconds from now, 0 for none.
void fovea_video_interrupt_begin(fovea_video_interrupt *interrupt, int64_t timeout);
bool fovea_video_interrupt_timed_out(const fovea_video_interrupt *interrupt);
int fovea_video_interrupt_check(void *_Nullable interrupt);
#pragma clang assume_nonnull end
