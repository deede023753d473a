// SPDX-License-Identifier: Apache-2.0
// Reads and writes video with FFmpeg's libraries, which are loaded on first use and not linked.
//
// A reader or writer may be used by one thread at a time; different ones may be used in parallel. Nothing is
// printed: FFmpeg's messages during a call go into the text of its failure.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef enum {
  FOVEA_VIDEO_OK = 0,
  FOVEA_VIDEO_END = 1,             // no more frames
  FOVEA_VIDEO_NO_LIBRARY = 2,      // text: the loader's reason
  FOVEA_VIDEO_NO_SYMBOL = 3,       // text: the library and the function that it lacks
  FOVEA_VIDEO_NOT_BUILT = 4,       // built without the trait Video, or without FFmpeg's headers
  FOVEA_VIDEO_UNKNOWN_FORMAT = 5,  // not a container that Fovea reads; text: FFmpeg's reason, as for all below
  FOVEA_VIDEO_NO_VIDEO = 6,        // a container without a video track; text: its tracks
  FOVEA_VIDEO_NO_DECODER = 7,      // text: the codec
  FOVEA_VIDEO_NO_ENCODER = 8,      // text: the requested encoders
  FOVEA_VIDEO_NO_HARDWARE = 9,
  FOVEA_VIDEO_DAMAGED = 10,
  FOVEA_VIDEO_TOO_LARGE = 11,
  FOVEA_VIDEO_TIMED_OUT = 12,
  FOVEA_VIDEO_CANCELLED = 13,
  FOVEA_VIDEO_UNREACHABLE = 14,    // a URL that cannot be opened, or a connection that ended
  FOVEA_VIDEO_FAILED = 15,         // reading or writing failed
  FOVEA_VIDEO_NO_MEMORY = 16,
  FOVEA_VIDEO_PIXELS = 17          // a pixel format that cannot be converted
} fovea_video_status;

typedef enum {
  FOVEA_PIXELS_I420 = 0,
  FOVEA_PIXELS_NV12 = 1,
  FOVEA_PIXELS_GREY = 2,
  FOVEA_PIXELS_RGB = 3,
  FOVEA_PIXELS_BGRA = 4,
  FOVEA_PIXELS_RGBA = 5
} fovea_pixels;

// A buffer of `capacity` bytes for a NUL-terminated error text, which may be empty.
typedef struct {
  char *bytes;
  size_t capacity;
} fovea_video_text;

// Cancels waiting calls. It must outlive the readers that use it; `cancel` may be called from any thread.
typedef struct fovea_video_interrupt fovea_video_interrupt;
fovea_video_interrupt *_Nullable fovea_video_interrupt_make(void);
void fovea_video_interrupt_free(fovea_video_interrupt *interrupt);
void fovea_video_interrupt_cancel(fovea_video_interrupt *interrupt);
bool fovea_video_interrupt_is_cancelled(const fovea_video_interrupt *interrupt);
// Waits; returns false if it was cancelled.
bool fovea_video_interrupt_wait(const fovea_video_interrupt *interrupt, int64_t microseconds);

// Writes the version of the installed library, "59.27.100 (libavformat)", or the reason why there is none.
fovea_video_status fovea_video_version(fovea_video_text text);
// Returns whether the installed FFmpeg has an encoder or a decoder of this name.
bool fovea_video_has_encoder(const char *name);
bool fovea_video_has_decoder(const char *name);

typedef enum { FOVEA_HARDWARE_OFF = 0, FOVEA_HARDWARE_AUTOMATIC = 1, FOVEA_HARDWARE_REQUIRED = 2 } fovea_hardware;

typedef struct {
  int32_t descriptor;                // an open file, pipe or standard input, which the reader does not close; or -1
  const char *_Nullable address;     // if `descriptor` is -1: a URL or a device
  bool is_camera;                    // `address` is a V4L2 device
  int32_t camera_width, camera_height; // 0: the camera's setting
  double camera_rate; // 0: the camera's setting
  int32_t threads;                   // 0: FFmpeg decides
  fovea_hardware hardware;
  int64_t max_pixels;
  int64_t open_timeout, read_timeout;  // microseconds; 0: none
  fovea_video_interrupt *interrupt;
} fovea_video_source;

