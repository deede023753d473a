// SPDX-License-Identifier: Apache-2.0
// The vertical filter.
#include "kernels.h"

// Two or more taps. Pairs of bytes share a 16-bit lane: the even byte is shifted to the high byte, the odd
// byte is masked in place, so that each product keeps 8 bits of fraction and needs no unpacking. Each product
// is truncated, by half a unit on average; `bias` compensates that and rounds the sum. The last block
// overlaps the previous one instead of leaving a remainder. HIGH multiplies lanes and keeps the upper 16
// bits.
//
// The first four taps are unrolled: their weights stay in registers for the whole row.
#define FOVEA_TAP(HIGH, WEIGHT)                          \
  do {                                                   \
    memcpy(&pair, row, sizeof pair);                     \
    even += HIGH(pair << 8, (WEIGHT));                   \
    odd += HIGH(pair & 0xff00, (WEIGHT));                \
    row += stride;                                       \
  } while (0)
#define FOVEA_DEFINE_BLEND_ROWS(NAME, ATTRIBUTES, VECTOR, HIGH)                                                \
  ATTRIBUTES void NAME(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps, uint8_t* dst,  \
                       int width) {                                                                            \
    const int block = (int)sizeof(VECTOR);                                                                     \
    const uint16_t bias = (uint16_t)(128 + (taps - 1) / 2);                                                    \
    const VECTOR first = (VECTOR){0} + weights[0], second = (VECTOR){0} + weights[1];                          \
    const VECTOR third = (VECTOR){0} + weights[taps > 2 ? 2 : 0];                                              \
    const VECTOR fourth = (VECTOR){0} + weights[taps > 3 ? 3 : 0];                                             \
    int x = 0;                                                                                                 \
    while (x + block <= width) {                                                                               \
      VECTOR even = (VECTOR){0} + bias;                                                                        \
      VECTOR odd = even;                                                                                       \
      VECTOR pair;                                                                                             \
      const uint8_t* row = src + x;                                                                            \
      FOVEA_TAP(HIGH, first);                                                                                  \
      FOVEA_TAP(HIGH, second);                                                                                 \
      if (taps > 2) FOVEA_TAP(HIGH, third);                                                                    \
      if (taps > 3) FOVEA_TAP(HIGH, fourth);                                                                   \
      for (int k = 4; k < taps; k++) FOVEA_TAP(HIGH, (VECTOR){0} + weights[k]);                                \
      const VECTOR packed = (even >> 8) | (odd & 0xff00);                                                      \
      memcpy(dst + x, &packed, sizeof packed);                                                                 \
      x += block;                                                                                              \
      if (x < width && x + block > width) x = width - block;                                                   \
    }                                                                                                          \
    for (; x < width; x++) {                                                                                   \
      uint32_t sum = bias;                                                                                     \
      for (int k = 0; k < taps; k++) sum += ((uint32_t)src[k * stride + x] << 8) * weights[k] >> 16;           \
      dst[x] = (uint8_t)(sum >> 8);                                                                            \
    }                                                                                                          \
  }

#if defined(__x86_64__)
FOVEA_DEFINE_BLEND_ROWS(blend_rows_plain, static, fovea_u16x8, FOVEA_HIGH_SSE2)
FOVEA_DEFINE_BLEND_ROWS(blend_rows_avx2, FOVEA_AVX2, fovea_u16x16, FOVEA_HIGH_AVX2)
#else
#define FOVEA_WIDE(a) __builtin_convertvector((a), fovea_u32x8)
#define FOVEA_HIGH(a, b) __builtin_convertvector((FOVEA_WIDE(a) * FOVEA_WIDE(b)) >> 16, fovea_u16x8)
FOVEA_DEFINE_BLEND_ROWS(blend_rows_plain, static, fovea_u16x8, FOVEA_HIGH)
#endif

// The same with 32-bit sums, for filters with too many taps for 8 bits of fraction.
FOVEA_INLINE void blend_many_rows_body(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps,
                                       uint8_t* dst, int width) {
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
#if defined(__x86_64__)
FOVEA_AVX2 void blend_many_rows_avx2(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps,
                                     uint8_t* dst, int width) {
  blend_many_rows_body(src, stride, weights, taps, dst, width);
}
#endif

// The maximum taps of the fast 16-bit kernel; with more, the weights are too small for its precision.
enum { most_fast_taps = 64 };

void fovea_blend_rows(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps, uint8_t* dst,
                      int width) {
  if (taps == 1) {
    memcpy(dst, src, (size_t)width);
  } else if (taps <= most_fast_taps) {
    FOVEA_DISPATCH(blend_rows_avx2(src, stride, weights, taps, dst, width),
                   blend_rows_plain(src, stride, weights, taps, dst, width))
  } else {
    FOVEA_DISPATCH(blend_many_rows_avx2(src, stride, weights, taps, dst, width),
                   blend_many_rows_body(src, stride, weights, taps, dst, width))
  }
}
