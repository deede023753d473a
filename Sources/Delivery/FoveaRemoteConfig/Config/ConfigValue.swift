// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore

/// Where a value comes from.
public enum ConfigSource: Sendable, Hashable {
  /// From nowhere: the app has no default, and the host no value.
  case missing
  /// From the app's defaults.
  case defaults
  /// From the host, with the configuration that is active.
  case host
}

/// A parameter's value: a text, which may be read as another type.
public struct ConfigValue: Sendable, Hashable {
  /// The value as text; empty where there is none.
  public let text: String
  /// Where it comes from.
  public let source: ConfigSource
  let key: String

  /// Whether the text is `1`, `true`, `t`, `yes`, `y` or `on`, in letters of any case.
  public var isTrue: Bool { ["1", "true", "t", "yes", "y", "on"].contains(text.lowercased()) }
  /// The value as a number; nil for a text that is none.
  public var number: Double? { Double(text) }
  /// The value as a whole number; nil for a text that is none.
  public var integer: Int? { Int(text) }

  /// Reads the text as JSON.
  /// - Parameter type: What it holds.
  /// - Returns: The value.
  /// - Throws: `invalidValue`, which names the place in the text.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(ConfigError) -> Value {
    do throws(JSONFailure) {
      return try JSONValue.decode(type, from: text.utf8, converting: Self.conversions)
    } catch {
      throw ConfigError(
        .invalidValue,
        "The value of '\(key)' is not the JSON of \(type)\(error.path.isEmpty ? "" : " at '\(error.path)'"): "
          + error.reason, remedy: "Correct the parameter, or read its text")
    }
  }

  /// Types of Foundation that have a form of their own in JSON, as in Foundation's decoder.
  private static let conversions: JSONValue.Conversions = [
    ObjectIdentifier(Data.self): { $0.text.flatMap { Data(base64Encoded: $0) } },
    ObjectIdentifier(Decimal.self): { $0.digits.flatMap { Decimal(string: $0) } },
    ObjectIdentifier(URL.self): { $0.text.flatMap { URL(string: $0) } },
  ]
}

extension ConfigValue {
  /// The value of a parameter that no one has set.
  package static func missing(_ key: String) -> ConfigValue {
    ConfigValue(text: "", source: .missing, key: key)
  }

  /// An app's default.
  package static func of(_ text: String, _ key: String) -> ConfigValue {
    ConfigValue(text: text, source: .defaults, key: key)
  }
}
