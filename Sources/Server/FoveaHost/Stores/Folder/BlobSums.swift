// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore

/// The sums of bytes that are written one after the other.
struct BlobSums: Sendable {
  private var hash = Crypto.SHA256()
  private var checksum = CRC32C()
  private(set) var size: Int64 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe hash.update(bufferPointer: bytes)
    unsafe checksum.update(bytes)
    size += Int64(bytes.count)
  }

  var crc32c: UInt32 { checksum.value }

  var finished: FinishedBlob {
    FinishedBlob(sha256: Hexadecimal.encode(hash.finalize()), size: size, crc32c: checksum.value)
  }
}
#endif
