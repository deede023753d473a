// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostFolder {
  /// The number of seconds for which unused files are kept: an upload may be about to be used.
  package static let grace = 24.0 * 3_600

  /// Finds problems with the host; reads every file, and checks the secrets as a start does.
  ///
  /// Without `repair`, a host may serve the folder meanwhile.
  /// - Parameters:
  ///   - files: The store of its files; nil, by default, for its folder.
  ///   - repair: Whether to fix problems: removes files unused for a day, withdraws versions whose file is
  ///     missing or damaged. Damage to the database itself needs a backup.
  ///   - now: The current time.
  /// - Returns: The problems; empty if there are none.
  /// - Throws: `folder` if its files are in a bucket; `unavailable`, `disk-full`.
  package func check(
    _ files: (any BlobStore)? = nil, repair: Bool, now: Now
  ) async throws(HostError) -> [FolderFault] {
    let blobs: any BlobStore = if let files { files } else { try localStore() }
    let problems = try await metadata.problems()
    var found = problems.map { FolderFault($0) } + secretFaults()
    guard problems.isEmpty else { return found }
    var faults: [String: BlobFault?] = [:]
    var kept: Set<String> = []
    for model in try await metadata.models() {
      var repaired = model
      for version in model.versions where version.isUsable {
        let fault: BlobFault?
        if let known = faults[version.sha256] {
          fault = known
        } else {
          fault = try await blobs.fault(of: version.sha256)
        }
        faults.updateValue(fault, forKey: version.sha256)
        guard let fault else { continue }
        let text = fault.text(version.number, of: model)
        guard repair else {
          if try await isUsable(version.number, of: model) { found.append(FolderFault(text)) }
          continue
        }
        do throws(HostError) {
          repaired = try await withdraw(version.number, of: model, fault, now: now)
          found.append(FolderFault(text, isRepaired: true))
        } catch  where error.code == .precondition {
          kept.insert(version.sha256)
          found.append(
            FolderFault(
              "\(text), and it is kept: \(error.message). "
                + "Start the host, stop the experiment, and repair again"
            ))
        }
      }
      found += HostFolder.movedChannels(of: model, repaired)
    }
    if repair {
      // The host has created no folder of that name, and ignores it.
      for (sha256, fault) in faults where fault != nil && fault != .folder && !kept.contains(sha256) {
        try await blobs.remove(sha256)
      }
    }
    return try await found + orphans(in: blobs, repair: repair, now: now)
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
    }.model
  }

  /// Returns the channels that a repair has moved to another version or cleared, so that devices get nothing,
  /// and the rollout that it has ended.
  static func movedChannels(
    of model: HostModel, _ repaired: HostModel, isCopy: Bool = false
  ) -> [FolderFault] {
    let label = "model '\(model.name)': \(isCopy ? "in the copy, " : "")the "
    var moved = model.channels.sorted { $0.key < $1.key }.compactMap { channel, before -> FolderFault? in
      guard let after = repaired.channels[channel] else {
        return FolderFault(
          "\(label)channel '\(channel)' no longer points at a version: publish the file again, "
            + "or point it at another version with \(program: .command("host channel"))")
      }
      guard after != before else { return nil }
      return FolderFault(
        "\(label)channel '\(channel)' was moved back from version \(before) to version \(after)",
        isRepaired: !isCopy)
    }
    if let rollout = model.rollout, repaired.rollout == nil {
      moved.append(
        FolderFault("\(label)rollout of version \(rollout.version) has ended", isRepaired: !isCopy))
    }
    return moved
  }

  /// Returns the problems with secrets that prevent a host from starting; never contains a secret.
  private func secretFaults() -> [FolderFault] {
    guard FileStatus(FilePath(ring)) != nil else {
      return [
        FolderFault("the secret keys, keys/ring.json, are missing: restore the file from a backup")
      ]
    }
    var found: [FolderFault] = []
    for (name, path) in [("keys/ring.json", ring), ("keys/admin.json", keys + "/admin.json")] {
      do throws(HostError) { try SecretFile.check(path) } catch {
        found.append(FolderFault("other users can read \(name): restrict it to its owner, chmod 600"))
      }
    }
    guard found.isEmpty else { return found }
    do throws(HostError) { _ = try KeyRing(path: ring) } catch {
      return [
        FolderFault("the secret keys, keys/ring.json, cannot be read: restore the file from a backup")
      ]
    }
    return []
  }

  private func orphans(
    in blobs: any BlobStore, repair: Bool, now: Now
  ) async throws(HostError) -> [FolderFault] {
    let time = now().advanced(seconds: -Self.grace)
    let used = try await metadata.hashesInUse(objectsSince: time)
    let orphans = try await blobs.all().filter { !used.contains($0.sha256) && $0.changed < time }
    if repair { try await blobs.collect(keeping: used, before: time) }
    guard !orphans.isEmpty else { return [] }
    let size = orphans.reduce(0) { $0 + $1.size }
    let files = DecimalText.counted(orphans.count, "file", "files")
    let verb = orphans.count == 1 ? "is" : "are"
    return [FolderFault("\(files) of \(size) bytes \(verb) not used", isRepaired: repair)]
  }
}
#endif
