// SPDX-License-Identifier: Apache-2.0

/// How a video is compressed when it is written.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  /// H.264, for MP4, MOV and MKV: small, plays everywhere.
  case h264
  /// VP9, for WebM, MKV and MP4: free of patent fees, slower to write.
  case vp9
  /// Motion JPEG, for AVI, MOV and MKV: each frame is a separate image, large.
  case mjpeg

  /// FFmpeg's encoders for it, the best first.
  var encoders: [String] {
    switch self {
    case .h264: ["libx264", "libopenh264"]
    case .vp9: ["libvpx-vp9"]
    case .mjpeg: ["mjpeg"]
    }
  }
}
