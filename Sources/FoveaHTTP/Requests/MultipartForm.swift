// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import HTTPTypes

  /// The parts of a `multipart/form-data` body.
  ///
  /// **Source:** RFC 7578, RFC 2046 section 5.1.
  package struct MultipartForm: Sendable {
    /// A field or a file.
    package struct Part: Sendable {
      /// The name of the field; empty where the part has none.
      package var name = ""
      /// The name of the file; nil for a field.
      package var fileName: String?
      /// The bytes, as a slice of the body.
      package var content: ArraySlice<UInt8>
    }

    package let parts: [Part]

    private static let maximumParts = 200
    private static let maximumHead = 8 << 10

    /// Takes a body apart.
    /// - Throws: A refusal that says what is wrong with it.
    package init(_ body: [UInt8], contentType: String) throws(Refusal) {
      guard let boundary = MultipartForm.boundary(contentType) else {
        throw MultipartForm.malformed("The content type has no boundary of 1 to 70 characters")
      }
      let mark = Array("--\(boundary)".utf8)
      let lineMark = [0x0D, 0x0A] + mark
      // What comes before the first boundary does not count.
      guard var next = body.starts(with: mark) ? mark.count : Bytes.end(of: lineMark, in: body, from: 0)
      else { throw MultipartForm.malformed("The body does not have the boundary of its content type") }
      var parts: [Part] = []
      while !body[next...].starts(with: [0x2D, 0x2D]) {
        guard parts.count < MultipartForm.maximumParts else {
          throw MultipartForm.malformed("The body has more than \(MultipartForm.maximumParts) parts")
        }
        guard body[next...].starts(with: [0x0D, 0x0A]),
          let head = Bytes.end(of: [0x0D, 0x0A, 0x0D, 0x0A], in: body, from: next),
          head - next <= MultipartForm.maximumHead,
          // An empty part's boundary begins with the line end that closes its head.
          let end = Bytes.end(of: lineMark, in: body, from: head - 2)
        else { throw MultipartForm.malformed("Part \(parts.count + 1) of the body has no head or no end") }
        let close = max(head, end - lineMark.count)
        parts.append(MultipartForm.part(head: body[next..<head], content: body[head..<close]))
        next = end
      }
      self.parts = parts
    }

    private static func malformed(_ message: String) -> Refusal {
      Refusal(
        .badRequest, "request-malformed", message, remedy: "Send multipart/form-data as RFC 7578 describes it"
      )
    }

    private static func boundary(_ contentType: String) -> String? {
      parameter("boundary", of: contentType).flatMap { (1...70).contains($0.utf8.count) ? $0 : nil }
    }

    private static func part(head: ArraySlice<UInt8>, content: ArraySlice<UInt8>) -> Part {
      var part = Part(content: content)
      for line in String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline) {
        guard line.lowercased().hasPrefix("content-disposition:") else { continue }
        part.name = parameter("name", of: String(line)) ?? ""
        part.fileName = parameter("filename", of: String(line))
      }
      return part
    }

    /// The value of a parameter of a header, quoted or not.
    private static func parameter(_ name: String, of header: String) -> String? {
      var rest = header[...]
      while let semicolon = rest.firstIndex(of: ";") {
        rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
        guard let equals = rest.firstIndex(of: "=") else { return nil }
        let isWanted = rest[..<equals].lowercased() == name
        var value = rest[rest.index(after: equals)...]
        if value.first == "\"" {
          value = value.dropFirst()
          let text = value.prefix { $0 != "\"" }
          if isWanted { return String(text) }
          rest = value[text.endIndex...]
        } else if isWanted {
          return String(value.prefix { $0 != ";" && $0 != " " })
        }
      }
      return nil
    }
  }

  /// Searches in bytes.
  enum Bytes {
    /// Where a short text that is in the bytes ends.
    static func end(of text: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
      var index = start
      let last = bytes.count - text.count
      while index <= last {
        guard let candidate = bytes[index...last].firstIndex(of: text[0]) else { return nil }
        if bytes[candidate..<(candidate + text.count)].elementsEqual(text) { return candidate + text.count }
        index = candidate + 1
      }
      return nil
    }
  }
#endif
