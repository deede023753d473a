// SPDX-License-Identifier: Apache-2.0

/// The strings, names and lists of whole numbers of a dictionary in JSON or as Python prints it; other values
/// are ignored.
struct ExporterDictionary {
  /// The string values, by key.
  let texts: [String: String]
  /// The lists of whole numbers, by key.
  let numbers: [String: [Int]]
  /// The value of "names", by class index; nil if there is none.
  let names: [String]?

  /// Parses a dictionary; returns nil if the text is not one, or the classes of "names" are not 0, 1, 2, ….
  init?(_ text: [UInt8]) {
    var reader = LiteralReader(text)
    guard case .map(let members)? = reader.value() else { return nil }
    var texts: [String: String] = [:]
    var numbers: [String: [Int]] = [:]
    var names: [String]?
    for member in members {
      let (key, value) = (member.key, member.value)
      if key == "names" {
        guard let found = ExporterDictionary.names(value) else { return nil }
        names = found
      } else if case .text(let text) = value {
        texts[key] = text
      } else if case .list(let values) = value {
        numbers[key] = ExporterDictionary.numbers(values)
      }
    }
    (self.texts, self.numbers, self.names) = (texts, numbers, names)
  }

  /// Reads whole numbers; nil if a value is not one.
  private static func numbers(_ values: [Literal]) -> [Int]? {
    let numbers = values.compactMap { if case .word(let word) = $0 { Int(word) } else { nil } }
    return numbers.count == values.count ? numbers : nil
  }

  /// Reads `['person', 'bicycle']` or `{0: 'person', 1: 'bicycle'}`; the numbers may be quoted.
  private static func names(_ value: Literal) -> [String]? {
    var values: [Literal]
    switch value {
    case .list(let items): values = items
    case .map(let members):
      guard members.enumerated().allSatisfy({ Int($0.element.key) == $0.offset }) else { return nil }
      values = members.map(\.value)
    case .text, .word, .other: return nil
    }
    let names = values.compactMap { if case .text(let name) = $0 { name } else { nil } }
    return names.isEmpty || names.count != values.count ? nil : names
  }
}
