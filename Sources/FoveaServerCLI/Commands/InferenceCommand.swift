// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import Fovea
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaServer
  internal import FoveaSystem
  internal import Logging

  /// `fovea serve`: answers images until the process is asked to end.
  struct InferenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Answer images over HTTP: fovea serve",
      usage: "fovea serve [options]",
      discussion:
        "curl --data-binary @street.jpg http://127.0.0.1:8080/v1/detect\n\nPrints its address once it answers, and its log as JSON lines to standard\nerror. SIGTERM or Ctrl-C ends it when the requests under way are answered."
    )

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "A model: NAME=FILE, a file, or a name. The first is the default. (default: built in)",
        valueName: "model"))
    var model: [String] = []

    @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)

    @Option(help: ArgumentHelp("Images worked on at a time. (default: the cores)", valueName: "n"))
    var slots: Int?

    @Option(help: ArgumentHelp("How long an image may take, with its wait.", valueName: "time"))
    var deadline = Seconds(2)

    @Option(help: ArgumentHelp("The largest body to take.", valueName: "bytes"))
    var maxBody = ByteCount(bytes: 32 << 20)

    @Option(help: ArgumentHelp("Certificates for TLS, in PEM.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key for TLS, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Flag(help: "Anybody who reaches it may use it.")
    var open = false

    @Option(help: ArgumentHelp("How long requests may go on at the end.", valueName: "time"))
    var drain = Seconds(25)

    @Flag(help: "Log every request, not only those that fail or are slow.")
    var logAll = false

    func validate() throws {
      guard (tlsCert == nil) == (tlsKey == nil) else {
        throw ValidationError("--tls-cert and --tls-key go together.")
      }
      if let slots, !(1...256).contains(slots) {
        throw ValidationError("--slots must be between 1 and 256, got \(slots).")
      }
      var server = ServerOptions()
      server.host = listen.host
      guard server.isLoopback || open else {
        throw ValidationError(
          "\(listen.host) is not this machine alone: give --open if anybody who reaches it may use it.")
      }
    }

    /// How the server is run.
    var options: InferenceOptions {
      var options = InferenceOptions()
      options.server.host = listen.host
      options.server.port = listen.port
      options.server.certificate = tlsCert
      options.server.privateKey = tlsKey
      options.server.drain = drain.seconds
      options.slots = slots ?? Cores.available
      options.deadline = .milliseconds(Int64(deadline.seconds * 1_000))
      options.maximumBody = Int(maxBody.bytes)
      options.logsAll = logAll
      return options
    }

    func run() async throws {
      do {
        var entries: [ModelEntry] = []
        for argument in model { entries.append(try ModelEntry(argument)) }
        if entries.isEmpty { entries = [.embedded] }
        if let twice = InferenceCommand.duplicate(entries.map(\.name)) {
          throw CommandEnd.line("Two models are called '\(twice)'. Give one another name, as other=FILE.")
        }
        let service = try await InferenceService(
          entries, options: options, logger: ServerLog.logger("fovea.serve"))
        let scheme = tlsCert == nil ? "http" : "https"
        let name = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
        let models = entries.map(\.name).joined(separator: ", ")
        let slots = DecimalText.counted(options.slots, "slot", "slots")
        try await service.run { port in
          try? CommandEnd.print("listening \(scheme)://\(name):\(port)  models: \(models); \(slots)\n")
        }
      } catch let error as FoveaError {
        throw CommandEnd.report(error)
      } catch let error as ServerError {
        throw CommandEnd.report(error)
      }
    }

    private static func duplicate(_ names: [String]) -> String? {
      var seen: Set<String> = []
      return names.first { !seen.insert($0).inserted }
    }
  }
#endif
