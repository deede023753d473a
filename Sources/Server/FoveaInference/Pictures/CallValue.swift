// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The value of an option of a call: the text of a query or form, or what JSON has.
enum CallValue: Sendable, Equatable {
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([CallValue])

  /// The value as a query writes it; a list as JSON does.
  var text: String {
    switch self {
    case .text(let text): text
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    case .flag(let flag): String(flag)
    case .list(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    }
  }

  /// The number that it is or that its text has; nil for others.
  var number: Double? {
    switch self {
    case .text(let text): Double(text)
    case .number(let number): number
    case .flag, .list: nil
    }
  }
}

extension JSONReader {
  /// Reads the value of an option: a text, a number, a flag, or a list of texts and numbers.
  mutating func callValue(_ what: String) throws(JSONFailure) -> CallValue {
    switch try peek() {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(try flag(what))
    case UInt8(ascii: "["):
      var values: [CallValue] = []
      try list("a list") { reader throws(JSONFailure) in
        values.append(try reader.textOrNumber("an entry of \(what)"))
      }
      return .list(values)
    default: return try textOrNumber(what)
    }
  }

  private mutating func textOrNumber(_ what: String) throws(JSONFailure) -> CallValue {
    guard try peek() == UInt8(ascii: "\"") else { return .number(try double(what)) }
    return .text(try stringValue())
  }
}
#endif
