// SPDX-License-Identifier: Apache-2.0
#if Server
import CZlib
import HTTPTypes

/// Decompresses a body, up to a limit that its sender cannot exceed.
///
/// **Source:** RFC 9110 section 8.4; gzip is RFC 1952, deflate RFC 1950, or RFC 1951 as some clients send it.
package enum ContentCoding: Sendable {
  /// The maximum number of members of a gzip body; each costs time, even if it is empty.
  package static let mostMembers = 10_000

  /// Returns a body before its compression; unchanged if `coding` is nil or `identity`.
  /// - Parameters:
  ///   - body: The body as received.
  ///   - coding: The value of `Content-Encoding`.
  ///   - limit: The maximum number of bytes after decompression.
  ///   - coming: Called with the number of bytes of each decompressed piece, before it is kept.
  /// - Returns: The decompressed bytes.
  /// - Throws: 413 above the limit, 400 for data that is damaged or truncated, is followed by anything but
  ///   more gzip members, or has more than ``mostMembers`` of them, 415 for another coding; the errors of
  ///   `coming`.
  package static func decoded(
    _ body: [UInt8], _ coding: String?, upTo limit: Int,
    coming: (_ count: Int) throws(Refusal) -> Void = { _ in }
  ) throws(Refusal) -> [UInt8] {
    switch coding?.lowercased() {
    case nil, "", "identity": return body
    case "gzip", "x-gzip": return try inflated(body, isRaw: false, members: mostMembers, limit: limit, coming)
    case "deflate": return try inflated(body, isRaw: !hasZlibHead(body), members: 0, limit: limit, coming)
    case let name?:
      var refusal = Refusal(
        .unsupportedMediaType, "coding-unknown", "The body's Content-Encoding is '\(name.prefix(40))'",
        remedy: "Send it uncompressed, or with gzip or deflate")
      refusal.headers[.acceptEncoding] = "gzip, deflate"
      throw refusal
    }
  }

  /// Refuses a compressed body, on a route that stores its bytes unchanged.
  /// - Parameter coding: The value of `Content-Encoding`.
  /// - Throws: 415 for every coding but `identity`.
  package static func requireNone(_ coding: String?) throws(Refusal) {
    guard let coding, !["", "identity"].contains(coding.lowercased()) else { return }
    var refusal = Refusal(
      .unsupportedMediaType, "coding-unknown",
      "The body's Content-Encoding is '\(coding.prefix(40))', but files must be sent uncompressed",
      remedy: "Send the file itself, without Content-Encoding")
    refusal.headers[.acceptEncoding] = "identity"
    throw refusal
  }

  /// Returns whether a body starts with two bytes that declare Deflate and are a multiple of 31 (RFC 1950
  /// section 2.2).
  private static func hasZlibHead(_ body: [UInt8]) -> Bool {
    body.count >= 2 && body[0] & 0x0F == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
  }

  private static func inflated(
    _ body: [UInt8], isRaw: Bool, members: Int, limit: Int, _ coming: (Int) throws(Refusal) -> Void
  ) throws(Refusal) -> [UInt8] {
    guard body.count <= Int(UInt32.max) else { throw GateRules.tooLarge(limit: Int64(limit)) }
    var status = Z_OK
    var rest = 0
    // The number of members that may still follow, including the current one; deflate has none.
    var left = members
    var output: [UInt8] = []
    var refusal: Refusal?
    unsafe body.withUnsafeBufferPointer { source in
      // SAFETY: zlib reads `source.count` bytes of `source`, which outlives the stream, and writes at most
      // the size of each piece.
      var stream = unsafe z_stream()
      unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      unsafe stream.avail_in = UInt32(source.count)
      status = unsafe fovea_inflate_begin(&stream, isRaw ? 1 : 0)
      guard status == Z_OK else { return }
      defer { unsafe inflateEnd(&stream) }
      while status == Z_OK && output.count <= limit {
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { target, count in
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          status = unsafe inflate(&stream, Z_NO_FLUSH)
          count = target.count - Int(unsafe stream.avail_out)
        }
        do throws(Refusal) { try coming(piece.count) } catch {
          refusal = error
          return
        }
        output += piece
        // Without progress zlib returns Z_BUF_ERROR: the data ends too early.
        rest = unsafe Int(stream.avail_in)
        // Another member of gzip follows (RFC 1952 section 2.2); zlib's data never starts with this byte.
        if status == Z_STREAM_END, rest > 0, left > 0, unsafe source[source.count - rest] == 0x1F {
          left -= 1
          if left > 0 { status = unsafe inflateReset(&stream) }
        }
      }
    }
    if let refusal { throw refusal }
    guard output.count <= limit else { throw GateRules.tooLarge(limit: Int64(limit)) }
    guard members == 0 || left > 0 else {
      throw Refusal(
        .badRequest, "request-malformed", "The compressed body has more than \(members) members of gzip",
        remedy: "Compress it as one")
    }
    guard status == Z_STREAM_END, rest == 0 else {
      throw Refusal(
        .badRequest, "request-malformed", "The compressed body is damaged or truncated",
        remedy: "Send the request again")
    }
    return output
  }
}
#endif
