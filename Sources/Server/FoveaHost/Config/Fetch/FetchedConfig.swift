// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels
import FoveaCore

/// The configuration of an app: the values of its parameters, and the experiments and rollouts that decided
/// them.
package struct FetchedConfig: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package let key: String
    package let value: String
  }

  /// A variant assigned to the app, and the parameters that it sets.
  package struct Experiment: Sendable, Equatable {
    package let assignment: ParameterAssignment
    package var keys: [String]
  }

  /// A rollout, whether the app is in it, and its parameters.
  package struct Rollout: Sendable, Equatable {
    package let id: String
    package let isEnabled: Bool
    package var keys: [String]
  }

  package private(set) var entries: [Entry] = []
  package private(set) var experiments: [Experiment] = []
  package private(set) var rollouts: [Rollout] = []
  /// The places of experiments and rollouts by their ids: a template may have thousands.
  private var experimentPlaces: [String: Int] = [:]
  private var rolloutPlaces: [String: Int] = [:]

  /// Evaluates a template for an app.
  ///
  /// The first condition that is true and has a value decides; otherwise the default value does, and
  /// parameters left to the app are omitted. A variant's parameters take precedence over everything.
  package init(
    _ template: ConfigTemplate, for unit: ConfigUnit, at time: Timestamp,
    assignments: [ParameterAssignment]
  ) {
    let isTrue = Dictionary(
      template.conditions.map { condition -> (String, Bool) in
        guard case .expression(let expression) = condition.rule else { return (condition.name, false) }
        return (condition.name, expression.holds(for: unit, at: time))
      }
    ) { first, _ in first }
    experiments = assignments.map { Experiment(assignment: $0, keys: $0.parameters.keys.sorted()) }
    experimentPlaces = Dictionary(
      assignments.enumerated().map { ($0.element.experiment, $0.offset) }
    ) { first, _ in first }
    var overlay: [String: String] = [:]
    // If two experiments set a parameter, the first experiment decides.
    for assignment in assignments { overlay.merge(assignment.parameters) { first, _ in first } }
    for parameter in template.allParameters {
      let set = overlay.removeValue(forKey: parameter.key)
      if let value = set ?? value(of: parameter, unit, isTrue) {
        entries.append(Entry(key: parameter.key, value: value))
      }
    }
    for (key, value) in overlay.sorted(by: { $0.key < $1.key }) {
      entries.append(Entry(key: key, value: value))
    }
  }

  private mutating func value(
    of parameter: ConfigParameter, _ unit: ConfigUnit, _ isTrue: [String: Bool]
  ) -> String? {
    for conditional in parameter.conditionals where isTrue[conditional.condition] == true {
      switch decision(conditional.value, parameter.key, unit) {
      case .value(let text): return text
      case .inApp: return nil
      case .next: continue
      }
    }
    guard let standard = parameter.standard,
      case .value(let text) = decision(standard, parameter.key, unit)
    else { return nil }
    return text
  }

  private enum Decision {
    case value(String)
    case inApp
    /// The next condition decides.
    case next
  }

  private mutating func decision(_ value: TemplateValue, _ key: String, _ unit: ConfigUnit) -> Decision {
    switch value.kind {
    case .text(let text): return .value(text)
    case .inApp: return .inApp
    case .personalized: return .next
    case .rollout(let id, let text, let share):
      let isIn = !unit.installation.isEmpty && PercentHash.value(seed: id, id: unit.installation) < share
      note(rollout: id, isIn, key)
      return isIn ? .value(text) : .next
    case .experiment(let id, let variants):
      guard let index = experimentPlaces[id],
        let variant = variants.first(where: { $0.id == experiments[index].assignment.variant })
      else { return .next }
      // The parameters come one after the other, so a key is the last one, or a new one.
      if experiments[index].keys.last != key, experiments[index].assignment.parameters[key] == nil {
        experiments[index].keys.append(key)
      }
      return variant.value.map { .value($0) } ?? .next
    }
  }

  private mutating func note(rollout id: String, _ isEnabled: Bool, _ key: String) {
    if let index = rolloutPlaces[id] {
      if rollouts[index].keys.last != key { rollouts[index].keys.append(key) }
    } else {
      rolloutPlaces[id] = rollouts.count
      rollouts.append(Rollout(id: id, isEnabled: isEnabled, keys: [key]))
    }
  }
}
#endif
