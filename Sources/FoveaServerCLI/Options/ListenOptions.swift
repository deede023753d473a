// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaHTTP

  /// Where a server listens, with TLS or without, and how it ends.
  struct ListenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)

    @Option(help: ArgumentHelp("Certificates for TLS, in PEM.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key for TLS, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(help: ArgumentHelp("How long requests may go on at the end.", valueName: "time"))
    var drain = Seconds(25)

    func validate() throws {
      guard (tlsCert == nil) == (tlsKey == nil) else {
        throw ValidationError("--tls-cert and --tls-key go together.")
      }
    }

    /// The same for the server.
    var server: ServerOptions {
      var server = ServerOptions()
      server.host = listen.host
      server.port = listen.port
      server.certificate = tlsCert
      server.privateKey = tlsKey
      server.drain = drain.seconds
      return server
    }

    /// The address that clients on this machine use.
    func url(port: Int) -> String {
      let name = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
      return "\(tlsCert == nil ? "http" : "https")://\(name):\(port)"
    }
  }
#endif
