// SPDX-License-Identifier: Apache-2.0

import FoveaCore

// SAFETY: it has one user at a time: the download, or the thread whose end the download waits for.
/// The file that a download grows in, and the checksum of what is in it.
final class PartFile: @unchecked Sendable {
  let path: String
  private let descriptor: Int32
  private let sum = FileDigest()
  private(set) var count = 0

  /// Opens the file, which is made where it is missing, and reads what is in it.
  convenience init(path: String) throws(ModelStoreError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw FileSystem.failure(errno, writing: path) }
    self.init(descriptor: descriptor, path: path)
    guard FileSystem.size(of: path) != nil else { throw FileSystem.unwritable(path, "it is not a file") }
    let sum = sum
    var count = 0
    _ = try FileSystem.read(path) { bytes throws(ModelStoreError) in
      sum.update(bytes)
      count += bytes.count
    }
    self.count = count
    guard lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
      throw FileSystem.failure(errno, writing: path)
    }
  }

  /// Takes over an open descriptor, at the beginning of an empty file.
  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Forgets everything that is there.
  func restart() throws(ModelStoreError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw FileSystem.failure(errno, writing: path)
    }
    sum.restart()
    count = 0
  }

  func append(_ bytes: Span<UInt8>) throws(ModelStoreError) {
    if let number = Descriptor.write(bytes, to: descriptor).error {
      // A part of it may have been written: back to the last byte that the checksum knows.
      _ = ftruncate(descriptor, off_t(count))
      throw FileSystem.failure(number, writing: path)
    }
    sum.update(bytes)
    count += bytes.count
  }

  /// Has everything written to the disk.
  /// - Returns: The SHA-256 of what is there.
  func finish() throws(ModelStoreError) -> String {
    guard fsync(descriptor) == 0 else { throw FileSystem.failure(errno, writing: path) }
    return sum.sum()
  }
}
