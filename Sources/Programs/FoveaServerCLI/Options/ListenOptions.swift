// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoundationEssentials
import FoveaCore
import FoveaHTTP

/// The options for a server's address, TLS and shutdown.
struct ListenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address to listen on; port 0 picks a free port. (default: 127.0.0.1:8080)",
      valueName: "host:port"),
    transform: ListenAddress.init(option:))
  var listen = ListenAddress(host: "127.0.0.1", port: 8080)

  @Option(help: ArgumentHelp("The TLS certificate chain, in PEM.", valueName: "file"))
  var tlsCert: String?

  @Option(help: ArgumentHelp("The TLS private key, in PEM.", valueName: "file"))
  var tlsKey: String?

  @Flag(help: "Use TLS with a self-signed certificate.")
  var tlsSelfSigned = false

  @Option(help: ArgumentHelp("Another name to accept in the Host header.", valueName: "name"))
  var allowedHost: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time for running requests at shutdown. (default: 25s)", valueName: "time"),
    transform: Seconds.init(option:))
  var drain = Seconds(25)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time to keep serving while not ready, before shutdown.", valueName: "time"),
    transform: Delay.init(option:))
  var drainDelay: Delay?

  @Option(
    help: ArgumentHelp(
      "Requests to log: slow includes failed ones; all also includes those refused for their headers.",
      valueName: "which"))
  var accessLog = AccessLog.slow

  @Option(
    help: ArgumentHelp(
      "Connections at a time; others wait. (default: as many as the open file limit allows)", valueName: "n",
      visibility: .hidden), transform: WholeNumber.option(1...1_000_000))
  var maxConnections: Int?

  func validate() throws {
    if let maxConnections, !(1...1_000_000).contains(maxConnections) {
      throw ValidationError("--max-connections must be between 1 and 1000000, got \(maxConnections).")
    }
    guard !tlsSelfSigned || (tlsCert == nil && tlsKey == nil) else {
      throw ValidationError(
        "--tls-self-signed replaces --tls-cert and --tls-key: give it, or both of them.")
    }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      // Groups are validated before unknown options are reported: a misspelt option appears as missing.
      let (given, missing) = tlsCert == nil ? ("--tls-key", "--tls-cert") : ("--tls-cert", "--tls-key")
      throw ValidationError("\(given) is given without \(missing): give both.")
    }
    if let name = allowedHost.first(where: { $0.isEmpty || $0.contains { "/: ".contains($0) } }) {
      throw ValidationError(
        "--allowed-host takes a name without a port, such as models.example, got '\(name)'.")
    }
  }

  /// Whether it listens with TLS.
  var isSecure: Bool { tlsSelfSigned || tlsCert != nil }

  /// The options for the server; ``prepared()`` adds a self-signed certificate.
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

  /// Prepares the listener: a self-signed certificate if requested, and the machine's addresses if it listens
  /// on all interfaces.
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

  /// Returns the URL with one of this machine's names or addresses.
  func url(_ host: String, _ port: Int) -> String {
    "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}

/// `--allow-origin`: the other sites whose pages may send requests.
struct OriginOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A site whose pages may connect: https://app.example.", valueName: "origin"))
  var allowOrigin: [String] = []

  func validate() throws {
    if let origin = allowOrigin.first(where: { !AllowedOrigins.isOrigin($0) }) {
      throw ValidationError(
        "--allow-origin takes a scheme, a host and a port, such as https://app.example, got '\(origin)'.")
    }
  }
}

/// The options with the certificate and addresses found on this machine.
struct PreparedListener: Sendable {
  let options: ListenOptions
  /// The self-signed certificate; nil if not requested.
  let certificate: SelfSignedCertificate?
  /// The machine's addresses for other machines, if the server listens on all.
  let others: [String]

  /// Sets the certificate.
  func complete(_ server: inout ServerOptions) {
    guard let certificate else { return }
    server.certificate = certificate.certificate
    server.privateKey = certificate.privateKey
  }

  /// Returns the text to print once the server listens.
  func note(port: Int) -> ListeningNote {
    ListeningNote(
      url: options.url(options.listen.host, port), fingerprint: certificate?.fingerprint,
      others: others.map { options.url($0, port) })
  }
}
#endif
