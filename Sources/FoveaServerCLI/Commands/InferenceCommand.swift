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
      usage: "fovea serve [options]\nfovea serve key add <name>",
      discussion:
        "curl --data-binary @street.jpg http://127.0.0.1:8080/v1/detect\n\nPrints its address once it answers, which in a browser is a page for camera and\nphotos, and its log as JSON lines to standard error. SIGTERM or Ctrl-C ends it\nwhen the requests under way are answered.",
      subcommands: [InferenceKeyCommand.self, HealthcheckCommand.self])

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "A model: NAME=FILE, a file, a name, or a host's. The first is the default. (default: built in)",
        valueName: "model"))
    var model: [String] = []

    @Option(help: ArgumentHelp("Serve every model of a folder.", valueName: "dir"))
    var models: String?

    @Option(
      help: ArgumentHelp(
        "A video to watch: NAME=rtsp://…, NAME=/dev/video0 or NAME=FILE.", valueName: "source"))
    var source: [String] = []

    @OptionGroup var place: ListenOptions

    @Option(help: ArgumentHelp("Images worked on at a time. (default: the cores)", valueName: "n"))
    var slots: Int?

    @Option(help: ArgumentHelp("How long an image may take, with its wait.", valueName: "time"))
    var deadline = Seconds(2)

    @Option(help: ArgumentHelp("The largest body to take.", valueName: "bytes"))
    var maxBody = ByteCount(bytes: 32 << 20)

    @Option(help: ArgumentHelp("The largest frame of a live connection.", valueName: "bytes"))
    var maxFrame = ByteCount(bytes: 2 << 20)

    @Option(help: ArgumentHelp("Who may ask; 'fovea serve key add' makes it.", valueName: "file"))
    var keys: String?

    @Flag(help: "Anybody who reaches it may use it.")
    var open = false

    @Flag(help: "Log every request, not only those that fail or are slow.")
    var logAll = false

    func validate() throws {
      if let slots, !(1...256).contains(slots) {
        throw ValidationError("--slots must be between 1 and 256, got \(slots).")
      }
      guard place.server.isLoopback || open || keys != nil else {
        throw ValidationError(
          "\(place.listen.host) is not this machine alone: give --keys, or --open if anybody who reaches it may use it."
        )
      }
    }

    /// How the server is run.
    var options: InferenceOptions {
      var options = InferenceOptions()
      options.server = place.server
      options.slots = slots ?? Cores.available
      options.deadline = .seconds(deadline.seconds)
      options.maximumBody = Int(maxBody.bytes)
      options.modelFolder = models
      options.keys = keys
      options.maximumFrame = Int(min(maxFrame.bytes, 1 << 30))
      options.logsAll = logAll
      return options
    }

    func run() async throws {
      do {
        var entries: [ModelEntry] = []
        for argument in model { entries.append(try ModelEntry(argument)) }
        if entries.isEmpty && models == nil { entries = [.embedded] }
        if let twice = InferenceCommand.duplicate(entries.map(\.name)) {
          throw CommandEnd.line("Two models are called '\(twice)'. Give one another name, as other=FILE.")
        }
        let listener = try place.prepared()
        var options = options
        listener.complete(&options.server)
        for argument in source { options.sources.append(try StreamEntry(argument)) }
        if let twice = InferenceCommand.duplicate(options.sources.map(\.name)) {
          throw CommandEnd.line("Two sources are called '\(twice)'. Give one another name.")
        }
        let service = try await InferenceService(
          entries, options: options, logger: ServerLog.logger("fovea.serve"))
        let names = service.registry.models.map(\.name).joined(separator: ", ")
        let sources =
          options.sources.isEmpty
          ? "" : "sources: \(options.sources.map(\.name).joined(separator: ", ")); "
        let slots = DecimalText.counted(options.slots, "slot", "slots")
        try await service.run { port in
          try? CommandEnd.print(listener.note(port: port).text("  models: \(names); \(sources)\(slots)"))
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
