// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaRemoteConfig

/// The value of a parameter, readable as several types.
public final class RemoteConfigValue: NSObject, Sendable {
  private let value: ConfigValue

  init(_ value: ConfigValue) { self.value = value }

  /// The text; empty if there is no value.
  public var stringValue: String { value.text }
  /// The number; 0 if the text is not a number.
  public var numberValue: NSNumber { NSNumber(value: value.number ?? 0) }
  /// The bytes of the text in UTF-8.
  public var dataValue: Data { Data(value.text.utf8) }
  /// Whether the text is `1`, `true`, `t`, `yes`, `y` or `on`.
  public var boolValue: Bool { value.isTrue }
  /// The value parsed as JSON; nil if the text is not JSON.
  public var jsonValue: Any? { try? JSONSerialization.jsonObject(with: dataValue) }
  /// The source of the value.
  public var source: RemoteConfigSource { RemoteConfigSource(value.source) }

  /// Decodes the value from JSON; strings and numbers need not be JSON.
  /// - Parameter asType: The type to decode.
  /// - Returns: The value.
  /// - Throws: An error if the value cannot be decoded as that type.
  public func decoded<Value: Decodable>(asType: Value.Type = Value.self) throws -> Value {
    if let text = value.text as? Value { return text }
    if asType == Bool.self, let flag = value.isTrue as? Value { return flag }
    return try value.decoded(as: asType)
  }
}

extension RemoteConfigSource {
  init(_ source: ConfigSource) {
    self =
      switch source {
      case .host: .remote
      case .defaults: .default
      case .missing: .static
      }
  }

  var native: ConfigSource {
    switch self {
    case .remote: .host
    case .default: .defaults
    case .static: .missing
    }
  }
}
