// SPDX-License-Identifier: Apache-2.0
// The files of the live page, and the templates and files of the host's console, as bytes in read-only memory.
#pragma once
#include <stddef.h>

/// How many files the live page has; the first is the page itself.
size_t fovea_page_count(void);
/// The name of a file, and what it is as HTTP names it; an index below the count.
const char *_Nonnull fovea_page_name(size_t index);
const char *_Nonnull fovea_page_type(size_t index);
/// The bytes of a file.
const unsigned char *_Nonnull fovea_page_start(size_t index);
size_t fovea_page_size(size_t index);

/// How many files the console has.
size_t fovea_console_count(void);
/// The name of a file; what it is as HTTP names it, empty for a template. The index is below the count.
const char *_Nonnull fovea_console_name(size_t index);
const char *_Nonnull fovea_console_type(size_t index);
/// The bytes of a file.
const unsigned char *_Nonnull fovea_console_start(size_t index);
size_t fovea_console_size(size_t index);
