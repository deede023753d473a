// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// The allow and deny lists of a caller, as flags for each class.
struct ClassFilter: Sendable, Hashable {
  /// One flag for each class; nil where nothing was listed.
  let isAllowed: [Bool]?

  /// - Parameters:
  ///   - allowed: Labels, or several of them with commas between; one that is a label as it stands counts as that.
  ///   - denied: The same of labels that are never reported.
  ///   - labels: What the model names its classes.
  ///   - modelName: What errors call the model.
  /// - Throws: `optionInvalid` when both lists are given, a name is not among the labels, or there are no labels.
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
        "Labels to \(allowed.isEmpty ? "deny" : "allow") were given, but '\(modelName)' names no classes",
        remedy: "Give the model's label file as well")
    }
    let known = Set(labels.names).union(labels.displayNames ?? [])
    let names = CommaList.names(allowed + denied, among: known)
    let listed = Set(names)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw .optionInvalid(
        "'\(unknown.prefix(80))' is not a label of '\(modelName)'\(Self.suggestion(for: unknown, among: labels))",
        remedy: "Write labels exactly as the model does; \(Self.list(labels))")
    }
    isAllowed = labels.names.indices.map { index in
      let isListed =
        listed.contains(labels.names[index]) || labels.text(for: index).map(listed.contains) == true
      return isListed == denied.isEmpty
    }
  }

  /// Whether a class may be reported; a class beyond the labels is not listed anywhere.
  func allows(_ index: Int?) -> Bool {
    guard let isAllowed else { return true }
    guard let index, isAllowed.indices.contains(index) else { return false }
    return isAllowed[index]
  }

  /// The labels themselves where they are few, else how to see them.
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
