// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore

/// The checksums and the size of bytes written in sequence.
struct BlobSums: Sendable {
  private var hash = Crypto.SHA256()
  private var checksum = CRC32C()
  /// Only for uploads: nothing else has an MD5 to compare with.
  private var md5Hash: Crypto.Insecure.MD5?
  private(set) var size: Int64 = 0

  init(hasMD5: Bool = false) { md5Hash = hasMD5 ? Crypto.Insecure.MD5() : nil }

  /// Returns the sums of the bytes from a descriptor's position to its end.
  static func reading(_ descriptor: Int32, hasMD5: Bool = false) throws(SystemError) -> BlobSums {
    var sums = BlobSums(hasMD5: hasMD5)
    try Descriptor.forEachChunk(of: descriptor, size: 1 << 18) { sums.update($0) }
    return sums
  }

  /// Returns the sums of a file.
  static func reading(file path: String) throws(SystemError) -> BlobSums {
    // A pipe with that name must not block the program.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { Descriptor.close(descriptor) }
    return try reading(descriptor)
  }

  mutating func update(_ bytes: ArraySlice<UInt8>) {
    // SAFETY: the sums only read the bytes.
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe hash.update(bufferPointer: bytes)
    unsafe checksum.update(bytes)
    unsafe md5Hash?.update(bufferPointer: bytes)
    size += Int64(bytes.count)
  }

  var crc32c: UInt32 { checksum.value }

  var md5: [UInt8]? { md5Hash.map { Array($0.finalize()) } }

  var finished: FinishedBlob {
    FinishedBlob(
      sha256: Hexadecimal.encode(hash.finalize()), size: size, crc32c: checksum.value, md5: md5)
  }
}
#endif
