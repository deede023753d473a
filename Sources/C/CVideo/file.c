// SPDX-License-Identifier: Apache-2.0
// Reads and writes through a descriptor: FFmpeg gets no file name, which it could take for a URL or pattern.
#include "library.h"

#ifdef FOVEA_HAS_FFMPEG
#include <errno.h>
#include <fcntl.h>
#include <sys/poll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { buffer_size = 64 << 10 };

static int read_bytes(void *opaque, uint8_t *bytes, int count) {
  fovea_video_file *file = opaque;
  for (;;) {
    if (!file->can_seek && file->interrupt) {
      // A pipe may stay empty for long, and read() cannot be cancelled.
      struct pollfd waiting = {.fd = file->descriptor, .events = POLLIN};
      int ready = poll(&waiting, 1, 50);
      if (fovea_video_interrupt_check((void *)file->interrupt)) return AVERROR_EXIT;
      if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    }
    ssize_t got = read(file->descriptor, bytes, (size_t)count);
    if (got > 0) return (int)got;
    if (got == 0) return AVERROR_EOF;
    if (errno == EINTR || errno == EAGAIN) continue;
    file->error = errno;
    return AVERROR(errno);
  }
}

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_bytes(void *opaque, const uint8_t *bytes, int count) {
#else
static int write_bytes(void *opaque, uint8_t *bytes, int count) {
#endif
  fovea_video_file *file = opaque;
  int done = 0;
  while (done < count) {
    ssize_t put = write(file->descriptor, bytes + done, (size_t)(count - done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      file->error = put < 0 ? errno : EIO;
      return AVERROR(file->error);
    }
    done += (int)put;
  }
  return count;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
  fovea_video_file *file = opaque;
  if (whence & AVSEEK_SIZE) {
    struct stat status;
    return fstat(file->descriptor, &status) == 0 ? (int64_t)status.st_size : AVERROR(errno);
  }
  off_t place = lseek(file->descriptor, offset, whence & ~AVSEEK_FORCE);
  return place >= 0 ? (int64_t)place : AVERROR(errno);
}

AVIOContext *fovea_video_file_open(fovea_video_file *file, bool writes) {
  struct stat status;
  file->can_seek = fstat(file->descriptor, &status) == 0 && S_ISREG(status.st_mode);
  uint8_t *buffer = AVU.av_malloc(buffer_size);
  if (!buffer) return NULL;
  AVIOContext *context = AVF.avio_alloc_context(
      buffer, buffer_size, writes, file, writes ? NULL : read_bytes, writes ? write_bytes : NULL,
      file->can_seek ? seek : NULL);
  if (!context) AVU.av_freep(&buffer);
  return context;
}

void fovea_video_file_close(AVIOContext **context) {
  if (!*context) return;
  AVU.av_freep(&(*context)->buffer);
  AVF.avio_context_free(context);
}
#endif
