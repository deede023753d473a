// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// Coefficients times 65,536. Brightness is red * yr + green * yg + blue * yb + black; the others likewise, around 128.
typedef struct {
  int32_t yr, yg, yb, black;
  int32_t ur, ug, ub;
  int32_t vr, vg, vb;
} fovea_rgb_matrix;

// Rows of blue, green, red and a byte without meaning to planes of brightness (`y`, width * height bytes), Cb and Cr
// (`u` and `v`, half the size each way, rounded up), all without gaps. Each Cb and Cr is that of the mean of its four
// pixels; a last odd row or column counts twice. libyuv has this for BT.601 alone, with 7 bits a coefficient.
void fovea_argb_to_i420(const uint8_t* src, ptrdiff_t stride, uint8_t* y, uint8_t* u, uint8_t* v, int width, int height,
                        const fovea_rgb_matrix* m);

// Two rows of it, with the instructions that every processor has. The rows may be the same one, for the last of an odd
// number.
void fovea_luma_chroma_plain(const uint8_t* top, const uint8_t* low, uint8_t* top_y, uint8_t* low_y, uint8_t* u,
                             uint8_t* v, int width, const fovea_rgb_matrix* m);
