// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// What a parameter is under a condition, or without one.
package struct TemplateValue: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case text(String)
    /// What the app has built in: the parameter is left out.
    case inApp
    /// A value by Google's personalization, which this host does not have.
    case personalized
    case rollout(id: String, value: String, share: Int)
    case experiment(id: String, variants: [Variant])
  }

  /// What a variant of an experiment sets; nil where it changes nothing.
  package struct Variant: Sendable, Equatable {
    package let id: String
    package let value: String?
  }

  package let kind: Kind
  /// The value as it came, with members that are not known.
  let json: JSONValue

  /// Every text that a device can get by it.
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
  /// What the values of a parameter are.
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
  /// Every other member: the description, and those that are not known.
  var others: [JSONValue.Member] = []

  init(key: String) { self.key = key }
}

/// Parameters under one heading, which means nothing to devices.
package struct ConfigGroup: Sendable, Equatable {
  package let name: String
  package var parameters: [ConfigParameter] = []
  /// The description, and members that are not known.
  var others: [JSONValue.Member] = []
}

/// A condition that values name.
package struct ConfigCondition: Sendable, Equatable {
  package enum Rule: Sendable, Equatable {
    case expression(ConfigExpression)
    case server(ServerCondition)
  }

  package let name: String
  package let rule: Rule
  /// The condition as it came.
  let json: JSONValue
}
#endif
