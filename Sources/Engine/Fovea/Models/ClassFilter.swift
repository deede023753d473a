// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
import FoveaMetadata

/// A caller's lists of allowed and denied labels, as a flag for each class.
package struct ClassFilter: Sendable, Hashable {
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
    let names = CommaList.names(
      allowed + denied, among: Set(labels.names).union(labels.displayNames ?? []))
    if let error = Self.error(
      of: names, among: labels.names, shownAs: labels.displayNames ?? [], modelName: modelName)
    {
      throw error
    }
    let listed = Set(names)
    isAllowed = labels.names.indices.map { index in
      let isListed =
        listed.contains(labels.names[index]) || labels.text(for: index).map(listed.contains) == true
      return isListed == denied.isEmpty
    }
  }

  /// Returns the error `optionInvalid` of the first name that is not a label, with the nearest one; nil if
  /// all are labels.
  /// - Parameters:
  ///   - names: The names.
  ///   - labels: The model's class names.
  ///   - shown: The display names of the classes, which are labels too.
  ///   - modelName: The model's name in errors.
  /// - Returns: The error.
  package static func error(
    of names: [String], among labels: [String], shownAs shown: [String] = [], modelName: String
  ) -> FoveaError? {
    let known = Set(labels).union(shown)
    guard let unknown = names.first(where: { !known.contains($0) }) else { return nil }
    guard !unknown.isEmpty else {
      return .optionInvalid(
        "A list of labels has an empty entry, and no label of '\(modelName)' has a comma at its place",
        remedy: "Write labels separated by single commas, such as cup,dog")
    }
    return .optionInvalid(
      "'\(unknown.prefix(80))' is not a label of '\(modelName)'" + suggestion(for: unknown, among: labels),
      remedy: "Write labels exactly as the model does; \(list(labels))")
  }

  /// Returns whether a class may be reported; a class without a label is never in a list.
  func allows(_ index: Int?) -> Bool {
    guard let isAllowed else { return true }
    guard let index, isAllowed.indices.contains(index) else { return false }
    return isAllowed[index]
  }

  /// Returns the labels themselves if they are few, else how to list them.
  private static func list(_ labels: [String]) -> Advice {
    labels.count <= 20
      ? "it has \(labels.joined(separator: ", "))" : "\(term: .inspect) lists them"
  }

  private static func suggestion(for name: String, among labels: [String]) -> String {
    let wanted = name.lowercased()
    let close =
      labels.first { $0.lowercased() == wanted } ?? labels.first { $0.lowercased().hasPrefix(wanted) }
      ?? NameDistance.nearest(to: name, among: labels).first
    guard let close else { return "" }
    return " (the nearest is '\(close)')"
  }
}
