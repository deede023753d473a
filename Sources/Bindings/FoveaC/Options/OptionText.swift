// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// The value of one option as text, read as what the option takes.
struct OptionText {
  let name: String
  let value: String

  /// A number within a range.
  func number(_ range: ClosedRange<Double>) throws(FoveaError) -> Double {
    guard let number = Double(value), range.contains(number) else {
      throw refusal("\(range.lowerBound)…\(range.upperBound) expected", "Give a number of that range")
    }
    return number
  }

  /// A score or an overlap, 0…1.
  func fraction() throws(FoveaError) -> Float {
    guard let number = Float(value), (0...1).contains(number) else {
      throw refusal("0…1 expected", "Give a number from 0 to 1")
    }
    return number
  }

  /// A whole number within a range.
  func count(_ range: ClosedRange<Int>) throws(FoveaError) -> Int {
    guard let count = Int(value), range.contains(count) else {
      throw refusal("\(range.lowerBound)…\(range.upperBound) expected", "Give a whole number of that range")
    }
    return count
  }

  func flag() throws(FoveaError) -> Bool {
    switch value {
    case "true": return true
    case "false": return false
    default: throw refusal("true or false expected", "Give true or false")
    }
  }

  /// Labels between commas, or one a line: where there is one line, the model's labels decide what its commas are.
  func labels() throws(FoveaError) -> [String] {
    var lines = value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count > 1, lines.last == "" { lines.removeLast() }
    let parts = lines.count > 1 ? lines : CommaList.parts(value)
    guard !parts.contains("") else {
      throw refusal(
        "labels expected, none of them empty", "Give labels with commas between them, or one a line")
    }
    return lines
  }

  /// A path, or another text that is not empty.
  func text() throws(FoveaError) -> String {
    guard !value.isEmpty else { throw refusal("a text expected", "Give one, or leave the option out") }
    return value
  }

  /// One of some names.
  func choice<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(FoveaError) -> Choice {
    guard let found = choices.first(where: { $0.key == value }) else {
      throw refusal(
        "\(choices.map(\.key).joined(separator: ", ")) expected", "Give one of these")
    }
    return found.value
  }

  /// A mean and a deviation, or three of each.
  func normalization() throws(FoveaError) -> Normalization {
    let numbers = NumberList(value)?.values.map(Float.init) ?? []
    let deviations = numbers.dropFirst(numbers.count / 2)
    guard [2, 6].contains(numbers.count), deviations.allSatisfy({ $0 > 0 && $0.isFinite }) else {
      throw refusal(
        "a mean and a deviation above 0, or three of each, expected",
        "Give 0,255 for pixels 0…1; 127.5,127.5 for −1…1; 0,1 for 0…255")
    }
    return Normalization(
      mean: Array(numbers.prefix(numbers.count / 2)), standardDeviation: Array(deviations))
  }

  func refusal(_ expected: String, _ remedy: Advice) -> FoveaError {
    .optionInvalid("The option '\(name)' is '\(value.prefix(80))', \(expected)", remedy: remedy)
  }
}
