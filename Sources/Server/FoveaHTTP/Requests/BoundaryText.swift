// SPDX-License-Identifier: Apache-2.0
#if Server
/// The separator of the parts of a multipart body.
///
/// **Source:** RFC 2046 section 5.1.
package enum BoundaryText {
  /// Returns the boundary of a content type, 1 to 70 characters; nil if it has none.
  package static func boundary(of contentType: String) -> String? {
    parameter("boundary", of: contentType).flatMap { (1...70).contains($0.utf8.count) ? $0 : nil }
  }

  /// Returns the value of a header's parameter, quoted or not; nil if the header does not have it.
  static func parameter(_ name: String, of header: String) -> String? {
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

  /// Returns the end of a short text's first occurrence from `start` on; nil if there is none.
  package static func end(of text: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
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
