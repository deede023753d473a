// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <libyuv.h>

// libyuv's constants have a type that is incomplete in its headers, so Swift cannot refer to them.
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
