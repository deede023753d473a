// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPictures.h"

// A file that begins with another header and has another directory behind its end, where `directory_count` is not 0.
typedef struct {
  uint8_t header[16];
  size_t header_count;
  size_t directory_offset;
  size_t directory_count;
  uint8_t directory[2048];
} fovea_tiff_directory;

// Makes a directory of the entries of the first page that decoding needs. libtiff reads the values of every entry when it
// opens a file: a thousand entries that all point to the same megabytes, which no one asks for, cost gigabytes, and unknown
// kinds are sorted again with each new one. What is no TIFF, or ends before its directory does, is left to libtiff.
void fovea_tiff_directory_make(const uint8_t *bytes, size_t count, fovea_tiff_directory *out);
// Copies up to `wanted` bytes at `offset`; less where the file, with its new directory, ends.
size_t fovea_tiff_directory_read(
    const fovea_tiff_directory *directory, const uint8_t *bytes, size_t count, uint64_t offset, uint8_t *target,
    size_t wanted);
// The size of the file with its new directory.
uint64_t fovea_tiff_directory_size(const fovea_tiff_directory *directory, size_t count);
