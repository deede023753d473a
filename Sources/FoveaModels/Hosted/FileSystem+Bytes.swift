// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaSystem

extension FileSystem {
  /// Calls `body` with all bytes of a file, which no one else may shorten meanwhile; they are not copied.
  static func withBytes<Result>(
    of path: String, _ body: (Span<UInt8>) -> Result
  ) throws(ModelStoreError) -> Result {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, systemMessage(errno)) }
    defer { close(descriptor) }
    guard let count = size(of: path) else { throw unreadable(path, "it is not a file") }
    guard count > 0 else { return body([UInt8]().span) }
    let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw unreadable(path, systemMessage(errno))
    }
    defer { unsafe munmap(address, count) }
    // SAFETY: the mapping has `count` bytes, and ends after the span that `body` gets.
    let bytes = unsafe UnsafeRawBufferPointer(start: address, count: count).bindMemory(to: UInt8.self)
    return unsafe body(bytes.span)
  }

  /// The SHA-256 of a file; nil where there is none.
  static func sha256(of path: String) throws(ModelStoreError) -> String? {
    var sum = SHA256()
    let isThere = try read(path) { bytes throws(ModelStoreError) in sum.update(bytes) }
    return isThere ? sum.finish() : nil
  }
}
