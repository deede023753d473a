// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLoad.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifdef __linux__
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
static const uint16_t own_machine = EM_X86_64;
#elif defined(__aarch64__)
static const uint16_t own_machine = EM_AARCH64;
#else
static const uint16_t own_machine = EM_NONE;
#endif

static const char cut_off[] = "the file is shorter than its header declares";
static const char foreign[] = "the file is for another processor";

// Returns a problem with a library file that the loader reports too late or not at all; NULL if there is
// none.
//
// The loader maps each segment and clears the rest of its last page even if the file is too short for it, and
// reports a library for another processor as a missing file.
//
// Source: System V ABI, "Object Files": e_machine; program header: p_offset, p_filesz.
static const char *problem(int file, uint64_t size) {
  Elf64_Ehdr header;
  if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header) return NULL;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG)) return NULL;
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return foreign;
  if (own_machine != EM_NONE && header.e_machine != own_machine) return foreign;
  for (int index = 0; index < header.e_phnum; index++) {
    Elf64_Phdr segment;
    off_t place = (off_t)(header.e_phoff + (uint64_t)index * sizeof segment);
    if (pread(file, &segment, sizeof segment, place) != (ssize_t)sizeof segment) return cut_off;
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz) return cut_off;
  }
  return NULL;
}

// Returns the problem of the file with this path; sets `is_there` to whether the file exists.
static const char *problem_at(const char *path, bool *is_there) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  *is_there = file >= 0;
  if (file < 0) return NULL;
  struct stat status;
  const char *found = NULL;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) found = problem(file, (uint64_t)status.st_size);
  close(file);
  return found;
}

// Returns the folders that the loader searches for a name from this code, including LD_LIBRARY_PATH; freed by
// the caller, NULL without memory.
static Dl_serinfo *search_path(void) {
  Dl_info own;
  void *caller = NULL;
  if (dladdr((const void *)(uintptr_t)&search_path, &own)) caller = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!caller) caller = dlopen(NULL, RTLD_LAZY);
  Dl_serinfo size, *folders = NULL;
  if (caller && dlinfo(caller, RTLD_DI_SERINFOSIZE, &size) == 0) folders = malloc(size.dls_size);
  if (folders && (dlinfo(caller, RTLD_DI_SERINFOSIZE, folders) || dlinfo(caller, RTLD_DI_SERINFO, folders))) {
    free(folders);
    folders = NULL;
  }
  if (caller) dlclose(caller);
  return folders;
}

// The folders of Debian's ld.so.conf, which the loader also searches.
static const char *const local_folders[] = {"/usr/local/lib", "/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib/aarch64-linux-gnu"};
static const unsigned local_count = sizeof local_folders / sizeof *local_folders;

// Returns the reason not to load a library, and its file; NULL if the loader may try.
static const char *why_not(const char *path, char *file, size_t capacity) {
  bool is_there;
  if (strchr(path, '/')) {
    snprintf(file, capacity, "%s", path);
    return problem_at(path, &is_there);
  }
  Dl_serinfo *folders = search_path();
  unsigned count = folders ? folders->dls_cnt : 0;
  const char *found = NULL;
  for (unsigned index = 0; index < count + local_count; index++) {
    const char *folder = index < count ? folders->dls_serpath[index].dls_name : local_folders[index - count];
    int length = snprintf(file, capacity, "%s/%s", folder, path);
    if (length < 0 || (size_t)length >= capacity) continue;
    found = problem_at(file, &is_there);
    // The loader skips a library for another processor. Its folders for newer processors (glibc-hwcaps) are
    // left to it.
    if (is_there && found != foreign) break;
    found = NULL;
  }
  free(folders);
  return found;
}

#else

static const char *why_not(const char *path, char *file, size_t capacity) { return NULL; }

#endif

_Static_assert(sizeof(void *) == sizeof(void (*)(void)), "function and data pointers have one size");

void *fovea_open(const char *name, char *reason, size_t capacity) {
  char file[4096];
  const char *problem = why_not(name, file, sizeof file);
  if (problem) {
    snprintf(reason, capacity, "%s: %s", file, problem);
    return NULL;
  }
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *words = dlerror();
    snprintf(reason, capacity, "%s", words ? words : "no reason given");
  }
  return library;
}

fovea_load_result fovea_load(
    const char *const *names, const char *const *symbols, void **fields, char *reason, size_t capacity) {
  void *library = NULL;
  const char *name = NULL;
  snprintf(reason, capacity, "%s", fields ? "" : "out of memory");
  if (!fields) return FOVEA_LOAD_NO_LIBRARY;
  for (; *names && !library; names++) {
    name = *names;
    char why[512];
    library = fovea_open(name, why, sizeof why);
    size_t used = strlen(reason);
    if (!library) snprintf(reason + used, capacity - used, "%s%s", used ? "; " : "", why);
  }
  if (!library) return FOVEA_LOAD_NO_LIBRARY;
  for (size_t index = 0; symbols[index]; index++) {
    fields[index] = dlsym(library, symbols[index]);
    if (fields[index]) continue;
    snprintf(reason, capacity, "%s has no function %s", name, symbols[index]);
    dlclose(library);
    return FOVEA_LOAD_NO_SYMBOL;
  }
  return FOVEA_LOAD_OK;
}
