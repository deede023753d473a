// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Parameters and the conditions of their values, as Remote Config has them.
///
/// **Source:** the resource RemoteConfig of Google's Firebase Remote Config API, v1.
package struct ConfigTemplate: Sendable, Equatable {
  package let namespace: ConfigNamespace
  /// The first one that is true and has a value decides.
  package var conditions: [ConfigCondition] = []
  package var parameters: [ConfigParameter] = []
  package var groups: [ConfigGroup] = []
  /// What `version.description` says: what is new.
  package var description: String?
  /// The number of the version that the template was read from, where it says so.
  package var basedOn: Int?
  /// Members that are not known, of a template that an earlier version of the host took.
  var others: [JSONValue.Member] = []

  /// A template without anything.
  package init(_ namespace: ConfigNamespace) { self.namespace = namespace }

  /// Every parameter, those of groups too.
  package var allParameters: [ConfigParameter] { parameters + groups.flatMap(\.parameters) }

  /// What of it does nothing on this host, in a sentence for each.
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
        "parameter '\(parameter.key)': there is no personalization here, so that value is passed over")
    }
    return notes
  }
}

/// The limits of a template.
package enum ConfigLimits {
  package static let parameters = 3_000
  package static let conditions = 2_000
  package static let groups = 1_000
  /// Characters of a key, of the name of a condition or group, and of a parameter's description.
  package static let name = 256
  /// Characters of a version's description.
  package static let versionDescription = 1_024
  /// Bytes of all values together.
  package static let values = 1_050_000
  /// Steps of all patterns together: what a device costs at most for each character that it sends.
  package static let patternSteps = 20_000
  /// Versions that are kept.
  package static let versions = 300
  /// Days after which versions that are not in force go.
  package static let days = 90.0
}
#endif
