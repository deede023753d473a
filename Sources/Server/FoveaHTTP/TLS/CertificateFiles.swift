// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import NIOSSL

/// A server's certificate chain and private key, from two PEM files.
struct CertificateFiles: Sendable {
  private static let limit = 1 << 20

  let configuration: TLSConfiguration
  /// Problems with which a server can start, each with its remedy.
  let warnings: [String]
  let certificate: String
  let privateKey: String

  /// Reads both files.
  /// - Throws: `certificate-invalid` if a file cannot be read or has other contents, or if the files do not
  ///   match.
  init(certificate: String, privateKey: String) throws(ServerError) {
    self.certificate = certificate
    self.privateKey = privateKey
    let text = try Self.bytes(of: certificate, "certificate")
    guard let chain = try? NIOSSLCertificate.fromPEMBytes(text), let leaf = chain.first else {
      throw ServerError(
        .certificate, "'\(certificate.printable)' contains no certificate in PEM",
        remedy: "Give the server's certificate, followed by the certificates of its chain")
    }
    let secret = try Self.bytes(of: privateKey, "private key")
    guard let key = try? NIOSSLPrivateKey(bytes: secret, format: .pem) else {
      throw ServerError(
        .certificate, "'\(privateKey.printable)' contains no private key in PEM, or one with a password",
        remedy: "Give the key of the certificate, without a password")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    guard (try? NIOSSLContext(configuration: configuration)) != nil else {
      throw ServerError(
        .certificate,
        "The private key '\(privateKey.printable)' does not match the certificate '\(certificate.printable)'",
        remedy: "Give matching files, the server's own certificate first")
    }
    self.configuration = configuration
    warnings = Self.warnings(of: leaf, certificate, privateKey)
  }

  /// Reads the two files again.
  /// - Throws: The errors of `init`.
  func again() throws(ServerError) -> CertificateFiles {
    try CertificateFiles(certificate: certificate, privateKey: privateKey)
  }

  /// The certificate for a handshake, instead of the original one.
  var override: NIOSSLContextConfigurationOverride {
    var override = NIOSSLContextConfigurationOverride()
    override.certificateChain = configuration.certificateChain
    override.privateKey = configuration.privateKey
    return override
  }

  /// Returns the library's error for files that could be read.
  func failure(_ error: any Error) -> ServerError {
    ServerError(
      .certificate,
      "The certificate '\(certificate.printable)' with the key '\(privateKey.printable)' "
        + "cannot be used: \(error)",
      remedy: "Give a chain and its private key, both in PEM")
  }

  private static func bytes(of path: String, _ what: String) throws(ServerError) -> [UInt8] {
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: limit) } catch {
      throw ServerError(
        .certificate, "The \(what) '\(path.printable)' cannot be read: \(error.message)",
        remedy: "Choose a file that the server's user may read")
    }
  }

  private static func warnings(
    of leaf: NIOSSLCertificate, _ certificate: String, _ privateKey: String
  ) -> [String] {
    var warnings: [String] = []
    let now = time(nil)
    if now > leaf.notValidAfter {
      warnings.append(
        "The certificate '\(certificate.printable)' has expired: clients refuse it. "
          + "Renew it, or set the clock."
      )
    } else if now < leaf.notValidBefore {
      warnings.append(
        "The certificate '\(certificate.printable)' is not valid yet: clients refuse it. Set the clock.")
    }
    if let status = FileStatus(FilePath(privateKey)), status.permissions & 0o007 != 0 {
      warnings.append(
        "Other users may read the private key '\(privateKey.printable)'. "
          + "Allow only the server's user to read it: chmod 600."
      )
    }
    return warnings
  }
}
#endif
