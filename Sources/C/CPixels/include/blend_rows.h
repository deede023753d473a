// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// Filters one row vertically: dst[x] = round(sum over k of weights[k] / 65536 * src[k * stride + x]).
//
// `src` is the first of `taps` rows (1 or more) of `width` bytes; `weights` has one element per row, with the
// sum 65,536 (a single row is copied). With up to 64 taps a sum has 8 bits of fraction, with more it has 16.
// `dst` has `width` bytes and does not overlap `src`.
void fovea_blend_rows(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps, uint8_t* dst, int width);
