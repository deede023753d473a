// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLiteRT.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>

// One hold at a time, which the caller ensures. A file in memory instead of a pipe, so that no writer blocks.
static int saved_stderr = -1;
static int held = -1;

int fovea_stderr_hold_begin(void) {
  held = memfd_create("fovea-stderr", MFD_CLOEXEC);
  if (held < 0) return -1;
  saved_stderr = dup(STDERR_FILENO);
  if (saved_stderr < 0 || dup2(held, STDERR_FILENO) < 0) {
    if (saved_stderr >= 0) close(saved_stderr);
    close(held);
    saved_stderr = held = -1;
    return -1;
  }
  return 0;
}

static void write_all(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(STDERR_FILENO, bytes, count);
    if (written < 0) {
      if (errno == EINTR) continue;
      return;
    }
    bytes += written;
    count -= (size_t)written;
  }
}

bool fovea_stderr_hold_end(const char *chatter) {
  dup2(saved_stderr, STDERR_FILENO);
  close(saved_stderr);
  bool found = false;
  off_t size = lseek(held, 0, SEEK_END);
  char *text = size > 0 ? malloc((size_t)size) : NULL;
  ssize_t count = text ? pread(held, text, (size_t)size, 0) : 0;
  size_t length = strlen(chatter);
  const char *line = text;
  const char *end = text ? text + (count > 0 ? count : 0) : text;
  while (line < end) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *next = newline ? newline + 1 : end;
    if (memmem(line, (size_t)(next - line), chatter, length)) {
      found = true;
    } else {
      write_all(line, (size_t)(next - line));
    }
    line = next;
  }
  free(text);
  close(held);
  saved_stderr = held = -1;
  return found;
}

#else

int fovea_stderr_hold_begin(void) { return -1; }
bool fovea_stderr_hold_end(const char *chatter) { return false; }

#endif
