// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

/// Where a server listens, with what the machine has given for it.
struct PreparedListener: Sendable {
  let options: ListenOptions
  /// The certificate that the server has made for itself; nil where it is not asked for.
  let certificate: SelfSignedCertificate?
  /// The addresses of the machine that others may use, where the server listens on all.
  let others: [String]

  /// Sets the certificate.
  func complete(_ server: inout ServerOptions) {
    guard let certificate else { return }
    server.certificate = certificate.certificate
    server.privateKey = certificate.privateKey
  }

  /// What is printed once the server listens.
  func note(port: Int) -> ListeningNote {
    ListeningNote(
      url: options.url(options.listen.host, port), fingerprint: certificate?.fingerprint,
      others: others.map { options.url($0, port) })
  }
}
#endif
