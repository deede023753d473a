// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <dlfcn.h>

#include "CLoad.h"

fovea_video_status fovea_video_fail(fovea_video_text text, fovea_video_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text.bytes, text.capacity, format, arguments);
  va_end(arguments);
  return status;
}

#ifdef FOVEA_HAS_FFMPEG
fovea_format_functions fovea_avformat;
fovea_codec_functions fovea_avcodec;
fovea_util_functions fovea_avutil;
fovea_scale_functions fovea_swscale;

#define NAME(name) #name,

// Returns the installed major version of a library that differs from the wanted one; 0 for none.
static int other_version(const char *library, int wanted) {
  for (int major = 5; major < 80; major++) {
    if (major == wanted) continue;
    char name[64], reason[64];
    snprintf(name, sizeof name, FOVEA_LIBRARY("%s", "%d"), library, major);
    void *found = fovea_open(name, reason, sizeof reason);
    if (found) {
      dlclose(found);
      return major;
    }
  }
  return 0;
}

static fovea_video_status open_library(
    const char *library, int major, const char *const *symbols, void **fields, fovea_video_text text) {
  char name[64];
  snprintf(name, sizeof name, FOVEA_LIBRARY("%s", "%d"), library, major);
  const char *const names[] = {name, NULL};
  fovea_load_result result = fovea_load(names, symbols, fields, text.bytes, text.capacity);
  if (result == FOVEA_LOAD_OK) return FOVEA_VIDEO_OK;
  if (result == FOVEA_LOAD_NO_SYMBOL) return FOVEA_VIDEO_NO_SYMBOL;
  int other = other_version(library, major);
  if (other) {
    fovea_video_fail(
        text, FOVEA_VIDEO_NO_LIBRARY, "Fovea was built for lib%s.so.%d, and lib%s.so.%d is installed", library, major,
        library, other);
  }
  return FOVEA_VIDEO_NO_LIBRARY;
}

