// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore
import JWTKit
import Synchronization
import FoveaHTTP

/// Knows the keys of a host, and who a request comes from.
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
    /// Ids of keys; two accounts may have been given one name by chance.
    var byEmail: [String: [String]] = [:]
    var apps: [HostKey] = []
  }

  /// Scheme, name and port of the host, without a slash at the end.
  package let address: String
  let ring: KeyRing
  let now: Now
  private let snapshot: Mutex<Snapshot>

  /// - Parameters:
  ///   - address: Where clients reach the host: `http://127.0.0.1:8080`.
  ///   - ring: Signs access tokens.
  ///   - keys: Every key, revoked and expired ones too.
  ///   - now: The clock.
  package init(address: String, ring: KeyRing, keys: [HostKey], now: @escaping Now) {
    self.address = address
    self.ring = ring
    self.now = now
    snapshot = Mutex(Authority.snapshot(of: keys))
  }

  /// Takes other keys from now on; what a revoked one signed is void at once.
  package func replace(_ keys: [HostKey]) {
    let next = Authority.snapshot(of: keys)
    snapshot.withLock { $0 = next }
  }

  /// The project that an app's key belongs to.
  ///
  /// All keys are compared, each in constant time.
  /// - Throws: `unauthenticated` where no live key is that text.
  package func app(key text: String) throws(HostError) -> HostKey {
    let digest = Array(AppKey.digest(of: text).utf8)
    let apps = snapshot.withLock { $0.apps }
    var found: HostKey?
    for app in apps where Secret.isEqual(Array((app.digest ?? "").utf8), digest) { found = app }
    guard let found, isLive(found) else {
      throw HostError(
        .unauthenticated, "The API key is not valid", remedy: "Use the key that the host made for the app")
    }
    return found
  }

  /// The live key of that id; nil where there is none.
  func signer(_ id: String) -> Signer? {
    guard let signer = snapshot.withLock({ $0.signers[id] }), isLive(signer.key) else { return nil }
    return signer
  }

  /// The live keys of a service account.
  func signers(email: String) -> [Signer] {
    snapshot.withLock { $0.byEmail[email] ?? [] }.compactMap { signer($0) }
  }

  private func isLive(_ key: HostKey) -> Bool {
    let now = now()
    return key.revoked == nil && key.expires.map { now < $0 } ?? true
  }

  private static func snapshot(of keys: [HostKey]) -> Snapshot {
    var snapshot = Snapshot()
    for key in keys where key.revoked == nil {
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
