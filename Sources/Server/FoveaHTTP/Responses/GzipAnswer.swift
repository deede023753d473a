// SPDX-License-Identifier: Apache-2.0
#if Server
import CZlib
import HTTPTypes
package import Hummingbird

/// Answers that are compressed where their reader asks for it.
///
/// The `ETag` stays as it is: clients of Google's APIs send it back whole, whichever form they have read.
///
/// **Source:** RFC 1952; RFC 9110 sections 8.4 and 12.5.3.
package enum GzipAnswer {
  /// Shorter answers would hardly become shorter.
  static let least = 200

  /// A reply with the bytes, compressed where the request accepts gzip and it makes them fewer.
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

  /// Whether a reader that sends this `Accept-Encoding` takes gzip.
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

  /// The bytes as gzip; nil where there is no memory for it.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    // What zlib promises at most, and the head and the sum of gzip.
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
