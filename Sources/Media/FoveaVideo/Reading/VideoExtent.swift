// SPDX-License-Identifier: Apache-2.0

import CVideo

/// How much of a video was read, next to what its container announces.
///
/// Frames are no measure of it: edit lists and open ends have frames that no one sees. Packets are, and where the
/// container does not count them, the time up to which its longest track goes.
struct VideoExtent {
  /// Packets of the video's track that were read.
  var packets: Int
  /// Packets that the container announces; nil where it does not count.
  var announcedPackets: Int?
  /// Whether each announced packet is in an index by which all are read.
  var isIndexed: Bool
  /// How far the tracks that were read go, in seconds.
  var end: Double
  /// How far the longest track goes as the container says, in seconds; nil where it does not, or FFmpeg has guessed.
  var announcedEnd: Double?
  /// Whether the file is as long as its container says.
  var isWhole: Bool

  init(_ extent: fovea_video_extent) {
    packets = Int(extent.packets)
    announcedPackets = extent.announced > 0 ? Int(extent.announced) : nil
    isIndexed = extent.is_indexed
    end = extent.end
    announcedEnd = extent.announced_end > 0 ? extent.announced_end : nil
    isWhole = extent.is_whole
  }

  /// Why the video ends before its container says it does.
  enum Shortfall { case packets, time(Double) }

  /// Looks for what is missing.
  ///
  /// A hundredth and two packets more may be missing, or two hundredths and a second.
  /// - Parameter frameRate: Frames a second; nil where no one says.
  /// - Returns: What is missing; nil where nothing is.
  func shortfall(frameRate: Double?) -> Shortfall? {
    if isWhole { return nil }
    guard let announcedPackets else {
      return announcedEnd.flatMap { end + 1 < $0 * 0.98 ? .time($0) : nil }
    }
    let enough = announcedPackets - 2 - announcedPackets / 100
    guard packets < enough else { return nil }
    // AVI counts a frame that is shown for longer as several, and has no packets for the others.
    if !isIndexed, let frameRate, end * frameRate >= Double(enough) { return nil }
    return .packets
  }
}
