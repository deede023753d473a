// SPDX-License-Identifier: Apache-2.0
#if Server

/// What a template changes, in words.
enum ConfigSummary {
  /// The most names of a sentence.
  private static let most = 20

  /// A sentence for each kind of change; one that says so where there is none.
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
      found.append("The conditions stand in another order, which decides between them.")
    }
    return found.isEmpty ? ["Parameters and conditions stay as they are."] : found
  }

  private static func shown(_ names: [String]) -> String {
    let text = names.prefix(most).joined(separator: ", ")
    return names.count > most ? "\(text) and \(names.count - most) more" : text
  }
}
#endif
