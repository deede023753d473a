// SPDX-License-Identifier: Apache-2.0

/// A value in JSON, YAML's flow style or Python.
indirect enum Literal: Equatable {
  case text(String)
  /// A word without quotes, or a number.
  case word(String)
  case list([Literal])
  /// The keys as strings, in the order of the file.
  case map([(key: String, value: Literal)])
  /// Anything else, such as a call in Python.
  case other

  static func == (one: Literal, other: Literal) -> Bool {
    switch (one, other) {
    case (.text(let one), .text(let other)), (.word(let one), .word(let other)): one == other
    case (.list(let one), .list(let other)): one == other
    case (.map(let one), .map(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    case (.other, .other): true
    default: false
    }
  }

  /// The value as an integer, quoted or not, even if it is written as `2.0`; nil for others.
  var number: Int? {
    switch self {
    case .text(let text), .word(let text): LabelColumns.whole(text)
    default: nil
    }
  }
}
