// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Conversions for types with their own form in JSON, such as Foundation's, by the type's identifier.
  package typealias Conversions = [ObjectIdentifier: @Sendable (JSONValue) -> Any?]

  /// Decodes UTF-8 text from an untrusted source.
  ///
  /// The text is read as in ``init(_:name:)``: if a name occurs twice, the first value is used, a trailing
  /// comma is allowed, and values are nested at most 512 levels deep. A whole number is exact, or an error.
  /// - Parameters:
  ///   - type: The expected type of the value.
  ///   - bytes: The text.
  ///   - conversions: Conversions for types that do not decode themselves.
  /// - Returns: The value.
  /// - Throws: `JSONFailure`; a mismatch with the path of the value if the text is JSON.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Collection<UInt8>, converting conversions: Conversions = [:]
  ) throws(JSONFailure) -> Value {
    let tree = try JSONValue(Array(bytes), name: "The text")
    do { return try JSONValueDecoder(value: tree, conversions: conversions).decode(type) } catch {
      throw JSONFailure(decoding: error)
    }
  }
}

extension JSONFailure {
  fileprivate init(decoding error: any Error) {
    let context: DecodingError.Context? =
      switch error as? DecodingError {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        context
      default: nil
      }
    let text = context?.debugDescription ?? "\(error)"
    self.init(.mismatch, "The text", text.hasSuffix(".") ? String(text.dropLast()) : text)
    for key in context?.codingPath ?? [] {
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? key.stringValue : "." + key.stringValue)
    }
  }
}
