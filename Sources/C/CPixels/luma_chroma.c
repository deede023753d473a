// SPDX-License-Identifier: Apache-2.0
// Converts colour to planes of luma, Cb and Cr.
#include "kernels.h"

// A macro, because a function for all processors cannot take a 32-byte vector.
#define FOVEA_STORE_BYTES(dst, values)                                      \
  do {                                                                      \
    const fovea_u8x8 bytes = __builtin_convertvector((values), fovea_u8x8); \
    memcpy((dst), &bytes, sizeof bytes);                                    \
  } while (0)

FOVEA_INLINE void store_luma(const uint8_t* src, uint8_t* dst, const fovea_rgb_matrix* m) {
  fovea_u32x8 v;
  memcpy(&v, src, sizeof v);
  const fovea_i32x8 b = (fovea_i32x8)(v & 0xff), g = (fovea_i32x8)((v >> 8) & 0xff);
  const fovea_i32x8 r = (fovea_i32x8)((v >> 16) & 0xff);
  FOVEA_STORE_BYTES(dst, (r * m->yr + g * m->yg + b * m->yb + (m->black * 65536 + 32768)) >> 16);
}

// Both rows may be the same, for the last of an odd number.
FOVEA_INLINE void chroma_pixel(const uint8_t* top, const uint8_t* low, int x, int next, uint8_t* u, uint8_t* v,
                               const fovea_rgb_matrix* m) {
  const int b = top[4 * x] + top[4 * next] + low[4 * x] + low[4 * next];
  const int g = top[4 * x + 1] + top[4 * next + 1] + low[4 * x + 1] + low[4 * next + 1];
  const int r = top[4 * x + 2] + top[4 * next + 2] + low[4 * x + 2] + low[4 * next + 2];
  u[x / 2] = (uint8_t)((r * m->ur + g * m->ug + b * m->ub + (128 * 4 * 65536 + 131072)) >> 18);
  v[x / 2] = (uint8_t)((r * m->vr + g * m->vg + b * m->vb + (128 * 4 * 65536 + 131072)) >> 18);
}
FOVEA_INLINE void luma_pixel(const uint8_t* src, uint8_t* dst, int x, const fovea_rgb_matrix* m) {
  const uint8_t* p = src + 4 * x;
  dst[x] = (uint8_t)((p[2] * m->yr + p[1] * m->yg + p[0] * m->yb + (m->black * 65536 + 32768)) >> 16);
}

FOVEA_INLINE void luma_chroma_body(const uint8_t* top, const uint8_t* low, uint8_t* top_y, uint8_t* low_y,
                                   uint8_t* u, uint8_t* v, int width, const fovea_rgb_matrix* m) {
  int x = 0;
  for (; x + 16 <= width; x += 16) {
    fovea_u32x8 a, b, c, d;
    memcpy(&a, top + 4 * x, sizeof a);
    memcpy(&b, top + 4 * x + 32, sizeof b);
    memcpy(&c, low + 4 * x, sizeof c);
    memcpy(&d, low + 4 * x + 32, sizeof d);
    store_luma(top + 4 * x, top_y + x, m);
    store_luma(top + 4 * x + 32, top_y + x + 8, m);
    store_luma(low + 4 * x, low_y + x, m);
    store_luma(low + 4 * x + 32, low_y + x + 8, m);
    // Sums of two rows: blue in the lower and red in the upper half of each lane, green separate.
    const fovea_u32x8 left = (a & 0xff00ff) + (c & 0xff00ff), right = (b & 0xff00ff) + (d & 0xff00ff);
    const fovea_u32x8 green_left = ((a >> 8) & 0xff) + ((c >> 8) & 0xff);
    const fovea_u32x8 green_right = ((b >> 8) & 0xff) + ((d >> 8) & 0xff);
    const fovea_u32x8 both = __builtin_shufflevector(left, right, 0, 2, 4, 6, 8, 10, 12, 14) +
                             __builtin_shufflevector(left, right, 1, 3, 5, 7, 9, 11, 13, 15);
    const fovea_i32x8 green =
        (fovea_i32x8)(__builtin_shufflevector(green_left, green_right, 0, 2, 4, 6, 8, 10, 12, 14) +
                      __builtin_shufflevector(green_left, green_right, 1, 3, 5, 7, 9, 11, 13, 15));
    const fovea_i32x8 blue = (fovea_i32x8)(both & 0xffff), red = (fovea_i32x8)(both >> 16);
    const int32_t middle = 128 * 4 * 65536 + 131072;
    FOVEA_STORE_BYTES(u + x / 2, (red * m->ur + green * m->ug + blue * m->ub + middle) >> 18);
    FOVEA_STORE_BYTES(v + x / 2, (red * m->vr + green * m->vg + blue * m->vb + middle) >> 18);
  }
  for (; x < width; x += 2) {
    const int next = x + 1 < width ? x + 1 : x;
    luma_pixel(top, top_y, x, m);
    luma_pixel(low, low_y, x, m);
    luma_pixel(top, top_y, next, m);
    luma_pixel(low, low_y, next, m);
    chroma_pixel(top, low, x, next, u, v, m);
  }
}
void fovea_luma_chroma_plain(const uint8_t* top, const uint8_t* low, uint8_t* top_y, uint8_t* low_y, uint8_t* u,
                             uint8_t* v, int width, const fovea_rgb_matrix* m) {
  luma_chroma_body(top, low, top_y, low_y, u, v, width, m);
}
#if defined(__x86_64__)
FOVEA_AVX2 void luma_chroma_avx2(const uint8_t* top, const uint8_t* low, uint8_t* top_y, uint8_t* low_y, uint8_t* u,
                                 uint8_t* v, int width, const fovea_rgb_matrix* m) {
  luma_chroma_body(top, low, top_y, low_y, u, v, width, m);
}
#endif

void fovea_argb_to_i420(const uint8_t* src, ptrdiff_t stride, uint8_t* y, uint8_t* u, uint8_t* v, int width, int height,
                        const fovea_rgb_matrix* m) {
  const ptrdiff_t half = (width + 1) / 2;
  for (int row = 0; row < height; row += 2) {
    const int below = row + 1 < height ? row + 1 : row;
    const uint8_t* top = src + row * stride;
    const uint8_t* low = src + below * stride;
    uint8_t* top_y = y + row * (ptrdiff_t)width;
    uint8_t* low_y = y + below * (ptrdiff_t)width;
    uint8_t* us = u + row / 2 * half;
    uint8_t* vs = v + row / 2 * half;
    FOVEA_DISPATCH(luma_chroma_avx2(top, low, top_y, low_y, us, vs, width, m),
                   fovea_luma_chroma_plain(top, low, top_y, low_y, us, vs, width, m))
  }
}
