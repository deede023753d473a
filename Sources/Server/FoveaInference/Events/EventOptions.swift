// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

/// The place of a server's events, and how long they are kept.
package struct EventOptions: Sendable {
  /// The folder, created if it is missing; nil if the newest messages are only kept in memory.
  package var folder: String?
  /// The time after which a file that was not written any more is removed.
  package var keep = Duration.seconds(7 * 86_400)
  /// The size of all files in bytes, images included, above which the oldest are removed.
  package var limit: Int64 = 1 << 30
  /// The size of a file in bytes, with the images of its time.
  var segmentSize = 8 << 20
  /// The number of messages that are also kept in memory.
  var recent = 10_000
  /// The bytes of files after which a request reads no further file.
  var mostBytes = 16 << 20
  /// Writes bytes to a file; tests fail there.
  var write: @Sendable (_ bytes: [UInt8], _ descriptor: Int32) -> (written: Int, error: Int32?) = {
    Descriptor.write($0, to: $1)
  }

  package init(folder: String? = nil) { self.folder = folder }

  /// Checks the folder as at the start, and changes nothing.
  /// - Throws: `events-unusable`.
  package func check() throws(FoveaError) { if let folder { try EventFolder.check(folder) } }
}
#endif
