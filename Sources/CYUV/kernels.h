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

// One output row of a vertical filter of two taps or more:
// dst[x] = round(sum over k of weights[k] / 65536 * src[k * stride + x]).
//
// Bytes are taken in pairs as one 16-bit lane: the even one shifted to the high byte, the odd one masked in place,
// so that each product keeps 8 bits of fraction and needs no unpacking. Each product is cut off, by half a unit on
// average; `bias` gives back that half and rounds the sum. The last block overlaps the one before it instead of
// leaving a remainder. HIGH multiplies lanes and keeps the upper 16 bits.
//
// The first four taps are written out, with their weights in registers: Swift's optimiser unrolls no loops of C.
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

typedef uint16_t fovea_u16x8 __attribute__((vector_size(16)));
typedef int16_t fovea_i16x8 __attribute__((vector_size(16)));
#if defined(__x86_64__)
#define FOVEA_AVX2 static inline __attribute__((target("avx2")))
typedef uint16_t fovea_u16x16 __attribute__((vector_size(32)));
typedef int16_t fovea_i16x16 __attribute__((vector_size(32)));
#define FOVEA_HIGH_SSE2(a, b) ((fovea_u16x8)__builtin_ia32_pmulhuw128((fovea_i16x8)(a), (fovea_i16x8)(b)))
#define FOVEA_HIGH_AVX2(a, b) ((fovea_u16x16)__builtin_ia32_pmulhuw256((fovea_i16x16)(a), (fovea_i16x16)(b)))
FOVEA_DEFINE_BLEND_ROWS(fovea_blend_rows_plain, static inline, fovea_u16x8, FOVEA_HIGH_SSE2)
FOVEA_DEFINE_BLEND_ROWS(fovea_blend_rows_avx2, FOVEA_AVX2, fovea_u16x16, FOVEA_HIGH_AVX2)
#else
typedef uint32_t fovea_u32x8 __attribute__((vector_size(32)));
#define FOVEA_WIDE(a) __builtin_convertvector((a), fovea_u32x8)
#define FOVEA_HIGH(a, b) __builtin_convertvector((FOVEA_WIDE(a) * FOVEA_WIDE(b)) >> 16, fovea_u16x8)
FOVEA_DEFINE_BLEND_ROWS(fovea_blend_rows_plain, static inline, fovea_u16x8, FOVEA_HIGH)
#endif

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

// The coefficients of a conversion from YCbCr:
//
//   red = luma' + redCr * cr    green = luma' - greenCb * cb - greenCr * cr    blue = luma' + blueCb * cb
//   luma' = (1 + luma) * y - black
//
// luma has 15 bits of fraction, black 6, the others 14; blueCb is given less 1, because it may be above 2.
typedef struct {
  int16_t luma, black, redCr, greenCb, greenCr, blueCb;
} fovea_yuv_matrix;

// YCbCr to RGB in place: y becomes red, cb green, cr blue.
//
// 6 bits of fraction; libyuv's own matrix has 6-bit coefficients and is off by up to two levels. Bytes are taken in
// pairs again. HIGH multiplies signed lanes and keeps the upper 16 bits. Only blue can go beyond 16 bits, where both
// y and cb are far out of the video range.
#define FOVEA_CLAMP(v) __builtin_elementwise_min(__builtin_elementwise_max((v) >> 6, zero), zero + 255)
// One half of the lanes; CHROMA moves a byte to the upper half of its lane.
#define FOVEA_YCBCR_HALF(VECTOR, UNSIGNED, HIGH, SHIFT, CHROMA)                                                \
  do {                                                                                                         \
    const VECTOR whole = (VECTOR)(((ys >> SHIFT) & 0xff) << 6);                                                \
    const VECTOR y = whole + HIGH(whole << 1, luma) + offset;                                                  \
    const VECTOR cb = (VECTOR)(CHROMA(cbs) ^ 0x8000);                                                          \
    const VECTOR cr = (VECTOR)(CHROMA(crs) ^ 0x8000);                                                          \
    const VECTOR r = FOVEA_CLAMP(y + HIGH(cr, redCr));                                                         \
    const VECTOR g = FOVEA_CLAMP(y - HIGH(cb, greenCb) - HIGH(cr, greenCr));                                   \
    const VECTOR blueness = (cb >> 2) + HIGH(cb, blueCb);                                                      \
    const VECTOR b = FOVEA_CLAMP(__builtin_elementwise_add_sat(y, blueness));                                  \
    reds |= (UNSIGNED)r << SHIFT;                                                                              \
    greens |= (UNSIGNED)g << SHIFT;                                                                            \
    blues |= (UNSIGNED)b << SHIFT;                                                                             \
  } while (0)
