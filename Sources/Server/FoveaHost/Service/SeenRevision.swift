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

  /// The revision of an object and of others on which the effect of its change depends.
  init(_ own: SeenRevision, and others: [String]) {
    text = ([own.text] + others).joined(separator: "+")
  }

  /// The revision of a template: the number of the version in force, 0 for none.
  init(template number: Int) { text = String(number) }

  /// Checks that an object still has this revision.
  /// - Parameters:
  ///   - present: The object's revision now.
  ///   - name: The object as the start of a sentence: `The model 'bird'`.
  ///   - state: A sentence on what devices get now; nil for none.
  /// - Throws: `conflict` if it has another one.
  func check(_ present: SeenRevision, _ name: String, now state: String? = nil) throws(HostError) {
    guard self != present else { return }
    throw HostError(
      .conflict,
      "\(name) has changed since the page was opened" + (state.map { ". \($0.dropLast())" } ?? ""),
      remedy: "Open the page again, and read what devices get now",
      cause: present.follows(self) ? OneChangeSince() : nil)
  }

  /// Returns whether this is the revision right after another one of the same object.
  ///
  /// A change of an experiment may change its model, too; one of a model changes nothing else.
  private func follows(_ other: SeenRevision) -> Bool {
    let (parts, former) = (text.split(separator: "+"), other.text.split(separator: "+"))
    guard parts.count == former.count, let own = parts.first, let formerOwn = former.first,
      Self.follows(own, formerOwn)
    else { return false }
    let isExperiment = !own.contains(".")
    return zip(parts, former).dropFirst().allSatisfy { part, former in
      part == former || isExperiment && Self.follows(part, former)
    }
  }

  private static func follows(_ text: Substring, _ other: Substring) -> Bool {
    let (parts, former) = (text.split(separator: "."), other.split(separator: "."))
    // A model of a name that had none.
    if former == ["0"], parts.count == 2 { return parts[1] == "1" }
    guard parts.count == former.count, parts.dropLast() == former.dropLast(),
      let number = parts.last.flatMap({ Int64($0) }), let last = former.last.flatMap({ Int64($0) })
    else { return false }
    return number - 1 == last
  }
}

/// Refuses a change of a model, nil if there is none, in another state than the one that it is for.
package typealias SeenCheck = @Sendable (HostModel?) throws(HostError) -> Void

/// Refuses a change of an experiment, with its model, in another state than the one that it is for.
package typealias SeenExperimentCheck = @Sendable (Experiment, HostModel?) throws(HostError) -> Void

/// The cause of the conflict if an object has changed exactly once since its form was opened.
struct OneChangeSince: Error {}
#endif
