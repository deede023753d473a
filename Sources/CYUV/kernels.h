// SPDX-License-Identifier: Apache-2.0
#pragma once
// Inner loops that libyuv lacks. They are C, not Swift, because they need a widening multiply on vectors and
// instructions chosen at run time: Swift's SIMD types have no such multiply, and Swift cannot compile one
// function for a wider instruction set than the rest of the program.
#include <libyuv.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FOVEA_INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define FOVEA_AVX2 static inline __attribute__((target("avx2")))
#endif

typedef uint16_t fovea_u16x16 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t fovea_u32x16 __attribute__((vector_size(64)));

// One output row of a vertical filter: dst[x] = round(sum over k of weights[k] / 65536 * src[k * stride + x]).
//
// Bytes are taken in pairs as one 16-bit lane: the even one shifted to the high byte, the odd one masked in place,
// so that each product keeps 8 bits of fraction and needs no unpacking. Each product is cut off, by half a unit on
// average; `bias` gives back that half and rounds the sum.
FOVEA_INLINE void fovea_blend_rows_body(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps,
                                        uint8_t* dst, int width) {
  const uint16_t bias = (uint16_t)(128 + (taps - 1) / 2);
  int x = 0;
  while (x + 32 <= width) {
    fovea_u16x16 even = (fovea_u16x16){0} + bias;
    fovea_u16x16 odd = even;
    const uint8_t* row = src + x;
    for (int k = 0; k < taps; k++, row += stride) {
      fovea_u16x16 pair;
      memcpy(&pair, row, 32);
      const fovea_u32x16 weight = (fovea_u32x16){0} + weights[k];
      const fovea_u16x16 low = pair << 8;
      const fovea_u16x16 high = pair & 0xff00;
      even += __builtin_convertvector((__builtin_convertvector(low, fovea_u32x16) * weight) >> 16, fovea_u16x16);
      odd += __builtin_convertvector((__builtin_convertvector(high, fovea_u32x16) * weight) >> 16, fovea_u16x16);
    }
    const fovea_u16x16 packed = (even >> 8) | (odd & 0xff00);
    memcpy(dst + x, &packed, 32);
    x += 32;
    // The last block overlaps the one before it instead of leaving a remainder.
    if (x < width && x + 32 > width && width >= 32) x = width - 32;
  }
  for (; x < width; x++) {
    uint32_t sum = bias;
    for (int k = 0; k < taps; k++) sum += ((uint32_t)src[k * stride + x] << 8) * weights[k] >> 16;
    dst[x] = (uint8_t)(sum >> 8);
  }
}

// The same with 32-bit sums, for filters with so many taps that 8 bits of fraction would not do.
FOVEA_INLINE void fovea_blend_many_rows_body(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights,
                                             int taps, uint8_t* dst, int width) {
  for (int x = 0; x < width; x += 64) {
    const int count = width - x < 64 ? width - x : 64;
    uint32_t sums[64];
    for (int i = 0; i < 64; i++) sums[i] = 32768;
    for (int k = 0; k < taps; k++) {
      const uint8_t* row = src + k * stride + x;
      const uint32_t weight = weights[k];
      for (int i = 0; i < count; i++) sums[i] += row[i] * weight;
    }
    for (int i = 0; i < count; i++) dst[x + i] = (uint8_t)(sums[i] >> 16);
  }
}

// YCbCr (BT.601, full range, as JFIF defines it) to RGB in place: y becomes red, cb green, cr blue.
// 6 bits of fraction; libyuv's own matrix has 6-bit coefficients and is off by up to two levels.
FOVEA_INLINE void fovea_ycbcr_to_rgb_body(uint8_t* restrict yr, uint8_t* restrict cbg, uint8_t* restrict crb,
                                          int count) {
  for (int i = 0; i < count; i++) {
    const int16_t y = (int16_t)((yr[i] << 6) + 32);
    const int16_t cb = (int16_t)((cbg[i] - 128) * 256);
    const int16_t cr = (int16_t)((crb[i] - 128) * 256);
    int16_t r = (int16_t)(y + (int16_t)((cr * 22970) >> 16)) >> 6;
    int16_t g = (int16_t)(y - (int16_t)((cb * 5638) >> 16) - (int16_t)((cr * 11700) >> 16)) >> 6;
    int16_t b = (int16_t)(y + (int16_t)((cb * 29032) >> 16)) >> 6;
    r = r < 0 ? 0 : r;
    g = g < 0 ? 0 : g;
    b = b < 0 ? 0 : b;
    yr[i] = (uint8_t)(r > 255 ? 255 : r);
    cbg[i] = (uint8_t)(g > 255 ? 255 : g);
    crb[i] = (uint8_t)(b > 255 ? 255 : b);
  }
}

#if defined(FOVEA_AVX2)
FOVEA_AVX2 void fovea_blend_rows_avx2(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps,
                                      uint8_t* dst, int width) {
  fovea_blend_rows_body(src, stride, weights, taps, dst, width);
}
FOVEA_AVX2 void fovea_blend_many_rows_avx2(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps,
                                           uint8_t* dst, int width) {
  fovea_blend_many_rows_body(src, stride, weights, taps, dst, width);
}
FOVEA_AVX2 void fovea_ycbcr_to_rgb_avx2(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count) {
  fovea_ycbcr_to_rgb_body(yr, cbg, crb, count);
}
#define FOVEA_DISPATCH(wide, plain) \
  if (TestCpuFlag(kCpuHasAVX2)) {   \
    wide;                           \
  } else {                          \
    plain;                          \
  }
#else
#define FOVEA_DISPATCH(wide, plain) plain
#endif

// The most taps of the fast 16-bit kernel; above it the weights are too small for its precision.
enum { FOVEA_MAX_FAST_TAPS = 64 };

static inline void fovea_blend_rows(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps,
                                    uint8_t* dst, int width) {
  if (taps == 1) {
    memcpy(dst, src, (size_t)width);
  } else if (taps <= FOVEA_MAX_FAST_TAPS) {
    FOVEA_DISPATCH(fovea_blend_rows_avx2(src, stride, weights, taps, dst, width),
                   fovea_blend_rows_body(src, stride, weights, taps, dst, width))
  } else {
    FOVEA_DISPATCH(fovea_blend_many_rows_avx2(src, stride, weights, taps, dst, width),
                   fovea_blend_many_rows_body(src, stride, weights, taps, dst, width))
  }
}

static inline void fovea_ycbcr_to_rgb(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count) {
  FOVEA_DISPATCH(fovea_ycbcr_to_rgb_avx2(yr, cbg, crb, count), fovea_ycbcr_to_rgb_body(yr, cbg, crb, count))
}
