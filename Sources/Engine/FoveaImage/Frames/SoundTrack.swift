// SPDX-License-Identifier: Apache-2.0

/// The sound and the subtitles of a video file, to be copied next to frames that are written.
public struct SoundTrack: Sendable, Hashable {
  /// The file.
  public var path: String
  /// The time in the file's own count that is 0 for the frames, in seconds.
  public var start: Double

  /// Names the sound of a file.
  public init(path: String, start: Double = 0) {
    self.path = path
    self.start = start
  }
}
