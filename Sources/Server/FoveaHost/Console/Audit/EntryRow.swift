// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A row of the audit log for a page.
struct EntryRow {
  let time: Moment
  let actor: String
  let shortActor: String
  let action: String
  let subject: String
  let hasChange: Bool
  let changes: [EntryChange]

  init(_ entry: AuditEntry) {
    time = Moment(entry.time)
    actor = entry.actor
    shortActor = KeyName.short(entry.actor)
    action = entry.action
    subject = entry.model ?? ""
    changes = EntryChange.changes(from: entry.before, to: entry.after)
    hasChange = !changes.isEmpty
  }
}

/// A single change, for example `channel stable` from 2 to 1.
struct EntryChange: Equatable {
  let name: String
  let before: EntryText?
  let after: EntryText?

  init(name: String, before: String?, after: String?) {
    self.name = name
    self.before = before.map { EntryText($0) }
    self.after = after.map { EntryText($0) }
  }

  /// The change in a line of text, with shortened hashes: `channel stable: 1 → 2`; `version 1: 3fa9c04a1b2c`
  /// if there was nothing before.
  fileprivate var line: String {
    let old = before.map { $0.short + " → " } ?? ""
    return (name.isEmpty ? "" : name + ": ") + old + (after?.short ?? "–")
  }

  /// Returns the differences between two states: JSON objects of strings are compared member by member, other
  /// strings as a whole.
  static func changes(from before: String?, to after: String?) -> [EntryChange] {
    guard before != after else { return [] }
    guard let old = members(before), let new = members(after) else {
      return [EntryChange(name: "", before: before, after: after)]
    }
    return Set(old.keys).union(new.keys).sorted().compactMap { name in
      old[name] == new[name] ? nil : EntryChange(name: name, before: old[name], after: new[name])
    }
  }

  private static func members(_ text: String?) -> [String: String]? {
    guard let text else { return [:] }
    return try? JSONValue.decode([String: String].self, from: text.utf8)
  }
}

extension HostAnswer.History.Entry {
  /// The changes in one line of text; nil if there are none.
  package var changeText: String? {
    let changes = EntryChange.changes(from: before, to: after)
    return changes.isEmpty ? nil : changes.map(\.line).joined(separator: ", ")
  }
}

/// A value before or after a change; a time is shown like every other time of a page.
struct EntryText: Equatable {
  let text: String
  /// Not named `time`: if that were nil, a template would use the one of the row.
  let moment: Moment?

  fileprivate var short: String { text.isSHA256 ? String(text.prefix(12)) : text }

  init(_ text: String) {
    self.text = text
    moment = Timestamp(text: text).map { Moment($0) }
  }
}
#endif
