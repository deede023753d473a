// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// One output row of a vertical filter: dst[x] = round(sum over k of weights[k] / 65536 * src[k * stride + x]).
//
// `src` is the first of `taps` rows (1 or more) of `width` bytes; `weights` has one element for each row, and they add up
// to 65,536 (a single row is copied). Up to 64 taps a sum has 8 bits of fraction, above that 16. `dst` has `width` bytes
// and lies apart from `src`.
void fovea_blend_rows(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps, uint8_t* dst, int width);
