// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// A file that another server sends: only its size, for the answer to HEAD.
struct ElsewhereSource: ByteRangeSource {
  let size: Int64

  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    throw HostError(.inner, "The bytes of this file are on another server", remedy: "Read them there")
  }
}
#endif
