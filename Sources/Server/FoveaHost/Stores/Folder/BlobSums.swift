// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto

/// The sums of bytes that are written one after the other.
struct BlobSums: Sendable {
  private var hash = SHA256()
  private var checksum = CRC32C()
  private(set) var size: Int64 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe hash.update(bufferPointer: bytes)
    unsafe checksum.update(bytes)
    size += Int64(bytes.count)
  }

  var crc32c: UInt32 { checksum.value }

  var finished: FinishedBlob {
    FinishedBlob(sha256: hash.finalize().hexadecimal, size: size, crc32c: checksum.value)
  }
}

extension Sequence<UInt8> {
  /// Two lower-case digits for each byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
#endif
