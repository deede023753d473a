// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Decodes JSON that anyone may have written, with Foundation's decoder.
///
/// The decoder is lenient: it takes a comma after the last element (Google's own AutoML sample has one), the first
/// of two equal keys, and reads skipped values only as far as it must to skip them. Nesting deeper than 512 is
/// an error.
package struct UntrustedJSON: Sendable {
  /// Why a text cannot be decoded.
  package struct Failure: Error, Hashable {
    /// Where the value is, for example `images[3].id`; empty for the text as a whole.
    package var path: String
    /// What is missing or of another type, or else the decoder's reason, without a final stop; outside of Apple's
    /// platforms it names no line.
    package var reason: String
    /// Whether the text is JSON, but a value is missing or of another type.
    package var isMismatch: Bool
  }

  private let decoder: JSONDecoder

  /// Makes a decoder; keep it where many texts are read.
  package init() { decoder = JSONDecoder() }

  /// Decodes a UTF-8 text.
  /// - Parameters:
  ///   - type: What the text is expected to hold.
  ///   - bytes: The text.
  /// - Returns: The value.
  /// - Throws: `Failure` where the text is not JSON or holds something else.
  package func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws(Failure) -> Value {
    // The decoder would also take UTF-16 and UTF-32, which JSON files never are; it would convert them first, which
    // takes off the guard below.
    guard !bytes.prefix(4).contains(0), bytes.first.map({ $0 < 0xFE }) ?? true else {
      throw Failure(path: "", reason: "The text is not UTF-8", isMismatch: false)
    }
    var text = Data(capacity: bytes.count + 1)
    text.append(contentsOf: bytes)
    // Swift 6.3's decoder traps where the last byte is the bracket that nests too deep: it reports the position
    // after that byte, beyond the end. White space at the end keeps that position inside.
    text.append(UInt8(ascii: "\n"))
    do {
      return try decoder.decode(type, from: text)
    } catch {
      throw Failure(error)
    }
  }
}

extension UntrustedJSON.Failure {
  fileprivate init(_ error: any Error) {
    switch error as? DecodingError {
    case .dataCorrupted(let context): self.init(context, isMismatch: !context.codingPath.isEmpty)
    case .keyNotFound(let key, let context):
      self.init(context, "the member '\(key.stringValue)' is missing", isMismatch: true)
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      self.init(context, Self.mismatch(type, context.debugDescription), isMismatch: true)
    default: self.init(path: "", reason: "\(error)", isMismatch: false)
    }
  }

  /// What is expected and what is there, in the words of JSON and not of Swift; nil for types of which these have none.
  private static func mismatch(_ type: Any.Type, _ text: String) -> String? {
    guard let expected = name(of: type) else { return nil }
    return "\(expected) is expected" + (found(in: text).map { ", it is \($0)" } ?? "")
  }

  private static func name(of type: Any.Type) -> String? {
    if type is any FixedWidthInteger.Type { return "a whole number" }
    if type is any BinaryFloatingPoint.Type { return "a number" }
    if type is String.Type { return "a text" }
    if type is Bool.Type { return "true or false" }
    let name = "\(type)"
    if name.hasPrefix("Array<") { return "an array" }
    return name.hasPrefix("Dictionary<") ? "an object" : nil
  }

  /// What the decoder has found, which only its text says; nil where it does not.
  private static func found(in text: String) -> String? {
    guard let start = text.firstRange(of: "found ")?.upperBound else { return nil }
    // With an article or without one: "found a string instead", "found number instead".
    let words = text[start...].split(separator: " ").prefix(2)
    let kinds = [
      ("string", "a text"), ("number", "a number"), ("bool", "a boolean"), ("array", "an array"),
      ("dictionary", "an object"), ("null", "null"),
    ]
    return kinds.first { kind in words.contains { $0.hasPrefix(kind.0) } }?.1
  }

  private init(_ context: DecodingError.Context, _ words: String? = nil, isMismatch: Bool) {
    path = context.codingPath.reduce(into: "") { path, key in
      if let index = key.intValue { return path += "[\(index)]" }
      path += path.isEmpty ? key.stringValue : "." + key.stringValue
    }
    let text = words ?? context.debugDescription
    reason = text.hasSuffix(".") ? String(text.dropLast()) : text
    self.isMismatch = isMismatch
  }
}
