// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// A body of two parts, metadata and bytes, as in Cloud Storage's multipart upload (RFC 2387).
struct MultipartRelated: Equatable {
  /// The JSON of the first part.
  let metadata: ArraySlice<UInt8>
  /// The bytes of the second part.
  let content: ArraySlice<UInt8>

  /// Splits a body with the content type `multipart/related; boundary="…"`; an error if it does not have
  /// exactly two parts, or a part has no end.
  init(_ body: [UInt8], contentType: String) throws(HostError) {
    guard contentType.lowercased().hasPrefix("multipart/related"),
      let boundary = BoundaryText.boundary(of: contentType)
    else {
      throw .invalidUpload("The content type is not multipart/related with a boundary of 1 to 70 characters")
    }
    let mark = Array("--\(boundary)".utf8)
    guard body.starts(with: mark) else { throw .invalidUpload("The body does not begin with its boundary") }
    let lineMark = [0x0D, 0x0A] + mark
    let first = try MultipartRelated.part(body, from: mark.count, until: lineMark)
    let second = try MultipartRelated.part(body, from: first.next, until: lineMark)
    guard body[second.next...].starts(with: [0x2D, 0x2D]) else {
      throw .invalidUpload("The body has more than two parts, or no end")
    }
    metadata = first.content
    content = second.content
  }

  /// Skips the rest of a boundary's line and the part's headers.
  private static func part(
    _ body: [UInt8], from start: Int, until mark: [UInt8]
  ) throws(HostError) -> (content: ArraySlice<UInt8>, next: Int) {
    guard body[start...].starts(with: [0x0D, 0x0A]),
      let head = BoundaryText.end(of: [0x0D, 0x0A, 0x0D, 0x0A], in: body, from: start),
      // An empty part's boundary begins with the line break that ends its head.
      let next = BoundaryText.end(of: mark, in: body, from: head - 2)
    else { throw .invalidUpload("A part of the body has no end") }
    return (body[head..<max(head, next - mark.count)], next)
  }
}
#endif
