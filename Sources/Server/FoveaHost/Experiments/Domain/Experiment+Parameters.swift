// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension Experiment {
  /// The names of the parameters that its variants set.
  var parameterNames: Set<String> { Set(variants.flatMap(\.parameters.keys)) }

  /// The variants that units get now: all while it runs, and the winner after it was rolled out.
  var variantsNow: [Variant] {
    switch state {
    case .running: variants
    case .rolledOut: variants.filter { $0.id == winner }
    case .draft, .paused, .stopped: []
    }
  }

  /// The names of the parameters that it sets for apps now.
  var parametersNow: Set<String> { Set(variantsNow.flatMap(\.parameters.keys)) }

  /// The names of the parameters that it sets, or may set once it runs.
  var parametersOwned: Set<String> { isActive ? parameterNames : parametersNow }

  /// Checks that no other experiment gives apps values of the parameters that it sets now.
  ///
  /// Experiments that run in one layer share no units, so they may set the same parameters. One that is
  /// rolled out sets its parameters for the units of all others, too.
  /// - Parameter others: The experiments of the project; this one is skipped.
  /// - Throws: `precondition` that names another experiment and the parameter.
  func checkParameters(among others: [Experiment]) throws(HostError) {
    let own = parametersNow
    for other in others where other.id != id {
      let isApart = state == .running && other.state == .running && other.isInLayer(range.layer)
      guard !isApart, let key = own.intersection(other.parametersNow).min() else { continue }
      throw HostError(
        .precondition,
        "The experiment '\(other.id)' is \(other.state.text) and sets the parameter '\(key)', too",
        remedy: other.state == .running ? "Stop it or pause it first" : other.stopOfRollOut)
    }
  }

  /// Checks that the parameters of a new test device are set by no other experiment of its layer that has it,
  /// too.
  /// - Parameters:
  ///   - before: The experiment without the test device.
  ///   - others: The experiments of the project; this one is skipped.
  /// - Throws: `conflict` that names another experiment and the parameter.
  func checkTesters(since before: Experiment, among others: [Experiment]) throws(HostError) {
    for (unit, variant) in overrides where before.overrides[unit] != variant {
      for other in others where other.id != id && other.isActive && other.isInLayer(range.layer) {
        guard other.overrides[unit] != nil,
          let key = parameterNames.intersection(other.parameterNames).min()
        else { continue }
        throw HostError(
          .conflict,
          "The experiment '\(other.id)' of the same layer has the test \(self.unit.tester) "
            + "\(HostName.shown(unit)), too, and sets the parameter '\(key)'",
          remedy: "Remove the test \(self.unit.tester) there first: one experiment decides what it gets")
      }
    }
  }

  /// Returns the other experiments that set one of its parameters for apps now.
  func others(among all: [Experiment]) -> [Experiment] {
    let own = parameterNames
    return all.filter { $0.id != id && !own.isDisjoint(with: $0.parametersNow) }
  }

  /// Returns whether it is in a layer; false for nil.
  func isInLayer(_ name: String?) -> Bool { name != nil && range.layer == name }

  /// The remedy for a parameter that its winner sets for all.
  var stopOfRollOut: Advice {
    "Publish its values in the template if apps are to keep them, then stop it"
  }
}
#endif
