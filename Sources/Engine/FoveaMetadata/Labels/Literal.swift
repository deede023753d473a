// SPDX-License-Identifier: Apache-2.0

/// A value in JSON, YAML's flow style or Python.
indirect enum Literal: Equatable {
  case text(String)
  /// A word without quotes, or a number.
  case word(String)
  case list([Literal])
  /// The keys as strings, in the order of the file.
  case map([Member])
  /// Anything else, such as a call in Python.
  case other

  /// A key and its value.
  struct Member: Equatable {
    let key: String
    let value: Literal
  }

  /// The value as an integer, quoted or not, even if it is written as `2.0`; nil for others.
  var number: Int? {
    switch self {
    case .text(let text), .word(let text): LabelColumns.whole(text)
    default: nil
    }
  }
}
