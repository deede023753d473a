// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// The parameters of each channel, repeated: element i of interleaved pixels uses those of i % 24, as 24 is a
// multiple of both 3 channels and 8 lanes.
typedef struct {
  float mean[24], deviation[24], reciprocal[24];
} fovea_affine;

// Returns the parameters of three channels; deviations must not be 0.
fovea_affine fovea_affine_of(const float mean[3], const float deviation[3]);

// Converts `count` bytes to floats: (byte - mean) / deviation, rounded like a division. The first byte
// belongs to the first channel. With AVX2 and FMA the division is a corrected product, which the caller has
// compared for all 256 bytes.
void fovea_normalize(const uint8_t* src, float* dst, int count, const fovea_affine* a);

// Converts three planes of `width` bytes into `width` interleaved pixels of three floats.
void fovea_normalize_pixels(const uint8_t* first, const uint8_t* second, const uint8_t* third, float* dst, int width,
                            const fovea_affine* a);

// Repeats the first `unit` bytes of `dst` up to `count` bytes.
void fovea_repeat(void* dst, size_t unit, size_t count);
