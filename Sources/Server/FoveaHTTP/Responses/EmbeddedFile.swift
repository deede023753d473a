// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes
package import Hummingbird

/// A small file in memory, such as a page's style sheet that is embedded in the program.
package struct EmbeddedFile: Sendable {
  package let name: String
  /// The value of `content-type`.
  package let type: String
  package let body: ByteBuffer
  /// The strong entity tag, with its quotes.
  package let tag: String

  package init(name: String, type: String, body: ByteBuffer) {
    self.name = name
    self.type = type
    self.body = body
    tag = "\"\(SHA256.hexadecimal(of: Array(body.readableBytesView).span).prefix(32))\""
  }

  /// Returns the whole file, or 304: its content may change, so browsers revalidate each time.
  package func response(to request: Request, headers: HTTPFields) -> Response {
    var headers = headers
    headers[.eTag] = tag
    headers[.cacheControl] = "no-cache"
    if EntityTags.matches(request.headers[.ifNoneMatch], tag) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = type
    headers[.contentLength] = String(body.readableBytes)
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}
#endif
