// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// An affine map from the columns and rows of a result to the samples of planes, in 1/65,536 of a sample; 0 is
// the centre of the first one. Positions beyond the planes get their outermost samples.
typedef struct {
  int64_t x, y;                // the first pixel of the first row
  int64_t column_x, column_y;  // one column to the right
  int64_t row_x, row_y;        // one row down
} fovea_turn;

// Samples planes of `width` * `height` samples at each pixel of a result of `columns` * `rows`: the mean of the
// four nearest samples, weighted by their distances in 1/256.
//
// `channels` (1...3) planes have the same size and `stride`, and samples `step` bytes apart; they may be
// interleaved. That of `src[c]` goes to `dst[c]`, without gaps.
void fovea_sample_turned(const uint8_t* const src[3], ptrdiff_t stride, int step, int channels, int width, int height,
                         const fovea_turn* turn, uint8_t* const dst[3], int columns, int rows);
