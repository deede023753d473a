// SPDX-License-Identifier: Apache-2.0
// The files of the live page, the templates and files of the host's console, and the files of reports, as
// bytes in read-only memory.
#pragma once
#include <stddef.h>

/// A list of files. The first file of the live page is the page itself.
typedef enum { FOVEA_PAGES_LIVE, FOVEA_PAGES_CONSOLE, FOVEA_PAGES_REPORT } fovea_pages;

/// A file: its name, its media type, which is empty for a template, and its bytes.
typedef struct {
  const char *_Nonnull name;
  const char *_Nonnull type;
  const unsigned char *_Nonnull start;
  size_t size;
} fovea_page;

size_t fovea_page_count(fovea_pages pages);
/// Returns a file; the index must be below the count.
fovea_page fovea_page_at(fovea_pages pages, size_t index);
