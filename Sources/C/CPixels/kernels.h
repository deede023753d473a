// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shared by the kernels: vector types, the upper half of a product, and the choice of the instruction set.
#include <libyuv.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CPixels.h"

#define FOVEA_INLINE static inline __attribute__((always_inline))

typedef uint16_t fovea_u16x8 __attribute__((vector_size(16)));
typedef int16_t fovea_i16x8 __attribute__((vector_size(16)));
typedef uint32_t fovea_u32x8 __attribute__((vector_size(32)));
typedef int32_t fovea_i32x8 __attribute__((vector_size(32)));
typedef uint8_t fovea_u8x8 __attribute__((vector_size(8)));

// FOVEA_DISPATCH runs `wide` on processors with AVX2, else `plain`. It uses libyuv's flags, so that a test
// can mask them for libyuv's functions and ours.
#if defined(__x86_64__)
#define FOVEA_AVX2 static __attribute__((target("avx2")))
#define FOVEA_AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))
typedef uint8_t fovea_u8x16 __attribute__((vector_size(16)));
typedef uint16_t fovea_u16x16 __attribute__((vector_size(32)));
typedef int16_t fovea_i16x16 __attribute__((vector_size(32)));
#define FOVEA_HIGH_SSE2(a, b) ((fovea_u16x8)__builtin_ia32_pmulhuw128((fovea_i16x8)(a), (fovea_i16x8)(b)))
#define FOVEA_HIGH_AVX2(a, b) ((fovea_u16x16)__builtin_ia32_pmulhuw256((fovea_i16x16)(a), (fovea_i16x16)(b)))
#define FOVEA_DISPATCH(wide, plain) \
  if (TestCpuFlag(kCpuHasAVX2)) {   \
    wide;                           \
  } else {                          \
    plain;                          \
  }
#else
#define FOVEA_DISPATCH(wide, plain) plain
#endif
