// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A filter along the rows of an image, in blocks of 16 outputs; the last block overlaps the previous one.
//
// A block has two lanes of 8 outputs, a lane `windows` windows of 16 input bytes for 8 / windows outputs
// each.
typedef struct {
  int width;                // outputs, at least 16
  int taps;                 // the maximum taps of an output, at least 2; missing taps have weight 0
  int windows;              // 1, 2 or 4
  const int32_t* starts;    // [block][lane][window]: the first byte of each window
  const uint8_t* picks;     // [block][window][lane][16]: a window's byte to the upper half of 16 bits; 0x80 is a 0
  const uint16_t* biases;   // [block][16]
  const uint16_t* weights;  // [block][tap][16], parts of 65,536
} fovea_column_blocks;

// Returns whether this processor supports `fovea_filter_columns`, which otherwise does nothing.
bool fovea_can_filter_columns(void);

// Filters `rows` rows of `src` into rows of `blocks->width` bytes, with exactly the sums of
// `fovea_blend_rows` on the transposed rows. Reads, and ignores, up to 16 + taps bytes after a row's last
// input.
void fovea_filter_columns(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride, int rows,
                          const fovea_column_blocks* blocks);
