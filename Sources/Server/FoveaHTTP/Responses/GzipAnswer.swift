// SPDX-License-Identifier: Apache-2.0
#if Server
import CZlib
import HTTPTypes
package import Hummingbird

/// Answers that are compressed if their reader accepts it.
///
/// The `ETag` stays the same: clients of Google's APIs send it back unchanged, whether they read the
/// compressed form or not.
///
/// **Source:** RFC 1952; RFC 9110 sections 8.4 and 12.5.3.
package enum GzipAnswer {
  /// The minimum size: shorter answers would hardly shrink.
  static let least = 200

  /// Returns a reply with the bytes, compressed if the request accepts gzip and it makes them smaller.
  package static func response(to request: Request, _ bytes: [UInt8], headers: HTTPFields = [:]) -> Response {
    var headers = headers
    headers[.vary] = "Accept-Encoding"
    var body = bytes
    if bytes.count >= least, accepts(request.headers[.acceptEncoding]),
      let compressed = compressed(bytes), compressed.count < bytes.count
    {
      headers[.contentEncoding] = "gzip"
      body = compressed
    }
    headers[.contentLength] = String(body.count)
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// Returns whether a reader with this `Accept-Encoding` accepts gzip.
  package static func accepts(_ header: String?) -> Bool {
    for item in (header ?? "").lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = parts.first, ["gzip", "x-gzip", "*"].contains(name) else { continue }
      return !parts.dropFirst().contains { part in
        part.hasPrefix("q=") && Double(part.dropFirst(2)).map { $0 <= 0 } ?? true
      }
    }
    return false
  }

  /// Returns the bytes as gzip; nil if there is too little memory.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    // zlib's upper bound, plus gzip's head and checksum.
    let most = bytes.count + bytes.count / 1000 + 64
    let compressed = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: most) { target, count in
        // SAFETY: zlib reads `source.count` bytes of `source` and writes at most `most` into `target`.
        count = unsafe fovea_gzip(source.baseAddress, source.count, target.baseAddress, most)
      }
    }
    return compressed.isEmpty ? nil : compressed
  }
}
#endif
