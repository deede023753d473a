// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors

  extension HostFolder {
    /// How long a file that nothing names stays, in seconds: an upload may be about to be named.
    package static let grace = 24.0 * 3_600

    /// Finds what is wrong with the folder; reads every file.
    /// - Parameters:
    ///   - repair: Whether to fix it: files that nothing has named for a day go, versions whose file is missing or damaged are
    ///     withdrawn. Damage of the database itself needs a backup.
    ///   - now: The present.
    /// - Returns: A sentence for each problem, in no case a path; empty where there is none.
    /// - Throws: `unavailable`, `disk-full`.
    package func check(repair: Bool, now: Now) async throws(HostError) -> [String] {
      var problems = try await metadata.problems()
      guard problems.isEmpty else { return problems }
      var intact: [String: Bool] = [:]
      for model in try await metadata.models() {
        for version in model.versions where version.isUsable {
          let isIntact: Bool
          if let known = intact[version.sha256] {
            isIntact = known
          } else {
            isIntact = try self.isIntact(version.sha256)
          }
          intact[version.sha256] = isIntact
          guard !isIntact else { continue }
          let state = blobs.contains(version.sha256) ? "damaged" : "missing"
          problems.append("model '\(model.name)': the file of version \(version.number) is \(state)")
          guard repair else { continue }
          var entry = AuditEntry(
            time: now(), actor: "fsck", action: "version.withdraw", project: model.project, model: model.name)
          entry.after = "version \(version.number) withdrawn: its file is \(state)"
          try await metadata.change(project: model.project, id: model.id, entry: entry) {
            model throws(HostError) in
            try model.withdraw(version.number)
          }
        }
      }
      if repair { for (sha256, isIntact) in intact where !isIntact { try blobs.remove(sha256) } }
      return try await problems + orphans(repair: repair, now: now)
    }

    private func isIntact(_ sha256: String) throws(HostError) -> Bool {
      guard blobs.contains(sha256) else { return false }
      return try blobs.isIntact(sha256)
    }

    private func orphans(repair: Bool, now: Now) async throws(HostError) -> [String] {
      let time = now().advanced(seconds: -Self.grace)
      let used = try await metadata.hashesInUse(objectsSince: time)
      let orphans = try blobs.all().filter { !used.contains($0.sha256) && $0.changed < time }
      if repair { try blobs.collect(keeping: used, before: time) }
      guard !orphans.isEmpty else { return [] }
      return ["\(orphans.count) files of \(orphans.reduce(0) { $0 + $1.size }) bytes are named by nothing"]
    }
  }
#endif
