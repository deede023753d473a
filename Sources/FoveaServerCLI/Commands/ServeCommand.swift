// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaHost
  internal import FoveaSystem

  /// `fovea host serve`: answers until the process is asked to end.
  struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve a host: fovea host serve models",
      usage: "fovea host serve <dir> [options]",
      discussion:
        "Prints 'listening URL' once it answers, and its log as JSON lines to standard\nerror. SIGTERM or Ctrl-C ends it when the requests under way are answered."
    )

    @Argument(help: ArgumentHelp("The folder that init has made.", valueName: "dir"))
    var folder: String

    @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)

    @Option(help: ArgumentHelp("Certificates for TLS, in PEM.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key for TLS, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Flag(help: "Others reach it through a proxy that has TLS.")
    var behindProxy = false

    @Option(help: ArgumentHelp("How long the address of a file works.", valueName: "time"))
    var urlLifetime = Seconds(600)

    @Option(help: ArgumentHelp("How long requests may go on at the end.", valueName: "time"))
    var drain = Seconds(25)

    @Option(help: ArgumentHelp("The largest file to take.", valueName: "bytes"))
    var maxUpload = ByteCount(bytes: 4 << 30)

    @Flag(help: "Log every request, not only those that fail or are slow.")
    var logAll = false

    @OptionGroup var output: JSONOption

    func validate() throws {
      guard (tlsCert == nil) == (tlsKey == nil) else {
        throw ValidationError("--tls-cert and --tls-key go together.")
      }
      var server = ServerOptions()
      server.host = listen.host
      guard server.isLoopback || tlsCert != nil || behindProxy else {
        throw ValidationError(
          "\(listen.host) is not this machine alone: give --tls-cert and --tls-key, or --behind-proxy.")
      }
    }

    /// How the host is run.
    var options: HostOptions {
      var options = HostOptions()
      options.server.host = listen.host
      options.server.port = listen.port
      options.server.certificate = tlsCert
      options.server.privateKey = tlsKey
      options.server.isBehindProxy = behindProxy
      options.server.drain = drain.seconds
      options.urlLifetime = urlLifetime.seconds
      options.maximumUpload = maxUpload.bytes
      options.logsAll = logAll
      return options
    }

    func run() async throws {
      do {
        let host = try HostFolder(folder)
        // Its end closes the database.
        defer { withExtendedLifetime(host) {} }
        let service = try HostSetup.service(
          of: host, options: options, now: SystemClock.now, logger: ServerLog.logger("fovea.host"))
        let scheme = tlsCert == nil ? "http" : "https"
        let name = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
        let printsJSON = output.json
        try await service.run { port in
          let url = "\(scheme)://\(name):\(port)"
          var json = JSONText()
          json.object { $0.member("listening", url) }
          json.endLine()
          try? CommandEnd.print(printsJSON ? json.text : "listening \(url)\n")
        }
      } catch let error as HostError {
        throw CommandEnd.report(error)
      } catch let error as ServerError {
        throw CommandEnd.report(error)
      }
    }
  }
#endif
