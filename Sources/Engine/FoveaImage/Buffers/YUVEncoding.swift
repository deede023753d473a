// SPDX-License-Identifier: Apache-2.0

/// What the numbers of a YUV image mean: its colour matrix and its range.
///
/// The bytes do not say it; where the stream or the camera does, hand it on. The default, BT.601 in video range, is what
/// libyuv, and with it the TensorFlow Lite Task Library, takes where nothing is said. A wrong range shifts black by 16 of
/// 255 levels; a wrong matrix changes saturated colours by up to 30 and greys not at all.
public struct YUVEncoding: Sendable, Hashable {
  /// How red, green and blue make up brightness.
  public enum Matrix: Sendable, Hashable, CaseIterable {
    /// ITU-R BT.601: JPEG, cameras, standard-definition video; the default.
    case bt601
    /// ITU-R BT.709: most high-definition video.
    case bt709
  }

  /// Which numbers stand for black and white.
  public enum Range: Sendable, Hashable, CaseIterable {
    /// Black is 16 and white 235, chroma 16…240: video, Apple's "420v"; the default.
    case video
    /// Black is 0 and white 255: JPEG, many cameras, Apple's "420f".
    case full
  }

  /// How red, green and blue make up brightness.
  public var matrix: Matrix
  /// Which numbers stand for black and white.
  public var range: Range

  /// Makes an encoding; BT.601 in video range by default.
  public init(matrix: Matrix = .bt601, range: Range = .video) {
    self.matrix = matrix
    self.range = range
  }

  /// What JFIF defines for JPEG: BT.601, full range.
  public static let jpeg = YUVEncoding(matrix: .bt601, range: .full)
}

extension YUVEncoding: CustomStringConvertible {
  /// "BT.601, video range", as error messages print it.
  public var description: String {
    "\(matrix == .bt601 ? "BT.601" : "BT.709"), \(range == .video ? "video" : "full") range"
  }
}
