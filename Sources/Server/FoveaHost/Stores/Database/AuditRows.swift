// SPDX-License-Identifier: Apache-2.0
#if Server
import GRDB

/// Rows of the audit log: one for each change of what hosts have in memory, which is announced with it.
enum AuditRows {
  /// Adds a row; states that the entry leaves out are the differences between the two states of the model.
  static func insert(
    _ entry: AuditEntry, before: HostModel? = nil, after: HostModel? = nil, _ database: any SQLConnection
  ) throws {
    var entry = entry
    if entry.before == nil, entry.after == nil {
      let (old, new) = (facts(before), facts(after))
      entry.before = try text(old.filter { new[$0.key] != $0.value })
      entry.after = try text(new.filter { old[$0.key] != $0.value })
    }
    try database.announce(
      """
      INSERT INTO audit (time, actor, action, project, model, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        entry.time.milliseconds, entry.actor, entry.action, entry.project, entry.model, entry.before,
        entry.after,
      ])
  }

  static func entry(_ row: Row) throws -> AuditEntry {
    var entry = AuditEntry(
      time: try row.timestamp("time"), actor: try row.decode(forColumn: "actor"),
      action: try row.decode(forColumn: "action"), project: try row.decode(forColumn: "project"),
      model: try row.decode(forColumn: "model"))
    entry.number = try row.decode(forColumn: "number")
    entry.before = try row.decode(forColumn: "before")
    entry.after = try row.decode(forColumn: "after")
    return entry
  }

  /// Returns everything a change can affect, as short strings.
  static func facts(_ model: HostModel?) -> [String: String] {
    guard let model else { return [:] }
    var facts = ["name": model.name]
    if !model.tags.isEmpty { facts["tags"] = model.tags.joined(separator: ",") }
    for (channel, version) in model.channels { facts["channel \(channel)"] = String(version) }
    if let rollout = model.rollout {
      let state = rollout.isHalted ? "halted at " : ""
      facts["rollout"] = "version \(rollout.version), \(state)\(rollout.percent) %"
    }
    if let experiment = model.experiment { facts["experiment"] = experiment.id }
    if let problem = model.problem { facts["problem"] = problem.message }
    for version in model.versions {
      facts["version \(version.number)"] =
        version.isWithdrawn ? "withdrawn" : version.retired != nil ? "retired" : version.sha256
    }
    return facts
  }

  private static func text(_ facts: [String: String]) throws -> String? {
    facts.isEmpty ? nil : try ColumnJSON.text(facts)
  }
}
#endif
