// SPDX-License-Identifier: Apache-2.0
// Horizontal filters without transposing: byte shuffles pick the taps of sixteen outputs from their row.
//
// Tap k of an output is k bytes after its first, so one shuffle serves all taps, with the windows moved by k.
#include "kernels.h"

#if defined(__x86_64__)
typedef char fovea_i8x32 __attribute__((vector_size(32)));

// Loads two windows, one per lane, and moves the bytes selected by `picks` to the upper half of 16 bits.
FOVEA_AVX2_INLINE fovea_u16x16 pick(const uint8_t* first, const uint8_t* second, const uint8_t* picks) {
  fovea_u8x16 low, high;
  fovea_i8x32 pick;
  memcpy(&low, first, sizeof low);
  memcpy(&high, second, sizeof high);
  memcpy(&pick, picks, sizeof pick);
  const fovea_i8x32 both = (fovea_i8x32)__builtin_shufflevector(
      low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
      28, 29, 30, 31);
  return (fovea_u16x16)__builtin_ia32_pshufb256(both, pick);
}

// Returns the bytes of one tap, each in the upper half of its lane.
FOVEA_AVX2_INLINE fovea_u16x16 pick_all(const uint8_t* src, const int32_t* starts, const uint8_t* picks,
                                        const int windows) {
  fovea_u16x16 bytes = pick(src + starts[0], src + starts[windows], picks);
  if (windows > 1) bytes |= pick(src + starts[1], src + starts[windows + 1], picks + 32);
  if (windows > 2) bytes |= pick(src + starts[2], src + starts[windows + 2], picks + 64);
  if (windows > 2) bytes |= pick(src + starts[3], src + starts[windows + 3], picks + 96);
  return bytes;
}

// Computes exactly the same sums as `fovea_blend_rows`.
FOVEA_AVX2_INLINE void filter_columns_body(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst,
                                           ptrdiff_t dst_stride, int rows, const fovea_column_blocks* b,
                                           const int windows) {
  const int blocks = (b->width + 15) / 16;
  const int last = b->width - 16;
  const int taps = b->taps;
  for (int block = 0; block < blocks; block++) {
    const int32_t* starts = b->starts + 2 * windows * block;
    const uint8_t* picks = b->picks + 32 * windows * block;
    const uint16_t* weights = b->weights + 16 * taps * block;
    fovea_u16x16 bias, first, second, third, fourth;
    memcpy(&bias, b->biases + 16 * block, sizeof bias);
    memcpy(&first, weights, sizeof first);
    memcpy(&second, weights + 16, sizeof second);
    memcpy(&third, weights + (taps > 2 ? 32 : 0), sizeof third);
    memcpy(&fourth, weights + (taps > 3 ? 48 : 0), sizeof fourth);
    const uint8_t* from = src;
    uint8_t* to = dst + (16 * block < last ? 16 * block : last);
    // Processes all rows of a block before the next one, so that the block's data stays in registers.
    for (int row = 0; row < rows; row++, from += src_stride, to += dst_stride) {
      fovea_u16x16 sum = bias;
      sum += FOVEA_HIGH_AVX2(pick_all(from, starts, picks, windows), first);
      sum += FOVEA_HIGH_AVX2(pick_all(from + 1, starts, picks, windows), second);
      if (taps > 2) sum += FOVEA_HIGH_AVX2(pick_all(from + 2, starts, picks, windows), third);
      if (taps > 3) sum += FOVEA_HIGH_AVX2(pick_all(from + 3, starts, picks, windows), fourth);
      for (int k = 4; k < taps; k++) {
        fovea_u16x16 weight;
        memcpy(&weight, weights + 16 * k, sizeof weight);
        sum += FOVEA_HIGH_AVX2(pick_all(from + k, starts, picks, windows), weight);
      }
      const fovea_u8x16 result = __builtin_convertvector(sum >> 8, fovea_u8x16);
      memcpy(to, &result, sizeof result);
    }
  }
}

FOVEA_AVX2 void filter_columns(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride, int rows,
                               const fovea_column_blocks* b) {
  switch (b->windows) {
    case 1: return filter_columns_body(src, src_stride, dst, dst_stride, rows, b, 1);
    case 2: return filter_columns_body(src, src_stride, dst, dst_stride, rows, b, 2);
    default: return filter_columns_body(src, src_stride, dst, dst_stride, rows, b, 4);
  }
}
#endif

bool fovea_can_filter_columns(void) {
#if defined(__x86_64__)
  return TestCpuFlag(kCpuHasAVX2) != 0;
#else
  return false;
#endif
}

void fovea_filter_columns(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride, int rows,
                          const fovea_column_blocks* blocks) {
#if defined(__x86_64__)
  filter_columns(src, src_stride, dst, dst_stride, rows, blocks);
#endif
}