typedef struct {
  int32_t width, height;           // as stored
  int32_t orientation;             // EXIF's 1 to 8
  double frame_rate;               // average, 0 if not known
  double seconds;                  // duration, 0 if not known
  int64_t frame_count;             // as declared, excluding those that an edit list skips; 0 if not declared
  int32_t aspect_width, aspect_height;  // of one pixel; 1 and 1 if not declared
  int32_t sounds;                  // tracks of sound
  bool has_more;                   // has subtitles, chapters, data or cover images
  bool is_finite;                  // has a known end: a file, also from a server
  bool uses_hardware;
  const char *_Nullable container;  // FFmpeg's names, which stay valid
  const char *_Nullable codec;
  const char *_Nullable pixel_format;
} fovea_video_info;

// A frame as decoded. `release(owner)` may be called from any thread.
typedef struct {
  void *_Nullable owner;
  void (*_Nullable release)(void *_Nullable owner);
  const uint8_t *_Nullable planes[3];
  int32_t strides[3];
  int32_t width, height;
  fovea_pixels pixels;
  bool is_bt709, is_full_range;
  bool is_damaged;                 // decoded, with parts concealed from other frames
  bool has_time;
  double time;                     // seconds, in the source's own time
} fovea_video_frame;

typedef struct fovea_video_reader fovea_video_reader;

// Opens a source. `note` is set to the reason if requested hardware is not used; otherwise it stays empty.
fovea_video_status fovea_video_open(
    const fovea_video_source *source, fovea_video_reader *_Nullable *_Nonnull out, fovea_video_info *info,
    fovea_video_text note, fovea_video_text text);
// Returns the next frame. `*skipped` is increased by the frames before it that could not be decoded. After
// END the text is the reason if the source ended early.
fovea_video_status fovea_video_next(
    fovea_video_reader *reader, fovea_video_frame *out, int64_t *skipped, fovea_video_text text);
void fovea_video_close(fovea_video_reader *reader);

// The amount of a video that was read, and the amount that its container declares; valid after END.
typedef struct {
  int64_t packets, announced;      // of the track; `announced` is 0 if not declared
  double end, announced_end;       // in seconds, of all tracks that are read; 0 if not known
  bool is_indexed;                 // `announced` is the number of entries of an MP4's index of all packets
  bool is_whole;                   // the file is as long as its container declares
} fovea_video_extent;
void fovea_video_extent_read(const fovea_video_reader *reader, fovea_video_extent *out);

typedef struct {
  int32_t descriptor;              // a file open for reading and writing, which the writer does not close
  const char *container;           // FFmpeg's name: "mp4"
  const char *const _Nullable *_Nonnull encoders;  // FFmpeg's names, the best first, NULL at the end
  int32_t width, height;           // even for all but Motion JPEG
  double frame_rate;               // a hint for the container; the time base of AVI
  int32_t quality;                 // 1 to 100
  const char *preset;              // x264's preset
  int32_t threads;                 // 0: the encoder decides
  bool is_fragmented;
  bool is_bt709, is_full_range;
  int32_t aspect_width, aspect_height;  // of one pixel
  int32_t sound_descriptor;        // a file whose sound and subtitles are copied, which the writer does not close; or -1
  double sound_start;              // the time in that file, in seconds, of the video's start
} fovea_video_target;

typedef struct {
  const uint8_t *_Nullable planes[3];
  int32_t strides[3];
  int32_t width, height;
  fovea_pixels pixels;
  bool is_bt709, is_full_range;
  double time;                     // seconds
} fovea_video_image;

typedef struct fovea_video_writer fovea_video_writer;

// Creates a video. `note` is set to the sound and subtitles that cannot be copied, with the reason, and other
// data left out.
fovea_video_status fovea_video_create(
    const fovea_video_target *target, fovea_video_writer *_Nullable *_Nonnull out, const char *_Nullable *_Nonnull encoder,
    fovea_video_text note, fovea_video_text text);
fovea_video_status fovea_video_write(
    fovea_video_writer *writer, const fovea_video_image *image, fovea_video_text text);
// Writes the encoder's remaining frames, the sound up to the end of the last frame or all of it, and the end
// of the container.
fovea_video_status fovea_video_finish(fovea_video_writer *writer, bool has_all_sound, fovea_video_text text);
void fovea_video_discard(fovea_video_writer *writer);

#pragma clang assume_nonnull end
