// SPDX-License-Identifier: Apache-2.0
#if Server

/// The changes of a template as text.
enum ConfigSummary {
  /// The maximum number of names in a sentence.
  private static let most = 20

  /// Returns a sentence for each kind of change, or one stating that nothing has changed.
  static func sentences(_ change: ConfigChange) -> [String] {
    var found: [String] = []
    for (what, names) in [("parameters", change.parameters), ("conditions", change.conditions)] {
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

  private static func shown(_ names: [String]) -> String {
    let text = names.prefix(most).joined(separator: ", ")
    return names.count > most ? "\(text) and \(names.count - most) more" : text
  }
}
#endif
