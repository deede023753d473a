// SPDX-License-Identifier: Apache-2.0
#if Server
extension ConfigExpression {
  /// The number of characters of a string that patterns search; Firebase's clients do not send longer
  /// strings.
  static let longestSearched = 500

  /// Returns whether the condition is true for an app at a time.
  ///
  /// A term about something that the app has not sent is false, even if it tests for a difference.
  package func holds(for unit: ConfigUnit, at time: Timestamp) -> Bool {
    terms.allSatisfy { $0.holds(for: unit, at: time) }
  }
}

extension ConfigTerm {
  func holds(for unit: ConfigUnit, at time: Timestamp) -> Bool {
    switch self {
    case .constant(let value): value
    case .text(let field, let test): unit.text(field).map(test.holds) ?? false
    case .version(let field, let comparison, let version):
      unit.text(field).flatMap { VersionText($0) }.map { comparison.holds($0.order(to: version)) } ?? false
    case .number(let field, let comparison, let number):
      unit.text(field).flatMap(ConfigTerm.number).map { value in
        comparison.holds(value < number ? -1 : value > number ? 1 : 0)
      } ?? false
    case .time(let field, let comparison, let moment):
      (field == .present ? time : unit.firstOpened).map { value in
        comparison.holds(value < moment ? -1 : value > moment ? 1 : 0)
      } ?? false
    case .percent(let test): test.holds(unit.installation)
    case .audience(let isMember): !isMember
    case .unknown: false
    }
  }

  /// Returns a finite number in decimal notation; nil for anything else.
  static func number(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
    guard isPlain, text.utf8.count <= 40, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

extension TextTest {
  func holds(_ text: String) -> Bool {
    switch self {
    case .isOne(let values): values.contains(text)
    case .isNot(let value): text != value
    case .isPlace(let places): TextTest.isPlace(TextTest.place(text), in: places)
    case .contains(let parts): parts.contains { TextTest.contains(text, $0) }
    case .containsNone(let parts): !parts.contains { TextTest.contains(text, $0) }
    case .matches(let patterns):
      text.unicodeScalars.count <= ConfigExpression.longestSearched
        && patterns.contains { $0.matches(in: text) }
    }
  }

  /// Returns a language or country in the form that is compared: in lower case, with `-` for `_`.
  static func place(_ text: String) -> String {
    let (low, dash) = (UInt8(ascii: "_"), UInt8(ascii: "-"))
    return String(decoding: text.lowercased().utf8.map { $0 == low ? dash : $0 }, as: UTF8.self)
  }

  /// Returns whether a language or country matches one in an expression: `en` matches `en-us`, `en-us` does
  /// not match `en-gb`.
  private static func isPlace(_ text: String, in places: [String]) -> Bool {
    places.contains { place in
      guard text.utf8.starts(with: place.utf8) else { return false }
      let rest = text.utf8.dropFirst(place.utf8.count)
      return rest.isEmpty || (!place.isEmpty && rest.first == UInt8(ascii: "-"))
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    part.isEmpty || text.utf8.firstRange(of: part.utf8) != nil
  }
}
#endif
