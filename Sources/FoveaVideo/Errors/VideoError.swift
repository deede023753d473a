// SPDX-License-Identifier: Apache-2.0

/// Why a video could not be opened, read or written.
public struct VideoError: Error, Sendable {
  /// The kind of failure: stable text that programs may compare.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The code as results print it, in kebab case: "no-video".
    public var rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code's text.
    public var description: String { rawValue }

    /// No file has this name.
    public static let notFound = Code(rawValue: "not-found")
    /// The file exists and cannot be read, or reading failed.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The name is a folder's.
    public static let isDirectory = Code(rawValue: "is-directory")
    /// The file has no bytes, or the folder no images.
    public static let empty = Code(rawValue: "empty")
    /// The bytes are no video that Fovea reads.
    public static let unknownFormat = Code(rawValue: "unknown-format")
    /// The file is a list that names other files or addresses.
    public static let playlist = Code(rawValue: "playlist")
    /// There is sound or nothing, and no moving image.
    public static let noVideo = Code(rawValue: "no-video")
    /// The file ends before the part without which it cannot be read.
    public static let truncated = Code(rawValue: "truncated")
    /// The bytes contradict the format.
    public static let damaged = Code(rawValue: "damaged")
    /// The image is beyond `VideoReader.Options.maximumPixels`.
    public static let tooLarge = Code(rawValue: "too-large")
    /// FFmpeg is not installed, or in another version than the one that Fovea was built for.
    public static let libraryMissing = Code(rawValue: "library-missing")
    /// The installed FFmpeg has no decoder or encoder for the codec.
    public static let codecMissing = Code(rawValue: "codec-missing")
    /// Hardware decoding was demanded and is not to be had.
    public static let hardwareMissing = Code(rawValue: "hardware-missing")
    /// The pixels are laid out in a way that nothing converts.
    public static let unsupported = Code(rawValue: "unsupported")
    /// A server or camera cannot be reached.
    public static let unreachable = Code(rawValue: "unreachable")
    /// A server or camera did not answer in time.
    public static let timedOut = Code(rawValue: "timed-out")
    /// A stream ended or broke off, and connecting again did not help.
    public static let streamLost = Code(rawValue: "stream-lost")
    /// Opening was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// An option is out of its range.
    public static let optionInvalid = Code(rawValue: "option-invalid")
    /// There was no memory.
    public static let outOfMemory = Code(rawValue: "out-of-memory")
    /// The video could not be written.
    public static let writeFailed = Code(rawValue: "write-failed")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, as one sentence without a final stop.
  public var message: String
  /// What to do next, as one sentence without a final stop.
  public var remedy: String
  /// The video's name as the caller gave it.
  public var videoName: String

  /// Makes an error.
  public init(code: Code, message: String, remedy: String, videoName: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.videoName = videoName
  }
}

extension VideoError: CustomStringConvertible {
  /// Name, message and remedy, for people.
  public var description: String { "\(videoName): \(message). \(remedy)." }
}
