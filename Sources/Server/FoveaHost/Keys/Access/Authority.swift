// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore
import JWTKit
import Synchronization
import FoveaHTTP

/// Holds the keys of a host, and identifies the sender of a request.
package final class Authority: Sendable {
  /// A key of a service account that can check signatures.
  struct Signer: Sendable {
    let key: HostKey
    let publicKey: _RSA.Signing.PublicKey
    let tokenKey: JWTKit.Insecure.RSA.PublicKey
  }

  /// The keys at one moment.
  private struct Snapshot {
    var signers: [String: Signer] = [:]
    /// The ids of keys; two accounts may share a name by chance.
    var byEmail: [String: [String]] = [:]
    var apps: [HostKey] = []
    /// The ids of revoked keys.
    var revoked: Set<String> = []
    /// All keys that were read.
    var keys: [HostKey] = []
    /// The keys that this process has stored, which may be missing among those.
    var added: [HostKey] = []
  }

  /// The scheme, name and port of the host, without a trailing slash.
  package let address: String
  let ring: KeyRing
  let now: Now
  private let snapshot: Mutex<Snapshot>

  /// - Parameters:
  ///   - address: The URL at which clients reach the host: `http://127.0.0.1:8080`.
  ///   - ring: The ring that signs access tokens.
  ///   - keys: Every key, including revoked and expired ones.
  ///   - now: The clock.
  package init(address: String, ring: KeyRing, keys: [HostKey], now: @escaping Now) {
    self.address = address
    self.ring = ring
    self.now = now
    snapshot = Mutex(Authority.snapshot(of: keys, after: Snapshot()))
  }

  /// Replaces the keys from now on; everything that a revoked one signed is void at once.
  ///
  /// A key that was revoked before stays revoked, and one that was added stays: of two calls at the same
  /// time, the later one may have the keys that were read earlier.
  package func replace(_ keys: [HostKey]) {
    snapshot.withLock { $0 = Authority.snapshot(of: keys, after: $0) }
  }

  /// Adds a key that this process has stored.
  package func add(_ key: HostKey) {
    snapshot.withLock {
      $0.added.append(key)
      $0 = Authority.snapshot(of: $0.keys, after: $0)
    }
  }

  /// Revokes a key that is stored as revoked; everything that it signed is void at once.
  package func revoke(_ id: String) {
    snapshot.withLock {
      $0.revoked.insert(id)
      $0 = Authority.snapshot(of: $0.keys, after: $0)
    }
  }

  /// Returns the app key with this text, which identifies the project.
  ///
  /// Compares all keys, each in constant time.
  /// - Throws: `unauthenticated` if the text is not a valid key.
  package func app(key text: String) throws(HostError) -> HostKey {
    let digest = Array(AppKey.digest(of: text).utf8)
    let apps = snapshot.withLock { $0.apps }
    var found: HostKey?
    for app in apps where Secret.isEqual(Array((app.digest ?? "").utf8), digest) { found = app }
    guard let found, isLive(found) else {
      throw HostError(
        .unauthenticated, "The API key is not valid", remedy: "Use the key that the host created for the app")
    }
    return found
  }

  /// Returns the valid key with that id; nil if there is none.
  func signer(_ id: String) -> Signer? {
    guard let signer = snapshot.withLock({ $0.signers[id] }), isLive(signer.key) else { return nil }
    return signer
  }

  /// Returns the valid keys of a service account.
  func signers(email: String) -> [Signer] {
    snapshot.withLock { $0.byEmail[email] ?? [] }.compactMap { signer($0) }
  }

  private func isLive(_ key: HostKey) -> Bool {
    let now = now()
    return key.revoked == nil && key.expires.map { now < $0 } ?? true
  }

  private static func snapshot(of keys: [HostKey], after last: Snapshot) -> Snapshot {
    var snapshot = Snapshot()
    (snapshot.keys, snapshot.added) = (keys, last.added)
    snapshot.revoked = last.revoked.union(keys.lazy.filter { $0.revoked != nil }.map(\.id))
    let ids = Set(keys.map(\.id))
    for key in keys + last.added.filter({ !ids.contains($0.id) }) where !snapshot.revoked.contains(key.id) {
      if key.role == .app {
        snapshot.apps.append(key)
      } else if let pem = key.publicKey,
        let publicKey = try? _RSA.Signing.PublicKey(pemRepresentation: pem),
        let tokenKey = try? JWTKit.Insecure.RSA.PublicKey(backing: publicKey)
      {
        snapshot.signers[key.id] = Signer(key: key, publicKey: publicKey, tokenKey: tokenKey)
        snapshot.byEmail[key.name, default: []].append(key.id)
      }
    }
    return snapshot
  }
}
#endif
