// SPDX-License-Identifier: Apache-2.0
// Samples a rotated rectangle.
#include "kernels.h"

// Planes, the map and the results of one call.
typedef struct {
  const uint8_t* const* src;
  uint8_t* const* dst;
  ptrdiff_t stride;
  int step, channels, width, height, columns;
  const fovea_turn* turn;
} fovea_turning;

FOVEA_INLINE int64_t clamped(int64_t position, int64_t last) {
  return position < 0 ? 0 : position > last ? last : position;
}

// Samples the columns of a row of the result from one on.
static void sample_rest(const fovea_turning* t, int row, int from) {
  const int64_t last_x = (int64_t)(t->width - 1) << 16, last_y = (int64_t)(t->height - 1) << 16;
  for (int column = from; column < t->columns; column++) {
    const fovea_turn* turn = t->turn;
    const int64_t x = clamped(turn->x + row * turn->row_x + column * turn->column_x, last_x);
    const int64_t y = clamped(turn->y + row * turn->row_y + column * turn->column_y, last_y);
    const int right = (int)(x >> 8) & 255, low = (int)(y >> 8) & 255;
    // The last sample has no neighbour, and needs none.
    const ptrdiff_t next = x < last_x ? t->step : 0, below = y < last_y ? t->stride : 0;
    for (int channel = 0; channel < t->channels; channel++) {
      const uint8_t* p = t->src[channel] + (y >> 16) * t->stride + (x >> 16) * t->step;
      const int above = p[0] * 256 + (p[next] - p[0]) * right;
      const int under = p[below] * 256 + (p[below + next] - p[below]) * right;
      t->dst[channel][row * t->columns + column] = (uint8_t)((above * 256 + (under - above) * low + 32768) >> 16);
    }
  }
}

#if defined(__x86_64__)
// Defines a function that reads the bytes at each of eight offsets; a gather takes longer.
#define FOVEA_DEFINE_READ(NAME, TYPE, VECTOR)                                    \
  FOVEA_AVX2_INLINE VECTOR NAME(const uint8_t* base, const int32_t offsets[8]) { \
    VECTOR found;                                                                \
    for (int i = 0; i < 8; i++) {                                                \
      TYPE bytes;                                                                \
      memcpy(&bytes, base + offsets[i], sizeof bytes);                           \
      found[i] = bytes;                                                          \
    }                                                                            \
    return found;                                                                \
  }
FOVEA_DEFINE_READ(pairs, uint16_t, fovea_u16x8)
FOVEA_DEFINE_READ(fours, int32_t, fovea_i32x8)

// The means of samples and their neighbours to the right, times 256.
FOVEA_AVX2_INLINE fovea_i32x8 means(fovea_i32x8 left, fovea_i32x8 next, fovea_i32x8 right) {
  return (left << 8) + (next - left) * right;
}

// The same of pairs, whose upper byte is the neighbour.
FOVEA_AVX2_INLINE fovea_i32x8 pair_means(fovea_u16x8 pairs, fovea_u16x8 right) {
  const fovea_u16x8 left = pairs & 255;
  const fovea_u16x8 means = (left << 8) + ((pairs >> 8) - left) * right;
  return __builtin_convertvector(means, fovea_i32x8);
}

// Positions along an axis.
typedef struct {
  fovea_i32x8 sample;  // the one before
  fovea_i32x8 weight;  // of the next one, in 1/256
} fovea_places;

FOVEA_AVX2_INLINE fovea_places places(fovea_u32x8 positions, int count) {
  const fovea_i32x8 zero = {0};
  const fovea_i32x8 inside = __builtin_elementwise_min(
      __builtin_elementwise_max((fovea_i32x8)positions, zero), zero + ((count - 1) << 16));
  const fovea_i32x8 sample = __builtin_elementwise_min(inside >> 16, zero + (count - 2));
  return (fovea_places){sample, (inside - (sample << 16)) >> 8};
}

