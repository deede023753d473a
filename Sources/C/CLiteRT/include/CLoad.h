// SPDX-License-Identifier: Apache-2.0
// Opens libraries at run time. A truncated file is refused, for which the loader would end the process with
// SIGBUS, and a library for another processor is reported, which the loader would call missing.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// The file name of a library, from its name and the major version of its interface, both string literals.
#if defined(__APPLE__)
#define FOVEA_LIBRARY(name, major) "lib" name "." major ".dylib"
#else
#define FOVEA_LIBRARY(name, major) "lib" name ".so." major
#endif

typedef enum {
  FOVEA_LOAD_OK = 0,
  FOVEA_LOAD_NO_LIBRARY = 1,  // reason: for each name, why it cannot be opened
  FOVEA_LOAD_NO_SYMBOL = 2    // reason: the library and the symbol that it lacks
} fovea_load_result;

/// Opens the first of `names` that can be opened, and writes the addresses of `symbols` into `fields`. Both
/// lists end with NULL.
///
/// The library stays open. On failure `reason` is a NUL-terminated text, truncated to its capacity, and the
/// field of a missing symbol is NULL. If `fields` is NULL, the reason is that there was no memory for them.
fovea_load_result fovea_load(
    const char *_Nullable const *_Nonnull names, const char *_Nullable const *_Nonnull symbols,
    void *_Nullable *_Nullable fields, char *reason, size_t capacity);

/// Opens one library, for dlsym and dlclose; returns NULL with the reason on failure. The loader searches for
/// a name without a folder.
void *_Nullable fovea_open(const char *name, char *reason, size_t capacity);

#pragma clang assume_nonnull end
