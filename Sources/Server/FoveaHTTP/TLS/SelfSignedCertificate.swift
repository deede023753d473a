// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
package import FoundationEssentials
import FoveaCore
import SwiftASN1
import X509

/// A self-signed certificate for the machine's names, and its key, in two files.
///
/// Both are kept across restarts, so that a fingerprint once compared in a browser stays valid.
package struct SelfSignedCertificate: Sendable, Equatable {
  /// The validity of a certificate: browsers accept no more than 398 days.
  static let lifetime: TimeInterval = 397 * 86_400
  /// The time before its end at which a certificate is renewed.
  static let renewal: TimeInterval = 30 * 86_400

  /// The certificate file, in PEM.
  package let certificate: String
  /// The private key file, in PEM, which only its owner may read.
  package let privateKey: String
  /// The SHA-256 of the certificate, as browsers display it: `AB:CD:…`.
  package let fingerprint: String

  /// Returns the certificate kept in a folder; creates one if there is none, if it expires within 30 days, or
  /// if the machine has other names.
  /// - Parameters:
  ///   - folder: The folder for the server's state, created if missing.
  ///   - names: The names the certificate must contain. Missing IPv6 addresses do not require a new
  ///     certificate, since many machines change theirs daily.
  ///   - now: The time.
  /// - Returns: The certificate, stored in its files.
  /// - Throws: `state-unavailable` if the folder cannot be read or written.
  package static func kept(
    in folder: String, for names: MachineNames, now: Date
  ) throws(ServerError) -> SelfSignedCertificate {
    let files = KeptFiles(folder: FilePath.joined(folder, "tls"))
    // If nothing has to be created, the folder may be read-only.
    if let kept = try files.valid(for: names, at: now) { return kept }
    let lock = try files.lock()
    defer { FileLock.release(lock) }
    // Another server may have created it in the meantime.
    if let kept = try files.valid(for: names, at: now) { return kept }
    return try files.make(for: names, at: now)
  }
}

/// The two files of a ``SelfSignedCertificate``.
private struct KeptFiles {
  /// Other servers hold the lock briefly while they create a certificate.
  private static let attempts = 500
  private static let pause: UInt32 = 10_000
  private static let limit = 1 << 16

  let folder: String
  var certificate: String { FilePath.joined(folder, "certificate.pem") }
  var privateKey: String { FilePath.joined(folder, "key.pem") }

  /// Returns the certificate in the files if it is still usable.
  func valid(for names: MachineNames, at now: Date) throws(ServerError) -> SelfSignedCertificate? {
    // Invalid files are replaced like missing ones: only servers write here.
    guard let text = try read(certificate), let key = try key(),
      let found = try? Certificate(pemEncoded: text),
      found.publicKey == Certificate.PublicKey(key.publicKey),
      found.notValidBefore <= now, found.notValidAfter > now + SelfSignedCertificate.renewal,
      covers(found, names)
    else { return nil }
    return try described(found)
  }

  private func covers(_ certificate: Certificate, _ names: MachineNames) -> Bool {
    guard let found = try? certificate.extensions.subjectAlternativeNames else { return false }
    let wanted = KeptFiles.alternativeNames(of: names) { $0.isVersion4 || $0.isLoopback }
    return wanted.allSatisfy { found.contains($0) }
  }

  /// Creates the certificate, with the existing key or a new one.
  ///
  /// The key is written first: a certificate never exists without its key, whenever the process ends.
  func make(for names: MachineNames, at now: Date) throws(ServerError) -> SelfSignedCertificate {
    let kept = try key()
    let key = kept ?? P256.Signing.PrivateKey()
    let made: Certificate
    let text: String
    do {
      made = try KeptFiles.signed(by: key, names, now)
      text = try made.serializeAsPEM().pemString
    } catch {
      throw ServerError(
        .certificate, "A certificate for this machine cannot be created: \(error)",
        remedy: "Give the server your own certificate")
    }
    if kept == nil { try write(key.pemRepresentation, to: privateKey, isPrivate: true) }
    do throws(ServerError) { try write(text, to: certificate) } catch {
      // SAFETY: the system only reads the path.
      if kept == nil { _ = unsafe unlink(privateKey) }
      throw error
    }
    return try described(made)
  }

