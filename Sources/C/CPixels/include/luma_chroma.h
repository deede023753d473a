// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// Coefficients times 65,536. Luma is red * yr + green * yg + blue * yb + black; Cb and Cr are around 128.
typedef struct {
  int32_t yr, yg, yb, black;
  int32_t ur, ug, ub;
  int32_t vr, vg, vb;
} fovea_rgb_matrix;

// Converts rows of blue, green, red and an unused byte to planes of luma (`y`, width * height bytes), Cb and
// Cr (`u` and `v`, half the size in each direction, rounded up), all without gaps. Each Cb and Cr is that of
// the mean of four pixels; a last odd row or column counts twice. libyuv has this only for BT.601, with 7-bit
// coefficients.
void fovea_argb_to_i420(const uint8_t* src, ptrdiff_t stride, uint8_t* y, uint8_t* u, uint8_t* v, int width, int height,
                        const fovea_rgb_matrix* m);

// Converts two rows with instructions of every processor. Both may be the same, for the last of an odd
// number.
void fovea_luma_chroma_plain(const uint8_t* top, const uint8_t* low, uint8_t* top_y, uint8_t* low_y, uint8_t* u,
                             uint8_t* v, int width, const fovea_rgb_matrix* m);
