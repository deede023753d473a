// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

/// Why a library cannot be loaded, where the loader would end the process with SIGBUS or call the file missing: it ends before what
/// its headers say, or is for another processor. NULL where the loader is to be asked.
///
/// A path without a folder is the name that the loader looks for. `file` gets the path of the file that is meant.
const char *fovea_why_not_loadable(const char *path, char *file, size_t capacity);
