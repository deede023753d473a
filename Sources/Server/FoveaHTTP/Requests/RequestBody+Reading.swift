// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import HTTPTypes
package import Hummingbird
import NIOCore

extension Request {
  /// The whole body.
  /// - Parameters:
  ///   - limit: The most bytes that it may have.
  ///   - coming: Called with the number of bytes of each piece, before the piece is kept.
  /// - Returns: The bytes.
  /// - Throws: A refusal where it has more bytes than that; what `coming` throws.
  package func bytes(
    upTo limit: Int, coming: (_ count: Int) throws -> Void = { _ in }
  ) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    // In pieces, the array would grow by doubling and be copied each time; a gate has checked the length.
    if let length = headers[.contentLength].flatMap({ Int($0) }), length > 0 {
      bytes.reserveCapacity(min(length, limit))
    }
    for try await buffer in body {
      guard bytes.count + buffer.readableBytes <= limit else { throw GateRules.tooLarge(limit: Int64(limit)) }
      try coming(buffer.readableBytes)
      bytes.append(contentsOf: buffer.readableBytesView)
    }
    return bytes
  }

  /// The whole body as it was before it was compressed, by what `Content-Encoding` names.
  /// - Throws: A refusal where it has more bytes than that, as it came or as it was, is damaged, or is coded otherwise.
  package func content(upTo limit: Int) async throws -> [UInt8] {
    try ContentCoding.decoded(await bytes(upTo: limit), headers[.contentEncoding], upTo: limit)
  }

  /// The body as JSON, which may be compressed; an empty one as `{}`.
  /// - Parameters:
  ///   - type: What it is expected to hold.
  ///   - limit: The most bytes that it may have.
  ///   - check: Called with its bytes before they are decoded.
  /// - Returns: The value.
  /// - Throws: A refusal that names the field; what `check` throws.
  package func json<Value: Decodable>(
    _ type: Value.Type, upTo limit: Int = 1 << 20,
    checking check: (_ bytes: [UInt8]) throws -> Void = { _ in }
  ) async throws -> Value {
    var bytes = try await content(upTo: limit)
    if bytes.isEmpty { bytes = Array("{}".utf8) }
    try check(bytes)
    do throws(JSONFailure) { return try JSONValue.decode(type, from: bytes) } catch {
      let place = error.path.isEmpty ? "The body" : "'\(error.path)'"
      throw Refusal(
        .badRequest, "request-malformed", "\(place) is not as expected: \(error.reason)",
        remedy: "Send JSON in UTF-8 as the documentation shows it")
    }
  }
}

extension Response {
  /// A reply with a JSON object.
  package static func json(
    _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], _ build: (inout JSONText) -> Void
  ) -> Response {
    jsonValue(status, headers: headers) { $0.object(build) }
  }

  /// A reply with a JSON value of any kind.
  package static func jsonValue(
    _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], _ build: (inout JSONText) -> Void
  ) -> Response {
    var json = JSONText(capacity: 512)
    build(&json)
    json.endLine()
    let buffer = ByteBuffer(string: json.text)
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    headers[.contentLength] = String(buffer.readableBytes)
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
  }
}
#endif
