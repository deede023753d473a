// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore

/// The source of a value.
public enum ConfigSource: Sendable, Hashable {
  /// None: the app has no default, and the host no value.
  case missing
  /// The app's defaults.
  case defaults
  /// The host, by the active configuration.
  case host
}

/// A parameter's value: text, which can be read as another type.
public struct ConfigValue: Sendable, Hashable {
  /// The value as text; empty if there is none.
  public let text: String
  /// The source of the value.
  public let source: ConfigSource
  let key: String

  /// Whether the text is `1`, `true`, `t`, `yes`, `y` or `on`, in letters of any case.
  public var isTrue: Bool { ["1", "true", "t", "yes", "y", "on"].contains(text.lowercased()) }
  /// The value as a number; nil if the text is not a number.
  public var number: Double? { Double(text) }
  /// The value as a whole number; nil if the text is not one.
  public var integer: Int? { Int(text) }

  /// Decodes the text as JSON.
  /// - Parameter type: The type to decode.
  /// - Returns: The value.
  /// - Throws: `invalidValue`, with the path of the error in the text.
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

  /// Types of Foundation with their own form in JSON, as in Foundation's decoder.
  private static let conversions: JSONValue.Conversions = [
    ObjectIdentifier(Data.self): { $0.text.flatMap { Data(base64Encoded: $0) } },
    ObjectIdentifier(Decimal.self): { $0.digits.flatMap { Decimal(string: $0) } },
    ObjectIdentifier(URL.self): { $0.text.flatMap { URL(string: $0) } },
  ]
}

extension ConfigValue {
  /// Returns the value of a parameter that is set nowhere.
  package static func missing(_ key: String) -> ConfigValue {
    ConfigValue(text: "", source: .missing, key: key)
  }

  /// Returns an app's default.
  package static func of(_ text: String, _ key: String) -> ConfigValue {
    ConfigValue(text: text, source: .defaults, key: key)
  }
}
