// SPDX-License-Identifier: Apache-2.0
#include "loadable_file.h"

#ifdef __linux__
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
static const uint16_t own_machine = EM_X86_64;
#elif defined(__aarch64__)
static const uint16_t own_machine = EM_AARCH64;
#else
static const uint16_t own_machine = EM_NONE;
#endif

// What keeps a file from being loaded that the loader does not say, or not in time; NULL where it is left to the loader.
//
// It maps each segment and writes behind the end of its last page, whatever the file has there, and calls a library for another
// processor a missing file.
//
// Source: System V ABI, "Object Files": e_machine; program header: p_offset, p_filesz.
static const char *problem(int file, uint64_t size) {
  static const char *const cut_off = "the file is shorter than it says";
  Elf64_Ehdr header;
  if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header) return NULL;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64) return NULL;
  if (own_machine != EM_NONE && header.e_machine != own_machine) return "the file is for another processor";
  for (int index = 0; index < header.e_phnum; index++) {
    Elf64_Phdr segment;
    off_t place = (off_t)(header.e_phoff + (uint64_t)index * sizeof segment);
    if (pread(file, &segment, sizeof segment, place) != (ssize_t)sizeof segment) return cut_off;
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz) return cut_off;
  }
  return NULL;
}

const char *fovea_why_not_loadable(const char *path) {
  // A name without a folder is looked for by the loader.
  if (!strchr(path, '/')) return NULL;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return NULL;
  struct stat status;
  const char *found = NULL;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) found = problem(file, (uint64_t)status.st_size);
  close(file);
  return found;
}

#else

const char *fovea_why_not_loadable(const char *path) { return NULL; }

#endif
