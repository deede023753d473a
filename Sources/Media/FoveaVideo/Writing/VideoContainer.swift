// SPDX-License-Identifier: Apache-2.0

/// The container format of a written video; the extension of the file name selects it.
public enum VideoContainer: String, Sendable, Hashable, CaseIterable {
  /// MP4.
  case mp4
  /// QuickTime.
  case mov
  /// Matroska; ".mkv".
  case mkv
  /// WebM.
  case webm
  /// AVI, which stores no timestamps: all frames have the same duration.
  case avi

  /// Selects the container by a path's extension, in lower or upper case.
  /// - Throws: `VideoError` with `option-invalid`, which lists the extensions.
  public init(path: String) throws(VideoError) {
    let name =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    if let container = Self(rawValue: ending == "m4v" ? "mp4" : ending) {
      self = container
      return
    }
    throw VideoError(
      .optionInvalid,
      ending.isEmpty
        ? "the name does not have the extension of a video format"
        : "'.\(ending)' is not a video format that Fovea writes",
      remedy: "End the name with \(Self.allCases.map { "." + $0.rawValue }.joined(separator: ", "))",
      subject: path)
  }

  /// The supported codecs, the default first.
  public var codecs: [VideoCodec] {
    switch self {
    case .mp4: [.h264, .vp9, .mjpeg]
    case .mov: [.h264, .mjpeg]
    case .mkv: [.h264, .vp9, .mjpeg]
    case .webm: [.vp9]
    case .avi: [.mjpeg, .h264]
    }
  }

  /// FFmpeg's name of the container.
  var native: String { self == .mkv ? "matroska" : rawValue }
}

/// The codec of a written video.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  /// H.264, for MP4, MOV and MKV: small, plays everywhere.
  case h264
  /// VP9, for WebM, MKV and MP4: free of patent fees, slower to write.
  case vp9
  /// Motion JPEG, for AVI, MOV and MKV: each frame is a separate image, large.
  case mjpeg

  /// FFmpeg's encoders for the codec, the best first.
  var encoders: [String] {
    switch self {
    case .h264: ["libx264", "libopenh264"]
    case .vp9: ["libvpx-vp9"]
    case .mjpeg: ["mjpeg"]
    }
  }
}