#define FOVEA_EVEN_BYTES(v) ((v) << 8)
#define FOVEA_ODD_BYTES(v) ((v) & 0xff00)
#define FOVEA_DEFINE_YCBCR(NAME, ATTRIBUTES, VECTOR, UNSIGNED, HIGH)                                           \
  ATTRIBUTES void NAME(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count, const fovea_yuv_matrix* m) {        \
    const VECTOR zero = {0};                                                                                   \
    const VECTOR luma = zero + m->luma, redCr = zero + m->redCr, blueCb = zero + m->blueCb;                    \
    const VECTOR greenCb = zero + m->greenCb, greenCr = zero + m->greenCr;                                     \
    const VECTOR offset = zero + (int16_t)(32 - m->black);                                                     \
    uint8_t rest[3][sizeof(VECTOR)];                                                                           \
    for (int i = 0; i < count; i += (int)sizeof(VECTOR)) {                                                     \
      const int left = count - i;                                                                              \
      const int isRest = left < (int)sizeof(VECTOR);                                                           \
      uint8_t* p0 = yr + i;                                                                                    \
      uint8_t* p1 = cbg + i;                                                                                   \
      uint8_t* p2 = crb + i;                                                                                   \
      if (isRest) {                                                                                            \
        memcpy(rest[0], p0, (size_t)left);                                                                     \
        memcpy(rest[1], p1, (size_t)left);                                                                     \
        memcpy(rest[2], p2, (size_t)left);                                                                     \
        p0 = rest[0];                                                                                          \
        p1 = rest[1];                                                                                          \
        p2 = rest[2];                                                                                          \
      }                                                                                                        \
      UNSIGNED ys, cbs, crs, reds = {0}, greens = {0}, blues = {0};                                            \
      memcpy(&ys, p0, sizeof ys);                                                                              \
      memcpy(&cbs, p1, sizeof cbs);                                                                            \
      memcpy(&crs, p2, sizeof crs);                                                                            \
      FOVEA_YCBCR_HALF(VECTOR, UNSIGNED, HIGH, 0, FOVEA_EVEN_BYTES);                                           \
      FOVEA_YCBCR_HALF(VECTOR, UNSIGNED, HIGH, 8, FOVEA_ODD_BYTES);                                            \
      memcpy(p0, &reds, sizeof reds);                                                                          \
      memcpy(p1, &greens, sizeof greens);                                                                      \
      memcpy(p2, &blues, sizeof blues);                                                                        \
      if (isRest) {                                                                                            \
        memcpy(yr + i, rest[0], (size_t)left);                                                                 \
        memcpy(cbg + i, rest[1], (size_t)left);                                                                \
        memcpy(crb + i, rest[2], (size_t)left);                                                                \
      }                                                                                                        \
    }                                                                                                          \
  }

#if defined(__x86_64__)
#define FOVEA_SIGNED_HIGH_SSE2(a, b) ((fovea_i16x8)__builtin_ia32_pmulhw128((a), (b)))
#define FOVEA_SIGNED_HIGH_AVX2(a, b) ((fovea_i16x16)__builtin_ia32_pmulhw256((a), (b)))
FOVEA_DEFINE_YCBCR(fovea_ycbcr_to_rgb_plain, static inline, fovea_i16x8, fovea_u16x8, FOVEA_SIGNED_HIGH_SSE2)
FOVEA_DEFINE_YCBCR(fovea_ycbcr_to_rgb_avx2, FOVEA_AVX2, fovea_i16x16, fovea_u16x16, FOVEA_SIGNED_HIGH_AVX2)
#else
typedef int32_t fovea_i32x8 __attribute__((vector_size(32)));
#define FOVEA_SIGNED_WIDE(a) __builtin_convertvector((a), fovea_i32x8)
#define FOVEA_SIGNED_HIGH(a, b) \
  __builtin_convertvector((FOVEA_SIGNED_WIDE(a) * FOVEA_SIGNED_WIDE(b)) >> 16, fovea_i16x8)
FOVEA_DEFINE_YCBCR(fovea_ycbcr_to_rgb_plain, static inline, fovea_i16x8, fovea_u16x8, FOVEA_SIGNED_HIGH)
#endif

#if defined(FOVEA_AVX2)
FOVEA_AVX2 void fovea_blend_many_rows_avx2(const uint8_t* src, ptrdiff_t stride, const uint16_t* weights, int taps,
                                           uint8_t* dst, int width) {
  fovea_blend_many_rows_body(src, stride, weights, taps, dst, width);
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
                   fovea_blend_rows_plain(src, stride, weights, taps, dst, width))
  } else {
    FOVEA_DISPATCH(fovea_blend_many_rows_avx2(src, stride, weights, taps, dst, width),
                   fovea_blend_many_rows_body(src, stride, weights, taps, dst, width))
  }
}

static inline void fovea_yuv_to_rgb(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count, const fovea_yuv_matrix* m) {
  FOVEA_DISPATCH(fovea_ycbcr_to_rgb_avx2(yr, cbg, crb, count, m), fovea_ycbcr_to_rgb_plain(yr, cbg, crb, count, m))
}

// BT.601, full range, as JFIF defines it.
static inline void fovea_ycbcr_to_rgb(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count) {
  const fovea_yuv_matrix jfif = {0, 0, 22970, 5638, 11700, 29032 - 16384};
  fovea_yuv_to_rgb(yr, cbg, crb, count, &jfif);
}

// libyuv's constants are of a type that is incomplete in its headers, so that Swift cannot name them.
static inline const struct YuvConstants* fovea_yuv_constants(int is709, int isFullRange) {
  if (is709) return isFullRange ? &kYuvF709Constants : &kYuvH709Constants;
  return isFullRange ? &kYuvJPEGConstants : &kYuvI601Constants;
}
static inline void fovea_nv12_to_argb(const uint8_t* y, int y_stride, const uint8_t* uv, int uv_stride, uint8_t* argb,
                                      int argb_stride, int is709, int isFullRange, int width, int height) {
  NV12ToARGBMatrix(y, y_stride, uv, uv_stride, argb, argb_stride, fovea_yuv_constants(is709, isFullRange), width, height);
}
static inline void fovea_i420_to_argb(const uint8_t* y, int y_stride, const uint8_t* u, int u_stride, const uint8_t* v,
                                      int v_stride, uint8_t* argb, int argb_stride, int is709, int isFullRange,
                                      int width, int height) {
  I420ToARGBMatrix(y, y_stride, u, u_stride, v, v_stride, argb, argb_stride, fovea_yuv_constants(is709, isFullRange),
                   width, height);
}
