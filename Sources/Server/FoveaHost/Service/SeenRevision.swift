// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The revision of an object that a confirmation has shown, and that its form sends back.
///
/// The change is for that revision: sent twice, or after another change, it is refused, since devices would
/// not get what the confirmation states.
package struct SeenRevision: Sendable, Equatable {
  /// The value of the form's field.
  let text: String

  /// The revision that a form is for; a form without it is for none.
  init(form text: String?) { self.text = text ?? "" }

  /// The revision of a model; a deleted one differs from another of its name.
  init(_ model: HostModel?) { text = model.map { "\($0.id).\($0.revision)" } ?? "0" }

  init(_ experiment: Experiment) { text = String(experiment.revision) }

  /// The revision of a template: the number of the version in force, 0 for none.
  init(template number: Int) { text = String(number) }

  /// Checks that an object still has this revision.
  /// - Parameters:
  ///   - present: The object's revision now.
  ///   - name: The object as the start of a sentence: `The model 'bird'`.
  /// - Throws: `conflict` if it has another one.
  func check(_ present: SeenRevision, _ name: String) throws(HostError) {
    guard self != present else { return }
    throw HostError(
      .conflict, "\(name) has changed since the page was opened",
      remedy: "Open the page again, and read what devices get now",
      cause: present.follows(self) ? OneChangeSince() : nil)
  }

  /// Returns whether this is the revision right after another one of the same object.
  private func follows(_ other: SeenRevision) -> Bool {
    let (parts, former) = (text.split(separator: "."), other.text.split(separator: "."))
    // A model of a name that had none.
    if former == ["0"], parts.count == 2 { return parts[1] == "1" }
    guard parts.count == former.count, parts.dropLast() == former.dropLast(),
      let number = parts.last.flatMap({ Int64($0) }), let last = former.last.flatMap({ Int64($0) })
    else { return false }
    return number - 1 == last
  }

  func check(_ model: HostModel) throws(HostError) {
    try check(SeenRevision(model), "The model '\(model.name)'")
  }

  func check(_ experiment: Experiment) throws(HostError) {
    try check(SeenRevision(experiment), "The experiment '\(experiment.id)'")
  }
}

/// The cause of the conflict if an object has changed exactly once since its form was opened.
struct OneChangeSince: Error {}
#endif
