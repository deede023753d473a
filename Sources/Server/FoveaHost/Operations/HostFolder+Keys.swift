// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostFolder {
  /// The secrets that sign tokens and URLs.
  package var ring: String { keys + "/ring.json" }

  /// Creates a key without a running host: anyone who can write the folder is an administrator.
  /// - Parameters:
  ///   - properties: The properties of the key.
  ///   - now: The clock.
  /// - Returns: The key, whose secret is not stored.
  /// - Throws: `invalid` for an expiry in the past or an invalid name; `unavailable`, `disk-full`.
  package func addKey(_ properties: KeyProperties, now: Now) async throws(HostError) -> NewKey {
    let time = now()
    let made = try NewKey(properties, project: settings.project, url: settings.url, now: time)
    try await metadata.add(made.key, entry: entry("key.add", at: time))
    return made
  }

  /// Adds a new secret to the ring; see ``KeyService/rotateRing(actor:)``.
  /// - Throws: `folder` if the ring cannot be read; `unavailable`, `disk-full`.
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
