// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

// The outcome of decompression.
enum {
  FOVEA_INFLATE_OK = 0,
  // The bytes are not Deflate data, or end too early.
  FOVEA_INFLATE_DAMAGED = 1,
  // They decompress to more than the declared size.
  FOVEA_INFLATE_LONGER = 2,
  FOVEA_INFLATE_NO_MEMORY = 3,
};

// Decompresses raw Deflate data (RFC 1951: no header, as in ZIP) into exactly `count` bytes at `target`.
//
// Never writes beyond them, regardless of the data. One function, because inflateInit2 is a macro.
static inline int fovea_inflate(const uint8_t* source, size_t source_count, uint8_t* target, size_t count) {
  if (source_count > UINT_MAX || count > UINT_MAX) return FOVEA_INFLATE_NO_MEMORY;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return FOVEA_INFLATE_NO_MEMORY;
  // zlib refuses an empty output; with one byte of space it accepts the end of empty data.
  uint8_t spare = 0;
  stream.next_in = (z_const Bytef*)source;
  stream.avail_in = (uInt)source_count;
  stream.next_out = count ? target : &spare;
  stream.avail_out = count ? (uInt)count : 1;
  const int status = inflate(&stream, Z_FINISH);
  const size_t written = stream.total_out;
  const int room = stream.avail_out > 0;
  inflateEnd(&stream);
  if (status == Z_STREAM_END) {
    if (written == count) return FOVEA_INFLATE_OK;
    return written > count ? FOVEA_INFLATE_LONGER : FOVEA_INFLATE_DAMAGED;
  }
  if (status == Z_MEM_ERROR) return FOVEA_INFLATE_NO_MEMORY;
  return status == Z_BUF_ERROR && !room ? FOVEA_INFLATE_LONGER : FOVEA_INFLATE_DAMAGED;
}

// Starts decompression of gzip (RFC 1952), zlib (RFC 1950) or, with `is_raw`, Deflate without a header.
//
// One function, because inflateInit2 is a macro. The stream is 0 except for its input; inflateEnd frees it.
static inline int fovea_inflate_begin(z_stream* stream, int is_raw) {
  return inflateInit2(stream, is_raw ? -MAX_WBITS : MAX_WBITS + 32);
}

// Compresses into gzip (RFC 1952) of at most `count` bytes at `target`.
//
// Returns the bytes written; 0 without memory or space. One function, because deflateInit2 is a macro.
static inline size_t fovea_gzip(const uint8_t* source, size_t source_count, uint8_t* target, size_t count) {
  if (source_count > UINT_MAX || count > UINT_MAX) return 0;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (z_const Bytef*)source;
  stream.avail_in = (uInt)source_count;
  stream.next_out = target;
  stream.avail_out = (uInt)count;
  const int status = deflate(&stream, Z_FINISH);
  const size_t written = stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? written : 0;
}
