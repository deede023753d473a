// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore
import FoveaHost
import Synchronization

/// A host's keys at a moment chosen by the test.
final class KeySamples: Sendable {
  static let address = "http://127.0.0.1:8080"
  static let project = "modelhost-test"
  /// 2026-11-22 10:00:00 UTC, in seconds.
  static let start: Int64 = 1_795_341_600

  private let clock = Mutex(start * 1000)
  let ring = KeyRing()

  func set(seconds: Double) { clock.withLock { $0 = Self.start * 1000 + Int64(seconds * 1000) } }

  var now: Timestamp { Timestamp(milliseconds: clock.withLock { $0 }) }

  func authority(_ keys: [HostKey]) -> Authority {
    Authority(address: Self.address, ring: ring, keys: keys) { self.now }
  }

  static let first = ServiceAccount(
    project: project, keyID: "0123456789abcdef0123456789abcdef01234567",
    email: "admin-1a2b@modelhost-test.iam.gserviceaccount.com", clientID: "100000000000000000001",
    privateKey: TestKeys.first, tokenURI: address + "/token", universe: nil)

  static let second = ServiceAccount(
    project: "another-project", keyID: "fedcba9876543210fedcba9876543210fedcba98",
    email: "viewer-3c4d@another-project.iam.gserviceaccount.com", clientID: "100000000000000000002",
    privateKey: TestKeys.second, tokenURI: address + "/token", universe: nil)

  static func key(
    _ account: ServiceAccount = first, role: HostKey.Role = .admin, expires: Int64? = nil,
    revoked: Int64? = nil
  ) throws -> HostKey {
    let created = Timestamp(milliseconds: start * 1000)
    var key = try account.hostKey(role: role, created: created)
    key.expires = expires.map { created.advanced(seconds: Double($0)) }
    key.revoked = revoked.map { created.advanced(seconds: Double($0)) }
    return key
  }

  /// A token of RFC 7515 with any header and claims, signed with a private key.
  static func token(header: String, claims: String, key: String = TestKeys.first) throws -> String {
    let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
    let key = try _RSA.Signing.PrivateKey(pemRepresentation: key)
    let signature = try key.signature(for: Array(text.utf8), padding: .insecurePKCS1v1_5)
    return text + "." + Base64URL.encode(Array(signature.rawRepresentation))
  }
}

/// The code of the error that a body throws; nil if it throws none.
func code(_ body: () async throws -> Void) async -> HostCode? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? HostError)?.code ?? .inner
  }
}
#endif
