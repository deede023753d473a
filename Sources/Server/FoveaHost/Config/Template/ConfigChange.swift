// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The differences between two templates, by the names of parameters, conditions and groups.
package struct ConfigChange: Sendable, Equatable {
  /// Names that were added, removed or changed.
  package struct Names: Sendable, Decodable, Equatable {
    package var added: [String] = []
    package var removed: [String] = []
    package var changed: [String] = []

    /// Whether no name differs.
    var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

    init<Value: Equatable>(_ old: [String: Value], _ new: [String: Value]) {
      added = new.keys.filter { old[$0] == nil }.sorted()
      removed = old.keys.filter { new[$0] == nil }.sorted()
      changed = new.keys.filter { key in old[key].map { $0 != new[key] } ?? false }.sorted()
    }
  }

  package let parameters: Names
  package let conditions: Names
  /// The groups of parameters; one has changed if its description or its list of parameters has.
  package let groups: Names
  /// Whether the conditions common to both are in a different order, which affects the values.
  package let hasOtherOrder: Bool

  package init(from old: ConfigTemplate, to new: ConfigTemplate) {
    parameters = Names(Self.parameters(of: old), Self.parameters(of: new))
    let (first, second) = (Self.conditions(of: old), Self.conditions(of: new))
    conditions = Names(first, second)
    groups = Names(Self.groups(of: old), Self.groups(of: new))
    hasOtherOrder =
      old.conditions.map(\.name).filter { second[$0] != nil }
      != new.conditions.map(\.name).filter { first[$0] != nil }
  }

  private static func parameters(of template: ConfigTemplate) -> [String: ConfigParameter] {
    Dictionary(template.allParameters.map { ($0.key, $0) }) { first, _ in first }
  }

  private static func conditions(of template: ConfigTemplate) -> [String: ConfigCondition] {
    Dictionary(template.conditions.map { ($0.name, $0) }) { first, _ in first }
  }

  /// A group without the values of its parameters.
  private struct Group: Equatable {
    let parameters: Set<String>
    let others: [JSONValue.Member]
  }

  private static func groups(of template: ConfigTemplate) -> [String: Group] {
    let groups = template.groups.map { group in
      (group.name, Group(parameters: Set(group.parameters.map(\.key)), others: group.others))
    }
    return Dictionary(groups) { first, _ in first }
  }
}
#endif
