// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes

/// The parts of a `multipart/form-data` body.
///
/// **Source:** RFC 7578, RFC 2046 section 5.1.
package struct MultipartForm: Sendable {
  /// A field or a file.
  package struct Part: Sendable {
    /// The field's name; empty if the part has none.
    package var name = ""
    /// The file's name; nil for a field.
    package var fileName: String?
    /// The bytes, as a slice of the body.
    package var content: ArraySlice<UInt8>
  }

  package let parts: [Part]

  private static let maximumParts = 200
  private static let maximumHead = 8 << 10

  /// Splits a body into its parts.
  /// - Throws: A refusal that names the error.
  package init(_ body: [UInt8], contentType: String) throws(Refusal) {
    guard let boundary = BoundaryText.boundary(of: contentType) else {
      throw MultipartForm.malformed("The content type has no boundary of 1 to 70 characters")
    }
    let mark = Array("--\(boundary)".utf8)
    let lineMark = [0x0D, 0x0A] + mark
    // Text before the first boundary is ignored.
    guard
      var next = body.starts(with: mark) ? mark.count : BoundaryText.end(of: lineMark, in: body, from: 0)
    else { throw MultipartForm.malformed("The body does not contain the boundary of its content type") }
    var parts: [Part] = []
    while !body[next...].starts(with: [0x2D, 0x2D]) {
      guard parts.count < MultipartForm.maximumParts else {
        throw MultipartForm.malformed("The body has more than \(MultipartForm.maximumParts) parts")
      }
      guard body[next...].starts(with: [0x0D, 0x0A]),
        let head = BoundaryText.end(of: [0x0D, 0x0A, 0x0D, 0x0A], in: body, from: next),
        head - next <= MultipartForm.maximumHead,
        // An empty part's boundary starts with the line break that ends its head.
        let end = BoundaryText.end(of: lineMark, in: body, from: head - 2)
      else { throw MultipartForm.malformed("Part \(parts.count + 1) of the body has no head or no end") }
      let close = max(head, end - lineMark.count)
      parts.append(MultipartForm.part(head: body[next..<head], content: body[head..<close]))
      next = end
    }
    self.parts = parts
  }

  static func malformed(_ message: String) -> Refusal {
    Refusal(
      .badRequest, "request-malformed", message, remedy: "Send multipart/form-data according to RFC 7578"
    )
  }

  private static func part(head: ArraySlice<UInt8>, content: ArraySlice<UInt8>) -> Part {
    let head = MultipartHead(head)
    return Part(name: head.name ?? "", fileName: head.fileName, content: content)
  }
}

/// The names in the head of a part of `multipart/form-data`.
///
/// **Source:** RFC 7578 section 4.2.
struct MultipartHead: Equatable {
  /// The field's name; nil if the part has none.
  private(set) var name: String?
  /// The file's name; nil for a field.
  private(set) var fileName: String?

  /// Reads the lines of a head; lines without names are ignored.
  init(_ bytes: some Collection<UInt8>) {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard line.lowercased().hasPrefix("content-disposition:") else { continue }
      name = BoundaryText.parameter("name", of: String(line))
      fileName = BoundaryText.parameter("filename", of: String(line))
    }
  }
}
#endif
