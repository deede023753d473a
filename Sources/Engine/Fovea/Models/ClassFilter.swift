// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// A caller's lists of allowed and denied labels, as a flag for each class.
struct ClassFilter: Sendable, Hashable {
  /// One flag for each class; nil if no list was given.
  let isAllowed: [Bool]?

  /// - Parameters:
  ///   - allowed: Labels, or several separated by commas; an entry that is itself a label counts as one.
  ///   - denied: Labels never to report, in the same form.
  ///   - labels: The model's class names.
  ///   - modelName: The model's name in errors.
  /// - Throws: `optionInvalid` if both lists are given, a name is not among the labels, or there are no
  ///   labels.
  init(allowed: [String], denied: [String], labels: LabelMap?, modelName: String) throws(FoveaError) {
    guard !(allowed.isEmpty && denied.isEmpty) else {
      isAllowed = nil
      return
    }
    guard allowed.isEmpty || denied.isEmpty else {
      throw .optionInvalid(
        "Labels to allow and labels to deny were both given", remedy: "Give one of the two lists")
    }
    guard let labels else {
      throw .optionInvalid(
        "Labels to \(allowed.isEmpty ? "deny" : "allow") were given, but '\(modelName)' has no class names",
        remedy: "Give the model's label file as well")
    }
    let known = Set(labels.names).union(labels.displayNames ?? [])
    let names = CommaList.names(allowed + denied, among: known)
    let listed = Set(names)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw .optionInvalid(
        "'\(unknown.prefix(80))' is not a label of '\(modelName)'"
          + Self.suggestion(for: unknown, among: labels),
        remedy: "Write labels exactly as the model does; \(Self.list(labels))")
    }
    isAllowed = labels.names.indices.map { index in
      let isListed =
        listed.contains(labels.names[index]) || labels.text(for: index).map(listed.contains) == true
      return isListed == denied.isEmpty
    }
  }

  /// Returns whether a class may be reported; a class without a label is never in a list.
  func allows(_ index: Int?) -> Bool {
    guard let isAllowed else { return true }
    guard let index, isAllowed.indices.contains(index) else { return false }
    return isAllowed[index]
  }

  /// Returns the labels themselves if they are few, else how to list them.
  private static func list(_ labels: LabelMap) -> Advice {
    labels.count <= 20
      ? "it has \(labels.names.joined(separator: ", "))" : "\(term: .inspect) lists them"
  }

  private static func suggestion(for name: String, among labels: LabelMap) -> String {
    let wanted = name.lowercased()
    let close =
      labels.names.first { $0.lowercased() == wanted }
      ?? labels.names.first { $0.lowercased().hasPrefix(wanted) }
    guard let close else { return "" }
    return " (the nearest is '\(close)')"
  }
}
