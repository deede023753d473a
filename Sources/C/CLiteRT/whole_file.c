// SPDX-License-Identifier: Apache-2.0
#include "whole_file.h"

#ifdef __linux__
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The loader maps each segment and writes behind the end of its last page, whatever the file has there.
//
// Source: System V ABI, "Object Files", program header: p_offset, p_filesz.
static bool ends_early(int file, uint64_t size) {
  Elf64_Ehdr header;
  if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header) return false;
  // Anything else is refused by the loader, which says why.
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  for (int index = 0; index < header.e_phnum; index++) {
    Elf64_Phdr segment;
    off_t place = (off_t)(header.e_phoff + (uint64_t)index * sizeof segment);
    if (pread(file, &segment, sizeof segment, place) != (ssize_t)sizeof segment) return true;
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz) return true;
  }
  return false;
}

bool fovea_is_cut_off(const char *path) {
  // A name without a folder is looked for by the loader.
  if (!strchr(path, '/')) return false;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct stat status;
  bool is_short = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && ends_early(file, (uint64_t)status.st_size);
  close(file);
  return is_short;
}

#else

bool fovea_is_cut_off(const char *path) { return false; }

#endif
