// SPDX-License-Identifier: Apache-2.0
// Bytes to floats.
#include "kernels.h"

fovea_affine fovea_affine_of(const float mean[3], const float deviation[3]) {
  fovea_affine affine;
  for (int i = 0; i < 24; i++) {
    affine.mean[i] = mean[i % 3];
    affine.deviation[i] = deviation[i % 3];
    affine.reciprocal[i] = 1 / deviation[i % 3];
  }
  return affine;
}

FOVEA_INLINE void normalize_rest(const uint8_t* src, float* dst, int from, int count, const fovea_affine* a) {
  for (int i = from, j = 0; i < count; i++, j = j == 23 ? 0 : j + 1)
    dst[i] = ((float)src[i] - a->mean[j]) / a->deviation[j];
}
static void normalize_plain(const uint8_t* src, float* dst, int count, const fovea_affine* a) {
  int i = 0;
  for (; i + 24 <= count; i += 24)
    for (int j = 0; j < 24; j++) dst[i + j] = ((float)src[i + j] - a->mean[j]) / a->deviation[j];
  normalize_rest(src, dst, i, count, a);
}

#if defined(__x86_64__)
typedef float fovea_f32x8 __attribute__((vector_size(32)));

#define FOVEA_FMA static __attribute__((target("avx2,fma")))

// A product with the reciprocal, corrected by its remainder, equals the quotient and takes a third of the
// time. `PixelTable` compares all 256 results before it uses this.
//
// Source: Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", theorem 8.
FOVEA_FMA inline __attribute__((always_inline)) void normalize_eight(const uint8_t* src, float* dst, fovea_f32x8 mean,
                                                                     fovea_f32x8 deviation, fovea_f32x8 reciprocal) {
  fovea_u8x8 bytes;
  memcpy(&bytes, src, sizeof bytes);
  const fovea_f32x8 value = __builtin_convertvector(bytes, fovea_f32x8) - mean;
  const fovea_f32x8 near = value * reciprocal;
  const fovea_f32x8 left = __builtin_elementwise_fma(-near, deviation, value);
  const fovea_f32x8 quotient = __builtin_elementwise_fma(left, reciprocal, near);
  memcpy(dst, &quotient, sizeof quotient);
}
FOVEA_FMA void normalize_avx2(const uint8_t* src, float* dst, int count, const fovea_affine* a) {
  fovea_f32x8 mean[3], deviation[3], reciprocal[3];
  memcpy(mean, a->mean, sizeof mean);
  memcpy(deviation, a->deviation, sizeof deviation);
  memcpy(reciprocal, a->reciprocal, sizeof reciprocal);
  int i = 0;
  for (; i + 24 <= count; i += 24) {
    normalize_eight(src + i, dst + i, mean[0], deviation[0], reciprocal[0]);
    normalize_eight(src + i + 8, dst + i + 8, mean[1], deviation[1], reciprocal[1]);
    normalize_eight(src + i + 16, dst + i + 16, mean[2], deviation[2], reciprocal[2]);
  }
  normalize_rest(src, dst, i, count, a);
}
#endif

void fovea_normalize(const uint8_t* src, float* dst, int count, const fovea_affine* a) {
#if defined(__x86_64__)
  if (TestCpuFlag(kCpuHasAVX2) && TestCpuFlag(kCpuHasFMA3)) return normalize_avx2(src, dst, count, a);
#endif
  normalize_plain(src, dst, count, a);
}

// Works in pieces that fit into the L1 cache.
void fovea_normalize_pixels(const uint8_t* first, const uint8_t* second, const uint8_t* third, float* dst,
                            int width, const fovea_affine* a) {
  enum { piece = 512 };  // a multiple of 8, so that each begins where the numbers repeat
  uint8_t line[3 * piece];
  for (int x = 0; x < width; x += piece) {
    const int count = width - x < piece ? width - x : piece;
    MergeRGBPlane(first + x, count, second + x, count, third + x, count, line, 3 * count, count, 1);
    fovea_normalize(line, dst + 3 * x, 3 * count, a);
  }
}

void fovea_repeat(void* dst, size_t unit, size_t count) {
  const size_t total = unit * count;
  for (size_t done = unit; done < total; done *= 2)
    memcpy((char*)dst + done, dst, done < total - done ? done : total - done);
}
