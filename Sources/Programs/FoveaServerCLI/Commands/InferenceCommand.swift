// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaInference
import Logging

/// `fovea serve`: runs the inference server until the process is asked to end.
struct InferenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run inference over HTTP.",
    usage: "fovea serve [options]\nfovea serve key add <name>",
    discussion: """
      Example: curl --data-binary @street.jpg http://127.0.0.1:8080/v1/detect
      Prints its address once it is ready; open it in a browser for a page with
      camera and photos. Logs JSON lines to standard error. SIGTERM or Ctrl-C stops
      it once the running requests are answered.
      --help-hidden lists all options. Events of cameras: --zone, --mqtt, --webhook.
      """,
    subcommands: [InferenceKeyCommand.self, InferenceHealthcheckCommand.self])

  @Option(help: ArgumentHelp("A JSON file with options, models and sources.", valueName: "file"))
  var config: String?

  @Flag(
    help: ArgumentHelp("Check the configuration and its files, print it, and exit.", visibility: .hidden))
  var checkConfig = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "A model: NAME=FILE, a file, or a model's name. The first is the default. (default: built in)",
      valueName: "model"))
  var model: [String] = []

  @Option(help: ArgumentHelp("Serve every model in a folder.", valueName: "dir"))
  var models: String?

  @Option(
    help: ArgumentHelp(
      "The host to download named models from. (default: FOVEA_MODEL_HOST)", valueName: "url",
      visibility: .hidden))
  var host: String?

  @Option(
    help: ArgumentHelp(
      "Watch NAME=rtsp://…, NAME=/dev/video0 or NAME=FILE.", valueName: "source"))
  var source: [String] = []

  @OptionGroup var watching: WatchOptions

  @Option(
    help: ArgumentHelp(
      "Publish events at an MQTT broker: mqtt://user:password@broker.", valueName: "url",
      visibility: .hidden))
  var mqtt: [String] = []

  @OptionGroup var place: ListenOptions

  @Option(
    help: ArgumentHelp("Images processed at a time. (default: one per core)", valueName: "n"),
    transform: WholeNumber.option(1...256))
  var slots: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time limit per image, including its wait: 2s, 500ms. (default: 2s)", valueName: "time"),
    transform: Seconds.init(option:))
  var deadline = Seconds(2)

  @Option(
    help: ArgumentHelp(
      "Memory for models: 2GiB. (default: a quarter of RAM)", valueName: "bytes"),
    transform: ByteCount.init(option:))
  var modelMemory: ByteCount?

  @Option(
    help: ArgumentHelp(
      "Image formats besides JPEG, PNG and WebP: heic, avif, gif, bmp, tiff, or all.",
      valueName: "format,…", visibility: .hidden), transform: ImageFormatList.init(option:))
  var formats: ImageFormatList?

  @Option(
    help: ArgumentHelp(
      "Other servers' protocols to support: \(ClientProtocolList.names), all, or none.",
      valueName: "protocol,…", visibility: .hidden), transform: ClientProtocolList.init(option:))
  var protocols: ClientProtocolList?

  @Option(
    help: ArgumentHelp(
      "A JSON file that maps labels to DeepStack's names.", valueName: "file", visibility: .hidden))
  var labelsMap: String?

  @OptionGroup var pages: OriginOptions

  @Option(
    help: ArgumentHelp(
      "A second address, for health and metrics only.", valueName: "host:port", visibility: .hidden),
    transform: ListenAddress.init(option:))
  var admin: ListenAddress?

  @Option(
    help: ArgumentHelp(
      "Trust X-Forwarded-For from the proxy with this address.", valueName: "address",
      visibility: .hidden))
  var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp("The largest request: 500kB, 32MiB. (default: 32MiB)", valueName: "bytes"),
    transform: ByteCount.init(option:))
  var maxBody = ByteCount(bytes: 32 << 20)

  @Option(
    help: ArgumentHelp(
      "The most images in one request. (default: 64)", valueName: "n", visibility: .hidden),
    transform: WholeNumber.option(1...1_000_000_000))
  var maxImages = 64

  @Option(
    help: ArgumentHelp(
      "The most pixels in an image. (default: 50000000)", valueName: "pixels", visibility: .hidden),
    transform: WholeNumber.option(1...1_000_000_000))
  var maxPixels = 50_000_000

  @Option(
    help: ArgumentHelp(
      "The largest frame on a live connection, up to 1GiB. (default: 2MiB)", valueName: "bytes",
      visibility: .hidden),
    transform: ByteCount.init(option:))
  var maxFrame = ByteCount(bytes: 2 << 20)

  @Option(
    help: ArgumentHelp(
      "Memory for request bodies. (default: 256MiB)", valueName: "bytes",
      visibility: .hidden),
    transform: ByteCount.init(option:))
  var bodyMemory = ByteCount(bytes: 256 << 20)

  @Option(
    help: ArgumentHelp(
      "Memory for decoded images. (default: 512MiB)", valueName: "bytes",
      visibility: .hidden),
    transform: ByteCount.init(option:))
  var imageMemory = ByteCount(bytes: 512 << 20)

  @Option(
    help: ArgumentHelp("The former name of --image-memory.", valueName: "bytes", visibility: .private),
    transform: ByteCount.init(option:))
  var pictureMemory: ByteCount?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Least score of a keypoint that is drawn. (default: 0.3)", valueName: "s", visibility: .hidden))
  var keypointThreshold: Float?

  @Option(help: ArgumentHelp("Access key file; 'fovea serve key add' creates it.", valueName: "file"))
  var keys: String?

  @Flag(help: "Allow anyone to connect.")
  var open = false

  func validate() throws {
    if let slots, !(1...256).contains(slots) {
      throw ValidationError("--slots must be between 1 and 256, got \(slots).")
    }
    for (name, value) in [("--max-images", maxImages), ("--max-pixels", maxPixels)]
    where !(1...1_000_000_000).contains(value) {
      throw ValidationError("\(name) must be between 1 and 1000000000, got \(value).")
    }
    guard maxFrame.bytes <= 1 << 30 else {
      throw ValidationError("--max-frame must be at most 1GiB, got \(maxFrame.bytes) bytes.")
    }
    // The range does not contain NaN.
    if let keypointThreshold, !(0...1).contains(keypointThreshold) {
      throw ValidationError("--keypoint-threshold must be between 0 and 1, got \(keypointThreshold).")
    }
    if let proxy = trustedProxy.first(where: { InternetAddress($0) == nil }) {
      throw ValidationError("--trusted-proxy takes a numeric address such as 127.0.0.1, got '\(proxy)'.")
    }
    // The file's options are arguments too, before those of the command line, and its 'webhooks' are not.
    if config == nil {
      guard mqtt.count < 2 else {
        throw ValidationError("--mqtt is given twice: events go to one broker.")
      }
      guard watching.dwell.isEmpty || watching.events != nil || !watching.webhook.isEmpty || !mqtt.isEmpty
      else {
        throw ValidationError("--dwell needs --events, --webhook or --mqtt.")
      }
    }
    guard place.server.isLoopback || open || keys != nil else {
      throw ValidationError(
        "\(place.listen.host) is reachable from other machines: give --keys, or --open to allow anyone."
      )
    }
  }

  /// Returns the server's options.
  /// - Throws: `config-invalid` for the label map.
  func options() throws(FoveaError) -> InferenceOptions {
    var options = InferenceOptions()
    options.server = place.server
    options.server.admin = admin
    options.server.rules.origins = AllowedOrigins(pages.allowOrigin)
    options.protocols = protocols?.protocols ?? options.protocols
    if let labelsMap { options.labels = try ClientLabels(path: labelsMap) }
    options.slots = slots ?? Cores.available
    options.deadline = .seconds(deadline.seconds)
    options.maximumBody = Int(maxBody.bytes)
    options.maximumImages = maxImages
    options.maximumPixels = maxPixels
    options.modelFolder = models
    options.modelMemory = modelMemory.map { Int($0.bytes) }
    options.formats.formUnion(formats?.formats ?? [])
    options.bodyMemory = Int(bodyMemory.bytes)
    options.imageMemory = Int((pictureMemory ?? imageMemory).bytes)
    if let keypointThreshold { options.keypointThreshold = keypointThreshold }
    options.keys = keys
    if !trustedProxy.isEmpty { options.proxies = .only(Set(trustedProxy)) }
    options.maximumFrame = Int(maxFrame.bytes)
    options.accessLog = place.accessLog
    options.events = watching.eventOptions
    return options
  }

  func run() async throws {
    if !checkConfig { StartSignals.install() }
    do {
      let file = try config.map { (path) throws(FoveaError) in try ServeFile(path) }
      let entries = try modelEntries(file)
      var options = try options()
      options.sources = try sources(of: file)
      options.webhooks = try watching.webhooks(of: file)
      options.mqtt = try broker(of: file, for: options.sources)
      if config != nil {
        let arguments = Array(CommandLine.arguments.dropFirst())
        options.readConfiguration = { [self, started = options] in
          try readAgain(arguments, started: started)
        }
      }
      if checkConfig { return try await check(entries, options) }
      let listener = try place.prepared()
      listener.complete(&options.server)
      let service = try await InferenceService(
        entries, options: options, logger: ServerLog.logger("fovea.serve"))
      let names = service.registry.models.map(\.name).joined(separator: ", ")
      let sources =
        options.sources.isEmpty
        ? "" : "sources: \(options.sources.map(\.name).joined(separator: ", ")); "
      let slots = DecimalText.counted(options.slots, "slot", "slots")
      try await service.run(
        adminListening: { [admin] port in
          guard let admin else { return }
          try? CommandEnd.print(
            "health and metrics http://\(ListenAddress(host: admin.host, port: port))\n")
        },
        listening: { port in
          try? CommandEnd.print(listener.note(port: port).text("  models: \(names); \(sources)\(slots)"))
        })
    } catch let error as FoveaError {
      throw CommandEnd.report(error)
    } catch let error as ServerError {
      throw CommandEnd.report(error)
    } catch let error as HostError {
      throw CommandEnd.report(error)
    }
  }

  /// Loads the models and reads keys and certificates as at startup, and prints what would be served.
  private func check(_ entries: [ModelEntry], _ options: InferenceOptions) async throws {
    try options.events?.check()
    // A running server may have locked its folder.
    var started = options
    started.events = nil
    started.mqtt = nil
    let service = try await InferenceService(
      entries, options: started, logger: ServerLog.logger("fovea.serve"))
    try service.checkCertificate()
    try CommandEnd.print(options.summary(of: service.registry.entries, isSecure: place.isSecure))
  }

  /// Returns the models of the command line, and those of the file with other names.
  /// - Throws: `option-invalid` if two on the command line have the same name; the errors of a model's path.
  func modelEntries(_ file: ServeFile?) throws(FoveaError) -> [ModelEntry] {
    let address = try ModelEntry.host(host)
    let given: [ModelEntry.Given] = model.map { argument in
      let (name, place) = ModelEntry.parts(argument)
      return (name, place, ModelSettings())
    }
    if let twice = InferenceCommand.duplicate(given.map(\.name)) {
      throw .optionInvalid(
        "Two models are named '\(twice)'", remedy: "Rename one of them, such as other=FILE")
    }
    let all: [ModelEntry]
    if let file {
      all = try file.entries(after: given, host: address)
    } else {
      all = try ModelEntry.entries(given, host: address)
    }
    return all.isEmpty && models == nil ? [.embedded] : all
  }

  /// Returns the sources of the command line, and those of the file with other names.
  /// - Throws: `option-invalid` if two on the command line have the same name, or one has none, and for a
  ///   line, zone or dwell that cannot be counted.
  func sources(of file: ServeFile?) throws(FoveaError) -> [StreamEntry] {
    var given: [StreamEntry] = []
    for argument in source { given.append(try StreamEntry(argument)) }
    if let twice = InferenceCommand.duplicate(given.map(\.name)) {
      throw .optionInvalid("Two sources are named '\(twice)'", remedy: "Rename one of them")
    }
    let names = Set(given.map(\.name))
    var all = given + (file?.sources ?? []).filter { !names.contains($0.name) }
    try watching.shapes.add(to: &all)
    if let motion = watching.motion {
      for index in all.indices { all[index].setDefault(motion: motion) }
    }
    return all
  }

  /// Returns the broker of the file, with the address of the command line if that has one; nil for none.
  /// - Throws: `option-invalid` for an invalid address, name or file, and for sources with the same topics.
  func broker(of file: ServeFile?, for sources: [StreamEntry]) throws(FoveaError) -> MQTTOptions? {
    guard !mqtt.isEmpty || file?.mqtt != nil else { return nil }
    var settings = file?.mqtt ?? MQTTSettings()
    settings.url = mqtt.last ?? settings.url
    return try MQTTOptions(settings, for: sources)
  }

  private static func duplicate(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}
#endif
