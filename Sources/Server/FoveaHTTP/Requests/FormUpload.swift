// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes

/// Reads `multipart/form-data` as it arrives: small fields into memory, a file piece by piece.
///
/// **Source:** RFC 7578, RFC 2046 section 5.1.
package struct FormUpload: Sendable {
  /// The next element of the body.
  package enum Event: Sendable, Equatable {
    /// A complete field.
    case field(name: String, value: String)
    /// The start of a file; `fileName` is the browser's and may be empty.
    case file(name: String, fileName: String)
    /// The next bytes of the current file.
    case bytes([UInt8])
    /// The end of the current file.
    case endOfFile
  }

  private enum Stage { case preamble, afterMark, head, field(String), fileStart, file, end }

  private static let longestHead = 8 << 10
  private static let longestField = 64 << 10
  private static let mostParts = 100

  /// A line break and the boundary.
  private let mark: [UInt8]
  private var stage = Stage.preamble
  /// The received bytes not used yet; the body starts as if a line had ended.
  private var rest: [UInt8] = [0x0D, 0x0A]
  private var parts = 0

  /// - Throws: A refusal for a content type that is not `multipart/form-data` with a boundary.
  package init(contentType: String) throws(Refusal) {
    guard contentType.lowercased().hasPrefix("multipart/form-data"),
      let boundary = BoundaryText.boundary(of: contentType)
    else { throw MultipartForm.malformed("The request is not multipart/form-data with a boundary") }
    mark = [0x0D, 0x0A] + Array("--\(boundary)".utf8)
  }

  /// Processes the next bytes of the body.
  /// - Throws: A refusal for a body that is not a form, has a field of more than 64 KiB, or has more than 100
  ///   parts.
  package mutating func append(_ bytes: some Sequence<UInt8>) throws(Refusal) -> [Event] {
    rest.append(contentsOf: bytes)
    var events: [Event] = []
    while try step(&events) {}
    return events
  }

  /// Checks that the body was complete.
  package func finish() throws(Refusal) {
    guard case .end = stage else { throw MultipartForm.malformed("The form ends before its last boundary") }
  }

  /// Processes one element, and returns whether there may be more in the received bytes.
  private mutating func step(_ events: inout [Event]) throws(Refusal) -> Bool {
    switch stage {
    case .preamble:
      guard let end = BoundaryText.end(of: mark, in: rest, from: 0) else {
        rest.removeFirst(max(0, rest.count - mark.count + 1))
        return false
      }
      rest.removeFirst(end)
      stage = .afterMark
      return true
    case .afterMark: return try passMark()
    case .head: return try passHead(&events)
    case .field(let name):
      guard let end = BoundaryText.end(of: mark, in: rest, from: 0) else {
        guard rest.count <= FormUpload.longestField + mark.count else { throw FormUpload.longField(name) }
        return false
      }
      let value = rest[..<(end - mark.count)].dropFirst(2)
      guard value.count <= FormUpload.longestField else { throw FormUpload.longField(name) }
      events.append(.field(name: name, value: String(decoding: value, as: UTF8.self)))
      rest.removeFirst(end)
      stage = .afterMark
      return true
    case .fileStart:
      guard rest.count >= mark.count else { return false }
      if !rest.starts(with: mark) { rest.removeFirst(2) }
      stage = .file
      return true
    case .file:
      let end = BoundaryText.end(of: mark, in: rest, from: 0)
      let count = end.map { $0 - mark.count } ?? max(0, rest.count - mark.count + 1)
      if count > 0 { events.append(.bytes(Array(rest[..<count]))) }
      rest.removeFirst(end ?? count)
      guard end != nil else { return false }
      events.append(.endOfFile)
      stage = .afterMark
      return true
    case .end:
      rest = []
      return false
    }
  }

  private mutating func passMark() throws(Refusal) -> Bool {
    guard rest.count >= 2 else { return false }
    if rest.starts(with: [0x2D, 0x2D]) {
      stage = .end
      return true
    }
    guard rest.starts(with: [0x0D, 0x0A]) else {
      throw MultipartForm.malformed("A boundary of the form is not at the end of its line")
    }
    parts += 1
    guard parts <= FormUpload.mostParts else {
      throw MultipartForm.malformed("The form has more than \(FormUpload.mostParts) parts")
    }
    stage = .head
    return true
  }

  private mutating func passHead(_ events: inout [Event]) throws(Refusal) -> Bool {
    guard let end = BoundaryText.end(of: [0x0D, 0x0A, 0x0D, 0x0A], in: rest, from: 0) else {
      guard rest.count <= FormUpload.longestHead else {
        throw MultipartForm.malformed("Part \(parts) of the form has a head of more than 8 KiB")
      }
      return false
    }
    guard end <= FormUpload.longestHead else {
      throw MultipartForm.malformed("Part \(parts) of the form has a head of more than 8 KiB")
    }
    let head = MultipartHead(rest[..<end])
    guard let name = head.name else { throw MultipartForm.malformed("Part \(parts) of the form has no name") }
    // The line break that ends the head stays: it starts the next boundary if the part is empty.
    rest.removeFirst(end - 2)
    if let fileName = head.fileName {
      events.append(.file(name: name, fileName: fileName))
      stage = .fileStart
    } else {
      stage = .field(name)
    }
    return true
  }

  private static func longField(_ name: String) -> Refusal {
    Refusal(
      .contentTooLarge, "request-too-large",
      "The field '\(name.prefix(40))' of the form exceeds 64 KiB",
      remedy: "Shorten the field")
  }
}
#endif
