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
    /// - Returns: The faults; empty where there is none.
    /// - Throws: `unavailable`, `disk-full`.
    package func check(repair: Bool, now: Now) async throws(HostError) -> [FolderFault] {
      let problems = try await metadata.problems()
      guard problems.isEmpty else { return problems.map { FolderFault($0) } }
      var found: [FolderFault] = []
      var faults: [String: BlobFault?] = [:]
      var kept: Set<String> = []
      for model in try await metadata.models() {
        var repaired = model
        for version in model.versions where version.isUsable {
          let fault: BlobFault?
          if let known = faults[version.sha256] {
            fault = known
          } else {
            fault = try blobs.fault(of: version.sha256)
          }
          faults.updateValue(fault, forKey: version.sha256)
          guard let fault else { continue }
          let text = fault.text(version.number, of: model)
          guard repair else {
            found.append(FolderFault(text))
            continue
          }
          do throws(HostError) {
            repaired = try await withdraw(version.number, of: model, fault, now: now)
            found.append(FolderFault(text, isRepaired: true))
          } catch  where error.code == .precondition {
            kept.insert(version.sha256)
            found.append(FolderFault("\(text), and it stays: \(error.message)"))
          }
        }
        found += HostFolder.lostChannels(of: model, repaired)
      }
      if repair {
        for (sha256, fault) in faults where fault != nil && !kept.contains(sha256) {
          try blobs.remove(sha256)
        }
      }
      return try await found + orphans(repair: repair, now: now)
    }

    private func withdraw(
      _ number: Int, of model: HostModel, _ fault: BlobFault, now: Now
    ) async throws(HostError) -> HostModel {
      var entry = AuditEntry(
        time: now(), actor: "fsck", action: "version.withdraw", project: model.project, model: model.name)
      entry.after = "version \(number) withdrawn: its file is \(fault.rawValue)"
      return try await metadata.change(project: model.project, id: model.id, entry: entry) {
        model throws(HostError) in
        try model.withdraw(number)
      }
    }

    /// Channels that had a version before a repair, and have none to fall back to: devices get nothing there.
    private static func lostChannels(of model: HostModel, _ repaired: HostModel) -> [FolderFault] {
      model.channels.keys.sorted().filter { repaired.channels[$0] == nil }.map { channel in
        FolderFault(
          "model '\(model.name)': the channel '\(channel)' points at no version any more: publish the file again, "
            + "or point it at another version with 'fovea host channel'")
      }
    }

    private func orphans(repair: Bool, now: Now) async throws(HostError) -> [FolderFault] {
      let time = now().advanced(seconds: -Self.grace)
      let used = try await metadata.hashesInUse(objectsSince: time)
      let orphans = try blobs.all().filter { !used.contains($0.sha256) && $0.changed < time }
      if repair { try blobs.collect(keeping: used, before: time) }
      guard !orphans.isEmpty else { return [] }
      let size = orphans.reduce(0) { $0 + $1.size }
      return [FolderFault("\(orphans.count) files of \(size) bytes are named by nothing", isRepaired: repair)]
    }
  }
#endif
