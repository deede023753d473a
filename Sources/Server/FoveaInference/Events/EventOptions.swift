// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

/// The place of a server's events, and how long they are kept.
package struct EventOptions: Sendable {
  /// The least ``limit`` in bytes: with less, a file ends after one image, and an event is removed with the
  /// next one.
  package static let leastLimit: Int64 = 1 << 20

  /// The folder, created if it is missing; nil if the newest messages are only kept in memory.
  package var folder: String?
  /// The time after which a message is removed, with its file.
  package var keep = Duration.seconds(7 * 86_400)
  /// The size of all files in bytes, images included, above which the oldest are removed; at least
  /// ``leastLimit``.
  package var limit: Int64 = 1 << 30
  /// The largest size of a file in bytes, with the images of its time.
  var segmentSize = 8 << 20
  /// The number of messages that are also kept in memory.
  var recent = 10_000
  /// The bytes of files after which a request reads no further file.
  var mostBytes = 16 << 20
  /// Writes bytes to a file; tests fail there.
  var write: @Sendable (_ bytes: [UInt8], _ descriptor: Int32) -> (written: Int, error: Int32?) = {
    Descriptor.write($0, to: $1)
  }

  /// The present moment in seconds since 1970; tests move it.
  var now: @Sendable () -> Double = { WallClock.seconds }
  /// The seconds since some moment, on a clock that no one sets; tests move it.
  var elapsed: @Sendable () -> Double = { [start = ContinuousClock.now] in
    (ContinuousClock.now - start).seconds
  }

  package init(folder: String? = nil) { self.folder = folder }

  /// The size in bytes at which a file ends: only whole files are removed, so a small limit has small ones.
  var fileSize: Int { min(segmentSize, Int(limit / 3)) }

  /// The seconds between two removals of old files: a minute, or less for a short ``keep``.
  var sweep: Int { Int(min(60, max(1, keep.seconds / 96))) }

  /// The seconds by which a file is removed earlier than ``keep`` after its last line, because of its first.
  private var lead: Double { min(keep.seconds, max(keep.seconds / 24, Double(4 * sweep))) }

  /// The age in seconds at which a file ends.
  ///
  /// It ends up to a sweep later, and is removed up to a sweep later than ``removal`` asks for; with both, no
  /// message in it is kept longer than ``keep``.
  var longestFile: Double { lead - Double(2 * sweep) }

  /// The seconds after its last line after which a file is removed.
  var removal: Double { keep.seconds - lead }

  /// Checks the folder as at the start, and changes nothing.
  /// - Throws: `events-unusable`.
  package func check() throws(FoveaError) { if let folder { try EventFolder.check(folder) } }
}
#endif
