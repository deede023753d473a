// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CImages.h"

// Returns a copy of the file with only those entries in the first page's directory that decoding needs; the
// caller frees it. Returns NULL if there is not enough memory. libtiff reads the values of all entries when
// it opens a file: a thousand entries that point to the same megabytes cost gigabytes, and unknown tags are
// sorted again with each new one. A file that is not a TIFF, or that ends within its directory, is left to
// libtiff.
uint8_t *fovea_tiff_directory_filter(const uint8_t *bytes, size_t count);
