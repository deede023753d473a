// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Remote Config's parameters and the conditions of their values.
///
/// **Source:** the resource RemoteConfig of Google's Firebase Remote Config API, v1.
package struct ConfigTemplate: Sendable, Equatable {
  package let namespace: ConfigNamespace
  /// The first condition that is true and has a value decides.
  package var conditions: [ConfigCondition] = []
  package var parameters: [ConfigParameter] = []
  package var groups: [ConfigGroup] = []
  /// The release notes, from `version.description`.
  package var description: String?
  /// Unknown members, of a template that an earlier version of the host accepted.
  var others: [JSONValue.Member] = []

  /// Creates an empty template.
  package init(_ namespace: ConfigNamespace) { self.namespace = namespace }

  /// Every parameter, including those of groups.
  package var allParameters: [ConfigParameter] { parameters + groups.flatMap(\.parameters) }

  /// The parts of the template that this host ignores, with a sentence for each.
  package var notes: [String] {
    var notes: [String] = []
    for condition in conditions {
      guard case .expression(let expression) = condition.rule, let note = expression.note else { continue }
      notes.append("condition '\(condition.name.printable)': \(note)")
    }
    let personalized = allParameters.filter { parameter in
      ([parameter.standard] + parameter.conditionals.map(\.value)).contains { $0?.kind == .personalized }
    }
    for parameter in personalized {
      notes.append(
        "parameter '\(parameter.key)': personalization is not available here, so that value is ignored")
    }
    return notes
  }
}

/// The limits of a template.
package enum ConfigLimits {
  package static let parameters = 3_000
  package static let conditions = 2_000
  package static let groups = 1_000
  /// The maximum number of characters of a key, of the name of a condition or group, and of a parameter's
  /// description.
  package static let name = 256
  /// The maximum number of characters of a version's description.
  package static let versionDescription = 1_024
  /// The maximum size in bytes of all values together.
  package static let values = 1_050_000
  /// The maximum number of steps of all patterns: the cost for each character that a device sends.
  package static let patternSteps = 20_000
  /// The maximum number of steps of a fetch for a template, and again for the experiments: about 0.3 s.
  package static let fetchSteps = 20_000_000
  /// The maximum number of kept versions.
  package static let versions = 300
  /// The number of days for which versions that are not in force are kept.
  package static let days = 90.0
}
#endif
