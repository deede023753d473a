// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a filter does along the rows of a picture, in blocks of 16 outputs; the last block overlaps the one before it.
//
// A block has two lanes of 8 outputs, and a lane has `windows` windows of 16 input bytes, for 8 / windows outputs each.
typedef struct {
  int width;                // outputs, 16 at least
  int taps;                 // the most taps of an output, 2 at least; weights of those it lacks are 0
  int windows;              // 1, 2 or 4
  const int32_t* starts;    // [block][lane][window]: the first byte of each window
  const uint8_t* picks;     // [block][window][lane][16]: a window's byte to the upper half of 16 bits; 0x80 is a 0
  const uint16_t* biases;   // [block][16]
  const uint16_t* weights;  // [block][tap][16], parts of 65,536
} fovea_column_blocks;

// Whether this processor has the instructions for it; without them `fovea_filter_columns` does nothing.
bool fovea_can_filter_columns(void);

// Filters `rows` rows of `src` into rows of `blocks->width` bytes: the sums that `fovea_blend_rows` makes of the
// transposed rows, to the last bit. Up to 16 + taps bytes behind the last input of a row are read and ignored.
void fovea_filter_columns(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride, int rows,
                          const fovea_column_blocks* blocks);
