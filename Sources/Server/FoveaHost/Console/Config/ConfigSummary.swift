// SPDX-License-Identifier: Apache-2.0
#if Server

/// The changes of a template as text.
enum ConfigSummary {
  /// The maximum number of names in a sentence.
  private static let most = 20

  /// Returns a sentence for each kind of change, or one stating that nothing has changed.
  static func sentences(_ change: ConfigChange) -> [String] {
    var found: [String] = []
    for (what, names) in [
      ("parameters", change.parameters), ("conditions", change.conditions),
      ("groups of parameters", change.groups),
    ] {
      for (verb, list) in [
        ("New", names.added), ("Changed", names.changed), ("Removed", names.removed),
      ] where !list.isEmpty {
        found.append("\(verb) \(what): \(shown(list)).")
      }
    }
    if change.hasOtherOrder {
      found.append("The order of the conditions has changed, which affects the values.")
    }
    return found.isEmpty ? ["Parameters and conditions do not change."] : found
  }

  /// Returns the effect of a change of the apps' template on the parameters that experiments set, after a
  /// space; empty if it has none.
  ///
  /// A change of conditions may change any value.
  /// - Parameters:
  ///   - change: The change of the template.
  ///   - experiments: All experiments.
  /// - Returns: A sentence for each experiment whose values apps keep.
  static func kept(_ change: ConfigChange, by experiments: [Experiment]) -> String {
    let names = change.parameters
    let isOfAll = !change.conditions.isEmpty || change.hasOtherOrder
    return kept(isOfAll ? nil : Set(names.added + names.changed + names.removed), by: experiments)
  }

  /// Returns which of some parameters keep the values of experiments, after a space; empty if none does.
  /// - Parameters:
  ///   - parameters: The names; nil for all parameters.
  ///   - experiments: The experiments.
  /// - Returns: A sentence for each experiment whose values apps keep.
  static func kept(_ parameters: Set<String>?, by experiments: [Experiment]) -> String {
    experiments.compactMap { experiment -> String? in
      let set = experiment.parametersNow
      let kept = (parameters.map { set.intersection($0) } ?? set).sorted()
      guard !kept.isEmpty else { return nil }
      let units = experiment.condition == nil ? "apps" : "apps that meet its condition"
      return experiment.state == .running
        ? " While the experiment '\(experiment.id)' runs, its units keep its values of \(shown(kept))."
        : " The experiment '\(experiment.id)' is rolled out: \(units) keep its values of \(shown(kept)) "
          + "until it is stopped."
    }.joined()
  }

  private static func shown(_ names: [String]) -> String {
    let text = names.prefix(most).joined(separator: ", ")
    return names.count > most ? "\(text) and \(names.count - most) more" : text
  }
}
#endif
