// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import HTTPTypes
package import Hummingbird
import NIOCore

extension Request {
  /// Returns the whole body.
  /// - Parameters:
  ///   - limit: The maximum number of bytes of the body.
  ///   - coming: Called with the number of bytes of each piece, before it is kept.
  /// - Returns: The bytes.
  /// - Throws: A refusal if the body is larger; the errors of `coming`.
  package func bytes(
    upTo limit: Int, coming: (_ count: Int) throws -> Void = { _ in }
  ) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    // Growing piece by piece would double and copy the array each time; a gate has already checked the
    // length.
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

  /// Returns the whole body, decompressed according to `Content-Encoding`.
  /// - Throws: A refusal if it is larger, before or after decompression, is damaged, or has another coding.
  package func content(upTo limit: Int) async throws -> [UInt8] {
    try ContentCoding.decoded(await bytes(upTo: limit), headers[.contentEncoding], upTo: limit)
  }
}

/// Bodies of requests as JSON.
package enum JSONBody {
  /// Decodes a body; an empty one counts as `{}`.
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - bytes: The decompressed body.
  ///   - check: Called with the bytes before they are decoded.
  /// - Returns: The value.
  /// - Throws: A refusal that names the field; the errors of `check`.
  package static func value<Value: Decodable>(
    _ type: Value.Type, of bytes: [UInt8], checking check: (_ bytes: [UInt8]) throws -> Void = { _ in }
  ) throws -> Value {
    let bytes = bytes.isEmpty ? Array("{}".utf8) : bytes
    try check(bytes)
    do throws(JSONFailure) { return try JSONValue.decode(type, from: bytes) } catch {
      let place = error.path.isEmpty ? "The body" : "'\(error.path)'"
      throw Refusal(
        .badRequest, "request-malformed", "\(place) is invalid: \(error.reason)",
        remedy: "Send JSON in UTF-8 as documented")
    }
  }
}

extension Response {
  /// Returns a reply with a JSON object.
  package static func json(
    _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], _ build: (inout JSONText) -> Void
  ) -> Response {
    jsonValue(status, headers: headers) { $0.object(build) }
  }

  /// Returns a reply with a JSON value of any kind.
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
