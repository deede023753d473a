// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry

/// The value of an option: text, or a JSON value.
package enum OptionValue: Sendable, Equatable {
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([OptionValue])

  /// The maximum number of entries of a list; one more is kept of a longer list, so that it is refused.
  static let mostEntries = 1_000

  /// The value as in a query; a list as in JSON.
  package var text: String {
    switch self {
    case .text(let text): text
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    case .flag(let flag): String(flag)
    case .list(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    }
  }

  /// The value itself, or the only element of a list; nil for an empty list or several elements.
  package var single: OptionValue? {
    guard case .list(let values) = self else { return self }
    return values.count == 1 ? values[0] : nil
  }

  /// The value as a number, parsed if it is text; nil if it is not a number.
  package var number: Double? {
    switch self {
    case .text(let text): Double(text)
    case .number(let number): number
    case .flag, .list: nil
    }
  }

  /// The value as a whole number, parsed if it is text; nil if it is not one.
  package var wholeNumber: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { Int(self.text) }
  }

  /// The value as a flag, parsed if it is text; nil if it is not one.
  var flag: Bool? {
    switch self.text {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// The labels: the entries of a list, the lines of a string, or one string with commas, which is split with
  /// the model's labels.
  ///
  /// Nil if there are no labels, or a blank one; only the model's labels show whether an entry is empty.
  package var labels: [String]? {
    if case .list(let values) = self {
      let labels = values.map(\.text)
      return labels.isEmpty || labels.map(\.trimmingBlanks).contains("") ? nil : labels
    }
    var lines = self.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count > 1, lines.last == "" { lines.removeLast() }
    return lines.map(\.trimmingBlanks).contains("") ? nil : lines
  }

  /// A mean and a deviation above 0, or three of each.
  package var normalization: Normalization? {
    let values: [Double] =
      if case .list(let values) = self { values.map { $0.number ?? .nan } } else {
        NumberList(self.text)?.values ?? []
      }
    let numbers = values.map { Float($0) }
    let deviations = numbers.dropFirst(numbers.count / 2)
    guard [2, 6].contains(numbers.count), numbers.allSatisfy(\.isFinite), deviations.allSatisfy({ $0 > 0 })
    else { return nil }
    return Normalization(
      mean: Array(numbers.prefix(numbers.count / 2)), standardDeviation: Array(deviations))
  }
}

extension Normalization {
  /// The means and deviations as the option has them, without spaces: `0,255`.
  package var optionText: String {
    (mean + standardDeviation).map { number in
      let text = number.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }.joined(separator: ",")
  }
}

extension JSONReader {
  /// Reads the value of an option: a string, a number, a flag, or a list of strings and numbers.
  package mutating func optionValue(_ what: String) throws(JSONFailure) -> OptionValue {
    switch try peek() {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(try flag(what))
    case UInt8(ascii: "["):
      var values: [OptionValue] = []
      var isFirst = true
      try expect(UInt8(ascii: "["), "a list")
      while try nextElement(&isFirst) {
        // No option has as many entries as are kept: the rest of a longer list is only skipped.
        if values.count > OptionValue.mostEntries {
          try skip()
        } else {
          values.append(try textOrNumber("an entry of \(what)"))
        }
      }
      return .list(values)
    default: return try textOrNumber(what)
    }
  }

  private mutating func textOrNumber(_ what: String) throws(JSONFailure) -> OptionValue {
    guard try peek() == UInt8(ascii: "\"") else { return .number(try double(what)) }
    return .text(try stringValue())
  }
}
