// SPDX-License-Identifier: Apache-2.0

/// The byte order marks of texts that are not UTF-8.
package enum ByteOrderMark {
  /// Returns the encoding that the first bytes of a text declare: "UTF-16", "UTF-32", or nil for none.
  ///
  /// The mark of UTF-32 in little-endian order begins with that of UTF-16; two zeros follow, which no text in
  /// UTF-16 begins with.
  package static func encoding(of bytes: some Collection<UInt8>) -> String? {
    let start = Array(bytes.prefix(4))
    if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
    return [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(start.prefix(2))) ? "UTF-16" : nil
  }

  /// Returns the reason why a text is refused, and the remedy, if its first bytes declare another encoding.
  package static func refusal(of bytes: some Collection<UInt8>) -> (reason: String, remedy: Advice)? {
    encoding(of: bytes).map { encoding in
      (
        "\(encoding) text by its byte order mark; UTF-8 is needed",
        "Save the file as UTF-8 text, or convert it with iconv -f \(encoding) -t UTF-8"
      )
    }
  }
}
