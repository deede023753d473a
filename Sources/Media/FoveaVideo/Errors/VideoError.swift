// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error for a video that cannot be opened, read or written.
public typealias VideoError = Failure<VideoCode>

/// The kinds of ``VideoError``.
public struct VideoCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = "video-"
  /// The code as printed in results, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// There is no such file or folder.
  ///
  /// **Remedy:** check the path.
  public static let notFound = Self(rawValue: "not-found")
  /// The file cannot be read, or is a device or socket but not a camera.
  ///
  /// **Remedy:** check its permissions, and the disk.
  public static let unreadable = Self(rawValue: "unreadable")
  /// The path is a folder.
  ///
  /// **Remedy:** name a file in it, or read it as an `ImageFolder`.
  public static let isDirectory = Self(rawValue: "is-directory")
  /// The file is empty, the folder has no images, or there was no frame to write or measure.
  ///
  /// **Remedy:** copy it again.
  public static let empty = Self(rawValue: "empty")
  /// The bytes are not a video in a supported format.
  ///
  /// **Remedy:** give MP4, MKV, WebM, MOV, AVI or MPEG-TS.
  public static let unknownFormat = Self(rawValue: "unknown-format")
  /// The file is a playlist that names other files; none of them is opened.
  ///
  /// **Remedy:** give the video, or the playlist's HTTP URL.
  public static let playlist = Self(rawValue: "playlist")
  /// The file has no video track.
  ///
  /// **Remedy:** give a file with a video track.
  public static let noVideo = Self(rawValue: "no-video")
  /// The file ends before a part that is required for reading it.
  ///
  /// **Remedy:** copy or download it again.
  public static let truncated = Self(rawValue: "truncated")
  /// The bytes contradict the format.
  ///
  /// **Remedy:** copy or download it again.
  public static let damaged = Self(rawValue: "damaged")
  /// The frame has more pixels than `VideoReader.Options.maximumPixels`.
  ///
  /// **Remedy:** make it smaller, or raise `VideoReader.Options.maximumPixels`.
  public static let tooLarge = Self(rawValue: "too-large")
  /// FFmpeg is not installed, or its version is not the one that Fovea was built with.
  ///
  /// **Remedy:** `make setup`, and build again.
  public static let libraryMissing = Self(rawValue: "library-missing")
  /// The installed FFmpeg has no decoder or encoder for the codec.
  ///
  /// **Remedy:** install a complete FFmpeg, or use another codec.
  public static let codecMissing = Self(rawValue: "codec-missing")
  /// Hardware decoding was required and is not available.
  ///
  /// **Remedy:** use `automatic` instead of `required`.
  public static let hardwareMissing = Self(rawValue: "hardware-missing")
  /// The pixel format cannot be converted.
  ///
  /// **Remedy:** convert the video to yuv420p.
  public static let unsupported = Self(rawValue: "unsupported")
  /// A server or camera cannot be reached.
  ///
  /// **Remedy:** check the address and the network.
  public static let unreachable = Self(rawValue: "unreachable")
  /// A server or camera does not answer in time.
  ///
  /// **Remedy:** check the address and the network.
  public static let timedOut = Self(rawValue: "timed-out")
  /// A stream was interrupted, and reconnecting failed.
  ///
  /// **Remedy:** check the camera and the network, or allow more attempts.
  public static let streamLost = Self(rawValue: "stream-lost")
  /// Opening was cancelled.
  ///
  /// **Remedy:** open it again.
  public static let cancelled = Self(rawValue: "cancelled")
  /// An option is out of range, or the container does not support the codec.
  ///
  /// **Remedy:** the message names what fits.
  public static let optionInvalid = Self(rawValue: "option-invalid")
  /// There is not enough memory for a frame.
  ///
  /// **Remedy:** use a smaller video.
  public static let outOfMemory = Self(rawValue: "out-of-memory")
  /// The disk is full, the folder may not be written to, or a frame came after the end.
  ///
  /// **Remedy:** check the disk and the folder.
  public static let writeFailed = Self(rawValue: "write-failed")
}
