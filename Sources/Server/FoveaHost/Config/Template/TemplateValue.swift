// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The value of a parameter under a condition, or without one.
package struct TemplateValue: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case text(String)
    /// The app's built-in value: the parameter is omitted.
    case inApp
    /// A value by Google's personalization, which is not available on this host.
    case personalized
    case rollout(id: String, value: String, share: Int)
    case experiment(id: String, variants: [Variant])
  }

  /// The value that a variant of an experiment sets; nil if it changes nothing.
  package struct Variant: Sendable, Equatable {
    package let id: String
    package let value: String?
  }

  package let kind: Kind
  /// The value as received, with unknown members.
  let json: JSONValue

  /// Every string that a device can get through it.
  var texts: [String] {
    switch kind {
    case .text(let text): [text]
    case .inApp, .personalized: []
    case .rollout(_, let value, _): [value]
    case .experiment(_, let variants): variants.compactMap(\.value)
    }
  }
}

/// A named value of a template.
package struct ConfigParameter: Sendable, Equatable {
  /// The type of a parameter's values.
  package enum ValueType: String, Sendable {
    case unspecified = "PARAMETER_VALUE_TYPE_UNSPECIFIED"
    case string = "STRING"
    case boolean = "BOOLEAN"
    case number = "NUMBER"
    case json = "JSON"
  }

  /// A value under a condition.
  package struct Conditional: Sendable, Equatable {
    package let condition: String
    package let value: TemplateValue
  }

  package let key: String
  package var standard: TemplateValue?
  /// In the order of the template's conditions.
  package var conditionals: [Conditional] = []
  package var type = ValueType.unspecified
  /// All other members: the description, and unknown members.
  var others: [JSONValue.Member] = []

  init(key: String) { self.key = key }
}

/// Parameters under one heading, which has no effect on devices.
package struct ConfigGroup: Sendable, Equatable {
  package let name: String
  package var parameters: [ConfigParameter] = []
  /// The description, and unknown members.
  var others: [JSONValue.Member] = []
}

/// A condition that values refer to.
package struct ConfigCondition: Sendable, Equatable {
  package enum Rule: Sendable, Equatable {
    case expression(ConfigExpression)
    case server(ServerCondition)
  }

  package let name: String
  package let rule: Rule
  /// The condition as received.
  let json: JSONValue
}
#endif
