// SPDX-License-Identifier: Apache-2.0

/// How a video is compressed when it is written.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  /// H.264, for MP4, MOV and MKV.
  case h264
  /// VP9, for WebM and MKV.
  case vp9
  /// Motion JPEG, for AVI, MOV and MKV.
  case mjpeg
}
