// SPDX-License-Identifier: Apache-2.0
#if Server
import CZlib
import FoveaInference
import FoveaTesting
import Testing

@Suite struct CompressedBodyTests {
  /// Compressed by zlib (RFC 1950).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    // SAFETY: zlib writes at most `count` bytes, which are allocated.
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { target, filled in
      let status = unsafe compress2(target.baseAddress, &count, bytes, UInt(bytes.count), 6)
      filled = status == Z_OK ? Int(count) : 0
    }
  }

  /// The same without zlib's header and checksum (RFC 1951).
  private static func raw(_ bytes: [UInt8]) -> [UInt8] { Array(zlib(bytes).dropFirst(2).dropLast(4)) }

  /// The same with gzip's header (RFC 1952).
  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let sum = unsafe UInt32(crc32(0, bytes, UInt32(bytes.count)))
    let end = [sum, UInt32(truncatingIfNeeded: bytes.count)].flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + raw(bytes) + end
  }

  @Test func `a compressed body gives the same image`() async throws {
    let photo = try RunningInference.bytes()
    let bodies = [
      ("gzip", Self.gzip(photo)), ("GZIP", Self.gzip(photo)), ("deflate", Self.zlib(photo)),
      ("deflate", Self.raw(photo)), ("identity", photo),
    ]
    try await RunningInference.run { server in
      let expected = try server.send("POST", "/v1/detect", photo).body.prefix { $0 != "]" }
      for (coding, body) in bodies {
        let answer = try server.send("POST", "/v1/detect", headers: ["Content-Encoding": coding], body)
        #expect(answer.status == 200 && answer.body.hasPrefix(expected), "\(coding): \(answer.body)")
      }
    }
  }

  @Test func `damaged data, bombs and unknown codings are rejected, and the next is answered`()
    async throws
  {
    let photo = try RunningInference.bytes()
    let whole = Self.gzip(photo)
    var otherSum = whole
    otherSum[whole.count - 5] ^= 1
    let bodies: [(name: String, coding: String, body: [UInt8], status: Int, code: String)] = [
      ("cut off", "gzip", Array(whole.dropLast(9)), 400, "request-malformed"),
      ("only a head", "gzip", Array(whole.prefix(10)), 400, "request-malformed"),
      ("not compressed", "gzip", photo, 400, "request-malformed"),
      ("another sum", "gzip", otherSum, 400, "request-malformed"),
      ("more behind the end", "gzip", whole + [0], 400, "request-malformed"),
      ("a bomb", "gzip", Self.gzip([UInt8](repeating: 0, count: 3 << 20)), 413, "request-too-large"),
      (
        "a bomb of zlib", "deflate", Self.zlib([UInt8](repeating: 0, count: 3 << 20)), 413,
        "request-too-large"
      ),
      ("brotli", "br", photo, 415, "coding-unknown"), ("two", "gzip, gzip", whole, 415, "coding-unknown"),
      ("nothing in it", "gzip", Self.gzip([]), 400, "request-empty"),
    ]
    try await RunningInference.run([.embedded], { $0.maximumBody = 2 << 20 }) { server in
      for row in bodies {
        let answer = try server.send(
          "POST", "/v1/detect", headers: ["Content-Encoding": row.coding], row.body)
        #expect(answer.status == row.status && answer.errorCode == row.code, "\(row.name): \(answer.body)")
        #expect(try server.send("POST", "/v1/detect", photo).status == 200, "after \(row.name)")
      }
    }
  }
}
#endif
