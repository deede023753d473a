// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import NIOSSL

/// The chain of certificates and the private key of a server, out of two files in PEM.
struct CertificateFiles: Sendable {
  private static let limit = 1 << 20

  let configuration: TLSConfiguration
  /// What is odd about them, each with what to do: a server may begin with it.
  let warnings: [String]
  let certificate: String
  let privateKey: String

  /// Reads both files.
  /// - Throws: `certificate-invalid` where one cannot be read, holds something else, or they do not fit.
  init(certificate: String, privateKey: String) throws(ServerError) {
    self.certificate = certificate
    self.privateKey = privateKey
    let text = try Self.bytes(of: certificate, "certificate")
    guard let chain = try? NIOSSLCertificate.fromPEMBytes(text), let leaf = chain.first else {
      throw ServerError(
        .certificate, "'\(certificate.printable)' holds no certificate in PEM",
        remedy: "Give the server's certificate and those that lead to its root, in this order")
    }
    let secret = try Self.bytes(of: privateKey, "private key")
    guard let key = try? NIOSSLPrivateKey(bytes: secret, format: .pem) else {
      throw ServerError(
        .certificate, "'\(privateKey.printable)' holds no private key in PEM, or one with a password",
        remedy: "Give the key of the certificate, without a password")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    guard (try? NIOSSLContext(configuration: configuration)) != nil else {
      throw ServerError(
        .certificate,
        "The private key '\(privateKey.printable)' is not that of the certificate '\(certificate.printable)'",
        remedy: "Give the two files that belong together, the server's own certificate first")
    }
    self.configuration = configuration
    warnings = Self.warnings(of: leaf, certificate, privateKey)
  }

  /// What the two files hold now.
  /// - Throws: As `init`.
  func again() throws(ServerError) -> CertificateFiles {
    try CertificateFiles(certificate: certificate, privateKey: privateKey)
  }

  /// What a handshake takes in place of what the server began with.
  var override: NIOSSLContextConfigurationOverride {
    var override = NIOSSLContextConfigurationOverride()
    override.certificateChain = configuration.certificateChain
    override.privateKey = configuration.privateKey
    return override
  }

  /// What the library says against files that it has read.
  func failure(_ error: any Error) -> ServerError {
    ServerError(
      .certificate,
      "The certificate '\(certificate.printable)' with the key '\(privateKey.printable)' cannot be used: \(error)",
      remedy: "Give a chain and its own key, both in PEM")
  }

  private static func bytes(of path: String, _ what: String) throws(ServerError) -> [UInt8] {
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: limit) } catch {
      throw ServerError(
        .certificate, "The \(what) '\(path.printable)' cannot be read: \(error.message)",
        remedy: "Name a file that the server's user may read")
    }
  }

  private static func warnings(
    of leaf: NIOSSLCertificate, _ certificate: String, _ privateKey: String
  ) -> [String] {
    var warnings: [String] = []
    let now = time(nil)
    if now > leaf.notValidAfter {
      warnings.append(
        "The certificate '\(certificate.printable)' has expired: clients refuse it. Renew it, or set the clock."
      )
    } else if now < leaf.notValidBefore {
      warnings.append(
        "The certificate '\(certificate.printable)' is not valid yet: clients refuse it. Set the clock.")
    }
    if let status = FileStatus(FilePath(privateKey)), status.permissions & 0o007 != 0 {
      warnings.append(
        "Other users may read the private key '\(privateKey.printable)'. Allow it to the server's user alone: chmod 600."
      )
    }
    return warnings
  }
}
#endif
