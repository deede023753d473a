// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaRemoteConfig

/// The value of a parameter, as the type that is needed.
public final class RemoteConfigValue: NSObject, Sendable {
  private let value: ConfigValue

  init(_ value: ConfigValue) { self.value = value }

  /// The text; empty where there is none.
  public var stringValue: String { value.text }
  /// The number; 0 for a text that is none.
  public var numberValue: NSNumber { NSNumber(value: value.number ?? 0) }
  /// The bytes of the text in UTF-8.
  public var dataValue: Data { Data(value.text.utf8) }
  /// Whether the text is `1`, `true`, `t`, `yes`, `y` or `on`.
  public var boolValue: Bool { value.isTrue }
  /// The text as an object of JSON; nil for what is none.
  public var jsonValue: Any? { try? JSONSerialization.jsonObject(with: dataValue) }
  /// Where the value comes from.
  public var source: RemoteConfigSource { RemoteConfigSource(value.source) }

  /// Reads the value as JSON; a text that is wanted as such, and a number, need not be JSON.
  /// - Parameter asType: What it holds.
  /// - Returns: The value.
  /// - Throws: Where it holds something else.
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
