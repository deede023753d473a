// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostFolder {
  /// The secrets that sign tokens and addresses.
  package var ring: String { keys + "/ring.json" }

  /// Makes a key where no host runs that could be asked for one: who may write the folder is an administrator.
  /// - Parameters:
  ///   - order: What it is to be.
  ///   - now: The clock.
  /// - Returns: The key, whose secret is kept nowhere.
  /// - Throws: `invalid` for a moment that has passed or a name that is none; `unavailable`, `disk-full`.
  package func addKey(_ order: KeyOrder, now: Now) async throws(HostError) -> NewKey {
    let time = now()
    let made = try NewKey(order, project: settings.project, url: settings.url, now: time)
    try await metadata.add(made.key, entry: entry("key.add", at: time))
    return made
  }

  /// Puts a new secret into the ring; see ``KeyService/rotateRing(actor:)``.
  /// - Throws: `folder` where the ring cannot be read; `unavailable`, `disk-full`.
  package func rotateRing(now: Now) async throws(HostError) {
    let ring = try KeyRing(path: ring)
    try await metadata.note(entry("ring.rotate", at: now()))
    try ring.rotate()
  }

  private func entry(_ action: String, at time: Timestamp) -> AuditEntry {
    AuditEntry(time: time, actor: "folder", action: action, project: settings.project)
  }
}
#endif
