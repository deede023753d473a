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

// The first and the position after the last column of a row.
typedef struct {
  int from, to;
} fovea_span;

FOVEA_INLINE int64_t clamped(int64_t position, int64_t last) {
  return position < 0 ? 0 : position > last ? last : position;
}

// The columns of a span at which position + column * step is 0...last.
FOVEA_INLINE fovea_span narrowed(fovea_span span, int64_t position, int64_t step, int64_t last) {
  while (span.from < span.to && (uint64_t)(position + span.from * step) > (uint64_t)last) span.from++;
  while (span.from < span.to && (uint64_t)(position + (span.to - 1) * step) > (uint64_t)last) span.to--;
  return span;
}

// Samples some columns of a row of the result.
static void sample_span(const fovea_turning* t, int row, fovea_span span) {
  const int64_t last_x = (int64_t)(t->width - 1) << 16, last_y = (int64_t)(t->height - 1) << 16;
  for (int column = span.from; column < span.to; column++) {
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
// The four bytes from each of eight offsets.
FOVEA_AVX2_INLINE fovea_i32x8 gathered(const uint8_t* base, fovea_i32x8 offsets) {
  const fovea_i32x8 all = offsets - offsets - 1;
  return (fovea_i32x8)__builtin_ia32_gatherd_d256(all, (const int*)(const void*)base, offsets, all, 1);
}

// Samples columns that lie within the planes, eight at a time; returns the first of the others. Each read of
// four bytes ends within its row.
FOVEA_AVX2 int sample_eights(const fovea_turning* t, int row, fovea_span span) {
  const fovea_i32x8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  const fovea_turn* turn = t->turn;
  const int32_t column_x = (int32_t)turn->column_x, column_y = (int32_t)turn->column_y;
  const uint8_t* base = t->src[0];
  int shift[3] = {0, 0, 0};
  if (t->step > 1) {
    for (int c = 1; c < t->channels; c++) base = t->src[c] < base ? t->src[c] : base;
    for (int c = 0; c < t->channels; c++) shift[c] = (int)(t->src[c] - base) * 8;
  }
  int column = span.from;
  for (; column + 8 <= span.to; column += 8) {
    const fovea_i32x8 x = (int32_t)(turn->x + row * turn->row_x + column * turn->column_x) + lanes * column_x;
    const fovea_i32x8 y = (int32_t)(turn->y + row * turn->row_y + column * turn->column_y) + lanes * column_y;
    const fovea_i32x8 right = (x >> 8) & 255, low = (y >> 8) & 255;
    const fovea_i32x8 place = (y >> 16) * (int32_t)t->stride + (x >> 16) * t->step;
    fovea_i32x8 top, bottom, top_next, bottom_next;
    for (int c = 0; c < t->channels; c++) {
      if (t->step == 1) {
        top = gathered(t->src[c], place);
        bottom = gathered(t->src[c] + t->stride, place);
        top_next = top >> 8;
        bottom_next = bottom >> 8;
      } else if (c == 0) {
        top = gathered(base, place);
        bottom = gathered(base + t->stride, place);
        top_next = gathered(base + t->step, place);
        bottom_next = gathered(base + t->stride + t->step, place);
      }
      const fovea_i32x8 a = (top >> shift[c]) & 255, b = (bottom >> shift[c]) & 255;
      const fovea_i32x8 above = (a << 8) + (((top_next >> shift[c]) & 255) - a) * right;
      const fovea_i32x8 under = (b << 8) + (((bottom_next >> shift[c]) & 255) - b) * right;
      const fovea_i32x8 mean = ((above << 8) + (under - above) * low + 32768) >> 16;
      const fovea_u8x8 bytes = __builtin_convertvector(mean, fovea_u8x8);
      memcpy(t->dst[c] + row * t->columns + column, &bytes, sizeof bytes);
    }
  }
  return column;
}
#endif

void fovea_sample_turned(const uint8_t* const src[3], ptrdiff_t stride, int step, int channels, int width, int height,
                         const fovea_turn* turn, uint8_t* const dst[3], int columns, int rows) {
  const fovea_turning t = {src, dst, stride, step, channels, width, height, columns, turn};
  const fovea_span whole = {0, columns};
  for (int row = 0; row < rows; row++) {
    fovea_span rest = whole;
#if defined(__x86_64__)
    // Offsets and positions must fit 32 bits, and the four bytes from the last sample but four end within a row.
    const int64_t reach = (stride < 0 ? -stride : stride) * (int64_t)height;
    if (TestCpuFlag(kCpuHasAVX2) && width > 8 && width < 32768 && height < 32768 && reach <= INT32_MAX) {
      fovea_span inside =
          narrowed(whole, turn->x + row * turn->row_x, turn->column_x, ((int64_t)(width - 4) << 16) - 1);
      inside = narrowed(inside, turn->y + row * turn->row_y, turn->column_y, ((int64_t)(height - 1) << 16) - 1);
      const int end = sample_eights(&t, row, inside);
      sample_span(&t, row, (fovea_span){0, inside.from});
      rest.from = end;
    }
#endif
    sample_span(&t, row, rest);
  }
}
