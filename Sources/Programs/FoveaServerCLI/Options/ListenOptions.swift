// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoundationEssentials
import FoveaCore
import FoveaHTTP

/// Where a server listens, with TLS or without, and how it ends.
struct ListenOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "host:port"))
  var listen = ListenAddress(host: "127.0.0.1", port: 8080)

  @Option(help: ArgumentHelp("Certificates for TLS, in PEM.", valueName: "file"))
  var tlsCert: String?

  @Option(help: ArgumentHelp("The private key for TLS, in PEM.", valueName: "file"))
  var tlsKey: String?

  @Flag(help: "TLS with a certificate that the server makes itself.")
  var tlsSelfSigned = false

  @Option(help: ArgumentHelp("A further name that requests may have as Host.", valueName: "name"))
  var allowedHost: [String] = []

  @Option(
    help: ArgumentHelp("How long requests may go on at the end. (default: 25s)", valueName: "time"),
    transform: Seconds.init(option:))
  var drain = Seconds(25)

  @Option(
    help: ArgumentHelp("How long to go on before that, while not ready.", valueName: "time"),
    transform: Delay.init(option:))
  var drainDelay: Delay?

  @Option(
    help: ArgumentHelp(
      "Requests to log: slow has those that fail, too; only all has those refused by their head.",
      valueName: "which"))
  var accessLog = AccessLog.slow

  @Option(
    help: ArgumentHelp(
      "Connections at a time; others wait. (default: what the limit of open files allows)", valueName: "n",
      visibility: .hidden), transform: WholeNumber.option(1...1_000_000))
  var maxConnections: Int?

  func validate() throws {
    if let maxConnections, !(1...1_000_000).contains(maxConnections) {
      throw ValidationError("--max-connections must be between 1 and 1000000, got \(maxConnections).")
    }
    guard !tlsSelfSigned || (tlsCert == nil && tlsKey == nil) else {
      throw ValidationError(
        "--tls-self-signed takes the place of --tls-cert and --tls-key: give it, or the two of them.")
    }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      // Groups are judged before unknown options: who has misspelt one hears which is missing.
      let (given, missing) = tlsCert == nil ? ("--tls-key", "--tls-cert") : ("--tls-cert", "--tls-key")
      throw ValidationError("\(given) is given without \(missing): they go together.")
    }
    if let name = allowedHost.first(where: { $0.isEmpty || $0.contains { "/: ".contains($0) } }) {
      throw ValidationError("--allowed-host takes a name without a port, as models.example, not '\(name)'.")
    }
  }

  /// Whether it listens with TLS.
  var isSecure: Bool { tlsSelfSigned || tlsCert != nil }

  /// The same for the server; ``certificate()`` gives what `--tls-self-signed` lacks.
  var server: ServerOptions {
    var server = ServerOptions()
    server.host = listen.host
    server.port = listen.port
    server.certificate = tlsCert
    server.privateKey = tlsKey
    server.drain = drain.seconds
    server.drainDelay = drainDelay?.seconds ?? 0
    server.allowedHosts = Set(allowedHost.map { $0.lowercased() })
    server.maximumConnections = maxConnections
    server.manager = ServiceManager()
    return server
  }

  /// What the machine has to give for it: the certificate where the server makes its own, and the addresses of all interfaces
  /// where it listens on them.
  func prepared() throws(ServerError) -> PreparedListener {
    DescriptorLimit.raise()
    guard tlsSelfSigned || InternetAddress(listen.host)?.isAny == true else {
      return PreparedListener(options: self, certificate: nil, others: [])
    }
    let names = try MachineNames.current(listening: listen.host)
    let certificate: SelfSignedCertificate? =
      tlsSelfSigned ? try .kept(in: StateFolder.path(), for: names, now: Date()) : nil
    return PreparedListener(
      options: self, certificate: certificate, others: names.reachable(listening: listen.host))
  }

  /// The address with a name or number of this machine.
  func url(_ host: String, _ port: Int) -> String {
    "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}

/// `--allow-origin`: the other sites whose pages may ask.
struct OriginOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A site whose pages may ask: https://app.example.", valueName: "origin"))
  var allowOrigin: [String] = []

  func validate() throws {
    if let origin = allowOrigin.first(where: { !AllowedOrigins.isOrigin($0) }) {
      throw ValidationError(
        "--allow-origin takes a scheme, a host and a port, as https://app.example, not '\(origin)'.")
    }
  }
}

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
