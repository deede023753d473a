// SPDX-License-Identifier: Apache-2.0
#if Server
package import HTTPTypes
package import Hummingbird
package import NIOCore
import NIOPosix

/// A source of bytes at offsets that do not change while it is open.
package protocol ByteRangeSource: Sendable {
  var size: Int64 { get }
  /// Reads up to `count` bytes from an offset; blocks.
  /// - Returns: The number of bytes read; 0 at the end.
  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws -> Int
  /// An open file with the same bytes at the same offsets, open for the lifetime of the source; nil if there
  /// is none.
  var descriptor: Int32? { get }
}

extension ByteRangeSource {
  package var descriptor: Int32? { nil }
}

/// An immutable file over HTTP: complete, in ranges, or not sent if the caller has it (RFC 9110).
///
/// The memory for an answer does not depend on the file's size.
package struct FileResponse: Sendable {
  /// The strong entity tag, with its quotes.
  package var tag: String
  package var contentType = "application/octet-stream"
  /// `Repr-Digest` (RFC 9530): the base64 text of the SHA-256.
  package var digest: String?
  package var cacheControl = "private, immutable, max-age=31536000"
  /// The name for saving the file.
  package var fileName: String?
  /// Called with the number of bytes of each piece passed to the connection.
  package var sent: @Sendable (Int) -> Void = { _ in }
  /// The connection through which the kernel sends the file, if possible; without it the bytes are read and
  /// written.
  package var channel: (any Channel)?
  /// The entity tags to compare instead of the request's `If-Match` and `If-None-Match`; nil for those.
  package var conditions: (match: String?, noneMatch: String?)?

  package init(tag: String) { self.tag = tag }

  static let chunk = 256 << 10

  /// Returns the answer to a GET or HEAD.
  package func response(to request: Request, source: any ByteRangeSource) -> Response {
    var headers: HTTPFields = [.eTag: tag, .acceptRanges: "bytes", .cacheControl: cacheControl]
    if let digest { headers[.reprDigest] = "sha-256=:\(digest):" }
    let conditions =
      conditions ?? (match: request.headers[.ifMatch], noneMatch: request.headers[.ifNoneMatch])
    guard EntityTags.allows(conditions.match, tag) else {
      return Response(status: .preconditionFailed, headers: headers)
    }
    if EntityTags.matches(conditions.noneMatch, tag) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = contentType
    headers[.xContentTypeOptions] = "nosniff"
    if let fileName { headers[.contentDisposition] = "attachment; filename=\"\(fileName)\"" }
    let isRange = request.method == .get && EntityTags.allowsRange(request.headers, tag)
    switch isRange ? RangeRequest(request.headers[.range], size: source.size) : .whole {
    case .whole: return whole(request, headers, source)
    case .parts(let parts) where parts.count == 1: return part(parts[0], headers, source)
    case .parts(let parts): return multipart(parts, headers, source)
    case .unsatisfiable:
      headers[.contentRange] = "bytes */\(source.size)"
      headers[.contentType] = nil
      headers[.contentDisposition] = nil
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
  }

  private func whole(_ request: Request, _ headers: HTTPFields, _ source: any ByteRangeSource) -> Response {
    var headers = headers
    headers[.contentLength] = String(source.size)
    guard request.method != .head else { return Response(status: .ok, headers: headers) }
    return Response(status: .ok, headers: headers, body: body([.file(0..<source.size)], source))
  }

  private func part(_ part: Range<Int64>, _ headers: HTTPFields, _ source: any ByteRangeSource) -> Response {
    var headers = headers
    headers[.contentRange] = FileResponse.contentRange(part, source.size)
    headers[.contentLength] = String(part.count)
    return Response(status: .partialContent, headers: headers, body: body([.file(part)], source))
  }

  private func multipart(
    _ parts: [Range<Int64>], _ headers: HTTPFields, _ source: any ByteRangeSource
  ) -> Response {
    // The tag is a digest of the file, so as a boundary it does not occur in the file.
    let boundary = "fovea-" + tag.filter { $0 != "\"" }.prefix(40)
    var pieces: [Piece] = []
    for part in parts {
      pieces.append(
        .text(
          "\r\n--\(boundary)\r\nContent-Type: \(contentType)\r\nContent-Range: "
            + "\(FileResponse.contentRange(part, source.size))\r\n\r\n"))
      pieces.append(.file(part))
    }
    pieces.append(.text("\r\n--\(boundary)--\r\n"))
    var headers = headers
    headers[.contentType] = "multipart/byteranges; boundary=\(boundary)"
    headers[.contentLength] = String(pieces.reduce(0) { $0 + $1.count })
    return Response(status: .partialContent, headers: headers, body: body(pieces, source))
  }

  private static func contentRange(_ part: Range<Int64>, _ size: Int64) -> String {
    "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
  }

  private enum Piece: Sendable {
    case text(String)
    case file(Range<Int64>)

    var count: Int64 {
      switch self {
      case .text(let text): Int64(text.utf8.count)
      case .file(let range): Int64(range.count)
      }
    }
  }

  private func body(_ pieces: [Piece], _ source: any ByteRangeSource) -> ResponseBody {
    let (sent, channel) = (sent, channel)
    return ResponseBody(contentLength: nil) { writer in
      for piece in pieces {
        switch piece {
        case .text(let text): try await writer.write(ByteBuffer(string: text))
        case .file(let range):
          if try await FileResponse.hand(range, of: source, to: channel, sent) { continue }
          try await FileResponse.write(range, of: source, to: &writer, sent)
        }
      }
      try await writer.finish(nil)
    }
  }

  /// Sends a range through the kernel.
  /// - Returns: False if this connection does not support it, and nothing was sent.
  private static func hand(
    _ range: Range<Int64>, of source: any ByteRangeSource, to channel: (any Channel)?,
    _ sent: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool {
    guard let channel, let descriptor = source.descriptor else { return false }
    let segment = FileSegment(source: source, descriptor: descriptor, range: range, sent: sent)
    do {
      try await channel.triggerUserOutboundEvent(segment)
      return true
    } catch ChannelError.operationUnsupported {
      return false
    }
  }

  /// Reads a range and writes it in chunks.
  @concurrent private static func write(
    _ range: Range<Int64>, of source: any ByteRangeSource, to writer: inout any ResponseBodyWriter,
    _ sent: @Sendable (Int) -> Void
  ) async throws {
    var buffer = ByteBuffer()
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Int64(chunk), range.upperBound - offset))
      let (from, memory) = (offset, buffer)
      // Once written, the memory has a single owner again and is reused.
      buffer = ByteBuffer()
      buffer = try await NIOThreadPool.singleton.runIfActive {
        var memory = memory
        memory.clear(minimumCapacity: chunk)
        // SAFETY: the closure writes at most `count` bytes, and returns the number written.
        let read = try unsafe memory.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
          try unsafe source.read(at: from, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
        }
        guard read > 0 else { throw FileEnded() }
        return memory
      }
      offset += Int64(buffer.readableBytes)
      sent(buffer.readableBytes)
      try await writer.write(buffer)
    }
  }
}

/// A file is shorter than at the start of the answer; the connection is closed, so that the caller notices.
struct FileEnded: Error {}

extension HTTPField.Name {
  /// The digest of the whole file, even if only a range is sent (RFC 9530).
  package static let reprDigest = HTTPField.Name(parsed: "repr-digest") ?? .eTag
}
#endif