// Samples the columns of a row eight at a time, as far as there are eight; returns the first of the others.
// No read leaves the two samples of a row that it is for.
FOVEA_AVX2 int sample_eights(const fovea_turning* t, int row) {
  const fovea_u32x8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  const fovea_turn* turn = t->turn;
  const uint32_t column_x = (uint32_t)turn->column_x, column_y = (uint32_t)turn->column_y;
  const int channels = t->channels, step = t->step, columns = t->columns, width = t->width, height = t->height;
  const ptrdiff_t stride = t->stride, next = 2 * step - 4;
  const uint8_t *src[3] = {0}, *base = t->src[0];
  uint8_t* dst[3] = {0};
  for (int c = 0; c < channels; c++) {
    src[c] = t->src[c];
    dst[c] = t->dst[c] + row * columns;
    base = src[c] < base ? src[c] : base;
  }
  fovea_u32x8 xs = (uint32_t)(turn->x + row * turn->row_x) + lanes * column_x;
  fovea_u32x8 ys = (uint32_t)(turn->y + row * turn->row_y) + lanes * column_y;
  int column = 0;
  for (; column + 8 <= columns; column += 8, xs += 8 * column_x, ys += 8 * column_y) {
    const fovea_places x = places(xs, width), y = places(ys, height);
    const fovea_i32x8 place = y.sample * (int32_t)stride + x.sample * step;
    int32_t offsets[8];
    memcpy(offsets, &place, sizeof offsets);
    fovea_i32x8 top, bottom, top_next, bottom_next;
    if (step > 1) {
      top = fours(base, offsets);
      bottom = fours(base + stride, offsets);
      top_next = fours(base + next, offsets);
      bottom_next = fours(base + stride + next, offsets);
    }
    for (int c = 0; c < channels; c++) {
      fovea_i32x8 above, under;
      if (step > 1) {
        const int shift = (int)(src[c] - base) * 8, next_shift = shift + (4 - step) * 8;
        above = means((top >> shift) & 255, (top_next >> next_shift) & 255, x.weight);
        under = means((bottom >> shift) & 255, (bottom_next >> next_shift) & 255, x.weight);
      } else {
        const fovea_u16x8 right = __builtin_convertvector(x.weight, fovea_u16x8);
        above = pair_means(pairs(src[c], offsets), right);
        under = pair_means(pairs(src[c] + stride, offsets), right);
      }
      const fovea_i32x8 mean = ((above << 8) + (under - above) * y.weight + 32768) >> 16;
      const fovea_u8x8 bytes = __builtin_convertvector(mean, fovea_u8x8);
      memcpy(dst[c] + column, &bytes, sizeof bytes);
    }
  }
  return column;
}

// Whether all positions of a row fit 32 bits.
FOVEA_INLINE int fits(int64_t first, int64_t step, int columns) {
  const int64_t last = first + step * columns, most = INT32_MAX;
  return -most <= first && first <= most && -most <= last && last <= most;
}
#endif

void fovea_sample_turned(const uint8_t* const src[3], ptrdiff_t stride, int step, int channels, int width, int height,
                         const fovea_turn* turn, uint8_t* const dst[3], int columns, int rows) {
  const fovea_turning t = {src, dst, stride, step, channels, width, height, columns, turn};
#if defined(__x86_64__)
  // Each sample has a neighbour, and its position and offset fit 32 bits.
  const int64_t reach = (stride < 0 ? -stride : stride) * (int64_t)height;
  const int has_eights = TestCpuFlag(kCpuHasAVX2) && 2 <= width && width <= 32768 && 2 <= height && height <= 32768 &&
                         reach <= INT32_MAX;
#endif
  for (int row = 0; row < rows; row++) {
    int from = 0;
#if defined(__x86_64__)
    if (has_eights && fits(turn->x + row * turn->row_x, turn->column_x, columns) &&
        fits(turn->y + row * turn->row_y, turn->column_y, columns))
      from = sample_eights(&t, row);
#endif
    sample_rest(&t, row, from);
  }
}
