// SPDX-License-Identifier: Apache-2.0

import CZlib
import FoveaTesting

/// A file of the shared data compressed by gzip without a name in its header.
enum GzipFile {
  struct Damaged: Error { var path: String }

  /// The text inside.
  static func text(_ path: String) throws -> String {
    let packed = try SharedData.bytes(path)
    // RFC 1952: ten bytes of header without options, the data, a checksum, and the size in four bytes.
    guard packed.count > 18, packed[0] == 0x1f, packed[1] == 0x8b, packed[3] == 0 else {
      throw Damaged(path: path)
    }
    let size = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    let data = Array(packed[10..<packed.count - 8])
    var status: Int32 = 0
    let bytes = unsafe data.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
        // SAFETY: zlib reads `source.count` bytes of `source` and writes at most `size` into `target`.
        status = unsafe fovea_inflate(source.baseAddress, source.count, target.baseAddress, size)
        count = status == Int32(FOVEA_INFLATE_OK) ? size : 0
      }
    }
    guard status == Int32(FOVEA_INFLATE_OK) else { throw Damaged(path: path) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
