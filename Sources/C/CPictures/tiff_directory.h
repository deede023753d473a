// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPictures.h"

// Leaves the entries of the first page that decoding needs in its directory, and takes the others out: a copy of the file, which
// the caller frees; NULL where there is no memory for it. libtiff reads the values of every entry when it opens a file: a
// thousand entries that all point to the same megabytes, which no one asks for, cost gigabytes, and unknown kinds are
// sorted again with each new one. What is no TIFF, or ends before its directory does, is left to libtiff.
uint8_t *fovea_tiff_directory_filter(const uint8_t *bytes, size_t count);
