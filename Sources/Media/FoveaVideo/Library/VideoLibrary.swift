// SPDX-License-Identifier: Apache-2.0

import CVideo

/// The installed FFmpeg, which is opened at the first use.
public enum VideoLibrary {
  /// The version: "59.27.100 (libavformat)".
  /// - Throws: `VideoError` with `library-missing` where FFmpeg cannot be used, with the reason.
  public static func version() throws(VideoError) -> String {
    let (status, text) = unsafe VideoText.call { unsafe fovea_video_version($0) }
    guard status == FOVEA_VIDEO_OK else { throw .from(status, text, "FFmpeg") }
    return text
  }

  /// Whether videos can be read and written.
  public static var isPresent: Bool { (try? version()) != nil }

  /// Whether the installed FFmpeg has an encoder for the codec.
  public static func canWrite(_ codec: VideoCodec) -> Bool {
    codec.encoders.contains { unsafe fovea_video_has_encoder($0) }
  }
}
