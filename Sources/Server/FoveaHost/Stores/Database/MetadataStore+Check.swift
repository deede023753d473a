// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import GRDB

extension MetadataStore {
  /// Writes a copy of the whole store to a new file while other calls read and write.
  ///
  /// The copy is one file, complete and synced before it gets its name.
  package func backUp(to path: String) async throws(HostError) {
    guard FileStatus(FilePath(path)) == nil else {
      throw HostError(
        .invalid, "The backup's file already exists", remedy: "Choose a new file name")
    }
    do {
      let file = try ReplacedFile(path, isPrivate: true, replaces: false)
      // Does nothing once the file has its name.
      defer { file.discard() }
      let partial = try file.handOver()
      // Left by a process that was killed.
      for ending in ["-wal", "-shm", "-journal"] { unsafe unlink(partial + ending) }
      try await database.copy(to: partial)
      try file.commit()
    } catch {
      throw HostError(database: error)
    }
  }

  /// Returns the problems with the store; empty if there are none.
  package func problems() async throws(HostError) -> [String] {
    do throws(HostError) {
      let damage = try await found()
      guard damage.isEmpty else { return damage }
      return try await models().flatMap(\.contradictions)
    } catch {
      guard error.isOfDamagedContent else { throw error }
      return [MetadataStore.damage]
    }
  }

  private func found() async throws(HostError) -> [String] {
    do { return try await database.damage() } catch { throw HostError(database: error) }
  }

  /// SQLite's description of pages is of no use to operators; a repair would be a guess.
  static let damage =
    "the database is damaged: stop the host, and recreate its folder with "
    + "\(program: .command("host restore")) from a backup"
}

extension HostModel {
  /// The contradictions in the model, as short sentences.
  package var contradictions: [String] {
    var found: [String] = []
    let label = "model '\(name)' of project '\(project)'"
    for version in versions
    where !version.sha256.isSHA256 || version.size < 0 || version.number < 1 {
      found.append("\(label): version \(version.number) names no file")
    }
    for (channel, number) in channels.sorted(by: { $0.key < $1.key })
    where self.found(number)?.isUsable != true {
      found.append("\(label): channel '\(channel)' points at version \(number), which is not available")
    }
    if let rollout, self.found(rollout.version)?.isUsable != true {
      found.append("\(label): the rollout names version \(rollout.version), which is not available")
    }
    if let current, self.found(current) == nil {
      found.append("\(label): its file is version \(current), which is missing")
    }
    return found
  }
}
#endif