// Opened once; every call returns the outcome.
#define ONCE(what)                                                                              \
  static pthread_once_t what##_once = PTHREAD_ONCE_INIT;                                        \
  static fovea_video_status what##_status;                                                      \
  static char what##_text[256];                                                                 \
  static void what##_open(void);                                                                \
  fovea_video_status fovea_##what##_ready(fovea_video_text text) {                              \
    pthread_once(&what##_once, what##_open);                                                    \
    if (what##_status != FOVEA_VIDEO_OK) snprintf(text.bytes, text.capacity, "%s", what##_text); \
    return what##_status;                                                                       \
  }                                                                                             \
  static void what##_open(void)

// FFmpeg's messages on this thread since `fovea_log_begin`.
static _Thread_local bool is_collecting;
static _Thread_local bool hides_texts;
static _Thread_local bool is_unresolved;
static _Thread_local bool has_messages;
static _Thread_local char collected[256];
static _Thread_local int collected_level;
int fovea_log_mark;

static bool is_ours(void *object) {
  const AVClass *kind = object ? *(const AVClass **)object : NULL;
  return kind && kind->class_name && !strcmp(kind->class_name, "AVCodecContext") &&
         ((AVCodecContext *)object)->opaque == &fovea_log_mark;
}

// Returns whether a message contains a text of its arguments, such as an address.
static bool inserts_text(const char *format) {
  for (; (format = strchr(format, '%')); format++) {
    format += 1 + strspn(format + 1, "-+ #0123456789.*hljztL");
    if (*format == 's' || *format == 'c') return true;
    if (!*format) return false;
  }
  return false;
}

// Returns whether a message of FFmpeg's protocols is about a host name that has no address.
static bool is_about_host_name(const char *format) {
  return !strncmp(format, "Failed to resolve hostname ", 27) || !strncmp(format, "getaddrinfo(", 12);
}

// Returns whether a message is the reason why TLS failed, which its library words without the address.
static bool is_from_tls(void *object, const char *format) {
  const AVClass *kind = object ? *(const AVClass **)object : NULL;
  return kind && kind->item_name && !strcmp(format, "%s\n") && !strcmp(kind->item_name(object), "tls");
}

static void take_line(void *object, int level, const char *format, va_list arguments) {
  if (!is_collecting) {
    // The message is from another user of FFmpeg in this process, or from a thread of one of our decoders,
    // which log some messages without their context.
    if (object && !is_ours(object)) AVU.av_log_default_callback(object, level, format, arguments);
    return;
  }
  if (level > collected_level) return;
  bool is_tls = hides_texts && is_from_tls(object, format);
  if (hides_texts && inserts_text(format) && !is_tls) {
    is_unresolved |= is_about_host_name(format);
    has_messages = true;
    collected[0] = 0;
    collected_level = level;
    return;
  }
  int prefix = 0;
  char line[256];
  int start = is_tls ? snprintf(line, sizeof line, "TLS failed: ") : 0;
  AVU.av_log_format_line2(NULL, level, format, arguments, line + start, (int)sizeof line - start, &prefix);
  size_t length = strlen(line);
  while (length && (line[length - 1] == '\n' || line[length - 1] == ' ' || line[length - 1] == '.')) line[--length] = 0;
  if (!length) return;
  for (size_t index = 0; index < length; index++) {
    if ((unsigned char)line[index] < 0x20 || line[index] == 0x7f) line[index] = ' ';
  }
  has_messages = true;
  memcpy(collected, line, length + 1);
  collected_level = level;
}

void fovea_log_begin(bool has_address) {
  is_collecting = true;
  hides_texts = has_address;
  is_unresolved = has_messages = false;
  collected[0] = 0;
  collected_level = AV_LOG_WARNING;
}
void fovea_log_end(void) { is_collecting = false; }
bool fovea_log_has_messages(void) { return has_messages; }

fovea_video_status fovea_log_fail(fovea_video_text text, fovea_video_status status, int error) {
  char reason[128] = "";
  if (AVU.av_strerror(error, reason, sizeof reason) < 0) snprintf(reason, sizeof reason, "error %d", error);
  if (error == AVERROR(ENOMEM)) status = FOVEA_VIDEO_NO_MEMORY;
  // FFmpeg's number for this is that of any failed input.
  if (is_unresolved && error == AVERROR(EIO)) {
    return fovea_video_fail(text, status, "its host name cannot be resolved");
  }
  return fovea_video_fail(text, status, "%s", collected[0] ? collected : reason);
}

ONCE(video) {
  static const char *const format[] = {FORMAT_FUNCTIONS(NAME) NULL};
  static const char *const codec[] = {CODEC_FUNCTIONS(NAME) NULL};
  static const char *const util[] = {UTIL_FUNCTIONS(NAME) NULL};
  fovea_video_text text = {video_text, sizeof video_text};
  video_status = open_library("avutil", LIBAVUTIL_VERSION_MAJOR, util, (void **)&fovea_avutil, text);
  if (video_status) return;
  video_status = open_library("avcodec", LIBAVCODEC_VERSION_MAJOR, codec, (void **)&fovea_avcodec, text);
  if (video_status) return;
  video_status = open_library("avformat", LIBAVFORMAT_VERSION_MAJOR, format, (void **)&fovea_avformat, text);
  if (video_status) return;
  AVU.av_log_set_callback(take_line);
  AVF.avformat_network_init();
}

ONCE(scale) {
  static const char *const scale[] = {SCALE_FUNCTIONS(NAME) NULL};
  fovea_video_text text = {scale_text, sizeof scale_text};
  scale_status = open_library("swscale", LIBSWSCALE_VERSION_MAJOR, scale, (void **)&fovea_swscale, text);
}

#if __has_include(<libavdevice/avdevice.h>)
#include <libavdevice/avdevice.h>
ONCE(device) {
  static const char *const names[] = {"avdevice_register_all", NULL};
  __typeof__(&avdevice_register_all) functions[1];
  fovea_video_text text = {device_text, sizeof device_text};
  device_status = open_library("avdevice", LIBAVDEVICE_VERSION_MAJOR, names, (void **)functions, text);
  if (device_status == FOVEA_VIDEO_OK) functions[0]();
}
#else
fovea_video_status fovea_device_ready(fovea_video_text text) {
  return fovea_video_fail(text, FOVEA_VIDEO_NOT_BUILT, "libavdevice");
}
#endif

fovea_video_status fovea_video_version(fovea_video_text text) {
  fovea_video_status status = fovea_video_ready(text);
  if (status != FOVEA_VIDEO_OK) return status;
  unsigned number = AVF.avformat_version();
  return fovea_video_fail(
      text, FOVEA_VIDEO_OK, "%u.%u.%u (libavformat)", number >> 16, number >> 8 & 0xff, number & 0xff);
}
static bool is_ready(void) {
  char text[256];
  return fovea_video_ready((fovea_video_text){text, sizeof text}) == FOVEA_VIDEO_OK;
}
bool fovea_video_has_encoder(const char *name) { return is_ready() && AVC.avcodec_find_encoder_by_name(name); }
bool fovea_video_has_decoder(const char *name) { return is_ready() && AVC.avcodec_find_decoder_by_name(name); }
#else
fovea_video_status fovea_video_version(fovea_video_text text) {
  return fovea_video_fail(text, FOVEA_VIDEO_NOT_BUILT, "built without the trait Video, or without FFmpeg's headers");
}
bool fovea_video_has_encoder(const char *name) { return false; }
bool fovea_video_has_decoder(const char *name) { return false; }
#endif
