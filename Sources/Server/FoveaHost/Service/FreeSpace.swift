// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

/// The free space of the disks that a host writes to.
struct FreeSpace: Sendable {
  /// The number of free bytes below which a host is not ready for changes: some changes fit, and the pages
  /// that SQLite writes back, but hardly a file.
  static let least = 1 << 20

  /// A file or folder of the database, and one of the files of models.
  let places: [String]
  let least: Int
  /// Returns the number of free bytes at a path; nil if the system does not report it.
  var free: @Sendable (String) -> Int? = { FileSystem.freeBytes(at: $0) }

  /// Returns the reason why the host is not ready for changes; nil if there is enough space.
  ///
  /// Nothing is written.
  func problem() async -> HostError? {
    let found = await BlockingWork.run { [self] _ in places.compactMap { free($0) }.min() }
    guard let found, found < least else { return nil }
    let count = DecimalText.counted(found, "byte is", "bytes are")
    return HostError(
      .diskFull,
      "There is hardly any space left on the host's disk: \(count) free, the host needs "
        + "\(DecimalText.grouped(least)), and an upload its size",
      remedy: "Free some space on it")
  }
}
#endif
