// SPDX-License-Identifier: Apache-2.0
// The templates and files of the host's console, as bytes in read-only memory.
#pragma once
#include <stddef.h>

/// How many files there are.
size_t fovea_console_count(void);
/// The name of a file; what it is as HTTP names it, empty for a template. The index is below the count.
const char *_Nonnull fovea_console_name(size_t index);
const char *_Nonnull fovea_console_type(size_t index);
/// The bytes of a file.
const unsigned char *_Nonnull fovea_console_start(size_t index);
size_t fovea_console_size(size_t index);
