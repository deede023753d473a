// SPDX-License-Identifier: Apache-2.0

/// A value in a file of parameters.
enum ParameterValue: Decodable, CustomStringConvertible {
  case number(Double)
  case flag(Bool)
  case null
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .other
    }
  }

  var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .null: "null"
    case .other: "a text, list or object"
    }
  }
}
