// SPDX-License-Identifier: Apache-2.0

import CVideo

/// The amount of a video that was read, and the amount that its container declares.
///
/// It is measured in packets or, if the container does not count them, by the end time of the longest track.
/// Frames are not counted, because edit lists, or an open GOP at the end, may hide frames.
struct VideoExtent {
  /// The number of packets read from the video track.
  var packets: Int
  /// The number of packets that the container declares; nil if it declares none.
  var announcedPackets: Int?
  /// Whether an index lists each declared packet.
  var isIndexed: Bool
  /// The end of the tracks that were read, in seconds.
  var end: Double
  /// The declared end of the longest track, in seconds; nil if it is not declared or FFmpeg has guessed it.
  var announcedEnd: Double?
  /// Whether the file is as long as its container declares.
  var isWhole: Bool

  init(_ extent: fovea_video_extent) {
    packets = Int(extent.packets)
    announcedPackets = extent.announced > 0 ? Int(extent.announced) : nil
    isIndexed = extent.is_indexed
    end = extent.end
    announcedEnd = extent.announced_end > 0 ? extent.announced_end : nil
    isWhole = extent.is_whole
  }

  /// The reason for an end before the declared one.
  enum Shortfall { case packets, time(Double) }

  /// Compares the amount read with the declared amount.
  ///
  /// Tolerates 1 % plus two missing packets, or 2 % plus one missing second.
  /// - Parameter frameRate: The frames per second; nil if it is not known.
  /// - Returns: The shortfall; nil if there is none.
  func shortfall(frameRate: Double?) -> Shortfall? {
    if isWhole { return nil }
    guard let announcedPackets else {
      return announcedEnd.flatMap { end + 1 < $0 * 0.98 ? .time($0) : nil }
    }
    let enough = announcedPackets - 2 - announcedPackets / 100
    guard packets < enough else { return nil }
    // An AVI without an index counts a frame with a longer duration several times, although it has one
    // packet.
    if !isIndexed, let frameRate, end * frameRate >= Double(enough) { return nil }
    return .packets
  }
}
