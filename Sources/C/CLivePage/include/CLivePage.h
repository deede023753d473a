// SPDX-License-Identifier: Apache-2.0
// The files of the live page, as bytes in read-only memory.
#pragma once
#include <stddef.h>

/// How many files there are; the first is the page itself.
size_t fovea_page_count(void);
/// The name of a file, and what it is as HTTP names it; an index below the count.
const char *_Nonnull fovea_page_name(size_t index);
const char *_Nonnull fovea_page_type(size_t index);
/// The bytes of a file.
const unsigned char *_Nonnull fovea_page_start(size_t index);
size_t fovea_page_size(size_t index);
