// SPDX-License-Identifier: Apache-2.0
// Converts YCbCr to RGB, in place.
//
// Uses 6 bits of fraction; libyuv's own matrix has 6-bit coefficients and is off by up to two levels. Pairs
// of bytes share a lane, as in blend_rows.c. HIGH multiplies signed lanes and keeps the upper 16 bits. Only
// blue can exceed 16 bits, if both y and cb are far out of the video range.
#include "kernels.h"

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
FOVEA_DEFINE_YCBCR(ycbcr_to_rgb_plain, static, fovea_i16x8, fovea_u16x8, FOVEA_SIGNED_HIGH_SSE2)
FOVEA_DEFINE_YCBCR(ycbcr_to_rgb_avx2, FOVEA_AVX2, fovea_i16x16, fovea_u16x16, FOVEA_SIGNED_HIGH_AVX2)
#else
#define FOVEA_SIGNED_WIDE(a) __builtin_convertvector((a), fovea_i32x8)
#define FOVEA_SIGNED_HIGH(a, b) \
  __builtin_convertvector((FOVEA_SIGNED_WIDE(a) * FOVEA_SIGNED_WIDE(b)) >> 16, fovea_i16x8)
FOVEA_DEFINE_YCBCR(ycbcr_to_rgb_plain, static, fovea_i16x8, fovea_u16x8, FOVEA_SIGNED_HIGH)
#endif

void fovea_yuv_to_rgb(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count, const fovea_yuv_matrix* m) {
  FOVEA_DISPATCH(ycbcr_to_rgb_avx2(yr, cbg, crb, count, m), ycbcr_to_rgb_plain(yr, cbg, crb, count, m))
}

void fovea_ycbcr_to_rgb(uint8_t* yr, uint8_t* cbg, uint8_t* crb, int count) {
  const fovea_yuv_matrix jfif = {0, 0, 22970, 5638, 11700, 29032 - 16384};
  fovea_yuv_to_rgb(yr, cbg, crb, count, &jfif);
}
