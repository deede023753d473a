// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

// The coefficients of a conversion from YCbCr:
//
//   red = luma' + redCr * cr    green = luma' - greenCb * cb - greenCr * cr    blue = luma' + blueCb * cb
//   luma' = (1 + luma) * y - black
//
// luma has 15 bits of fraction, black 6, the others 14; blueCb is stored minus 1, because it may be above 2.
typedef struct {
  int16_t luma, black, redCr, greenCb, greenCr, blueCb;
} fovea_yuv_matrix;

// Converts YCbCr to RGB in place, `count` bytes of each: y becomes red, cb green, cr blue. Results are
// clamped to 0...255 and within one level of the exact values.
void fovea_yuv_to_rgb(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count, const fovea_yuv_matrix* m);

// The same for BT.601 in full range, as JFIF defines it.
void fovea_ycbcr_to_rgb(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count);