  /// Locks out other servers that would create one too.
  func lock() throws(ServerError) -> Int32 {
    var problem = SystemError(EWOULDBLOCK)
    do throws(SystemError) { try Folder.make(leadingTo: certificate) } catch {
      throw failure("made", folder, error)
    }
    for _ in 0..<KeptFiles.attempts {
      do throws(SystemError) { return try FileLock.openFolder(folder) } catch {
        problem = error
        guard error.isInUse else { break }
        usleep(KeptFiles.pause)
      }
    }
    throw failure("locked", folder, problem)
  }

  private func described(_ found: Certificate) throws(ServerError) -> SelfSignedCertificate {
    do {
      var serializer = DER.Serializer()
      try serializer.serialize(found)
      return SelfSignedCertificate(
        certificate: certificate, privateKey: privateKey,
        fingerprint: SHA256Digest.text(of: serializer.serializedBytes))
    } catch {
      throw ServerError(
        .certificate, "The certificate '\(certificate.printable)' cannot be written as DER: \(error)",
        remedy: "Remove it and restart the server")
    }
  }

  private func key() throws(ServerError) -> P256.Signing.PrivateKey? {
    guard let text = try read(privateKey) else { return nil }
    return try? P256.Signing.PrivateKey(pemRepresentation: text)
  }

  /// Returns a file's text; nil if it does not exist.
  private func read(_ path: String) throws(ServerError) -> String? {
    do throws(SystemError) {
      return String(decoding: try SmallFile.bytes(of: path, limit: KeptFiles.limit), as: UTF8.self)
    } catch {
      guard error.number == ENOENT else { throw failure("read", path, error) }
      return nil
    }
  }

  private func write(_ text: String, to path: String, isPrivate: Bool = false) throws(ServerError) {
    do throws(SystemError) {
      try ReplacedFile.write(text.utf8, to: path, permissions: 0o644, isPrivate: isPrivate)
    } catch {
      throw failure("written", path, error)
    }
  }

  private func failure(_ what: String, _ path: String, _ error: SystemError) -> ServerError {
    ServerError(
      .state, "The self-signed certificate: '\(path.printable)' cannot be \(what): \(error.message)",
      remedy:
        error.isFull
        ? "Free some space on its disk"
        : "Set XDG_STATE_HOME to a folder that the server's user may write to, or StateDirectory= in the unit"
    )
  }

  /// Returns a certificate only for servers: it cannot sign others, even for someone who has its key.
  private static func signed(
    by key: P256.Signing.PrivateKey, _ names: MachineNames, _ now: Date
  ) throws -> Certificate {
    let subject = try DistinguishedName { CommonName("Fovea on \(names.machine)") }
    // Clients' clocks may be slow. Certificates have whole seconds.
    let start = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down) - 3_600)
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
      notValidBefore: start, notValidAfter: start + SelfSignedCertificate.lifetime,
      issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(alternativeNames(of: names) { _ in true })
      },
      issuerPrivateKey: .init(key))
  }

  private static func alternativeNames(
    of names: MachineNames, where isTaken: (InternetAddress) -> Bool
  ) -> [GeneralName] {
    names.names.map { .dnsName($0) }
      + names.addresses.compactMap { InternetAddress($0) }.filter(isTaken)
      .map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) }
  }
}

/// A SHA-256 in the form browsers display.
private enum SHA256Digest {
  static func text(of bytes: [UInt8]) -> String {
    let digits = FoveaCore.SHA256.hexadecimal(of: bytes.span).uppercased()
    return stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }
      .joined(separator: ":")
  }
}
#endif
