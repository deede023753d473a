// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaHost
import FoveaCore
import FoveaHTTP

/// `fovea host serve`: serves a host until the process is asked to end.
struct HostServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a host.",
    usage: "fovea host serve <dir> [options]",
    discussion: """
      Prints 'listening URL' once it is ready, and logs JSON lines to standard error.
      SIGTERM or Ctrl-C stops it once the running requests are answered.
      --help-hidden lists all options.
      """)

  @Argument(help: ArgumentHelp("The folder that init created.", valueName: "dir"))
  var folder: String

  @OptionGroup var place: ListenOptions

  @OptionGroup var stores: StoreOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest time without the database of --metadata. (default: 1h)", valueName: "time"),
    transform: Seconds.init(option:))
  var staleFor: Seconds?

  @Flag(help: "Clients connect through a proxy with TLS.")
  var behindProxy = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The lifetime of a file's address. (default: 600s)", valueName: "time"),
    transform: Seconds.init(option:))
  var urlLifetime = Seconds(600)

  @Option(
    help: ArgumentHelp("The largest upload: 500MB, 4GiB. (default: 4GiB)", valueName: "bytes"),
    transform: ByteCount.init(option:))
  var maxUpload = ByteCount(bytes: 4 << 30)

  @Flag(help: "Continue a rollout even if its version fails to load.")
  var keepRollouts = false

  @Flag(help: "Count only devices that send an installation token.")
  var requireInstallation = false

  @OptionGroup var pages: OriginOptions

  @OptionGroup var output: JSONOption

  func validate() throws {
    try stores.checkCredentials()
    guard place.server.isLoopback || place.isSecure || behindProxy else {
      throw ValidationError(
        "\(place.listen.host) is reachable from other machines: give --tls-cert and --tls-key, "
          + "or --behind-proxy."
      )
    }
  }

  /// The host's options.
  var options: HostOptions {
    var options = HostOptions()
    options.server = place.server
    options.server.isBehindProxy = behindProxy
    options.server.rules.origins = AllowedOrigins(pages.allowOrigin, reach: HostService.appReach)
    options.urlLifetime = urlLifetime.seconds
    options.maximumUpload = maxUpload.bytes
    options.accessLog = place.accessLog
    options.haltsRollouts = !keepRollouts
    options.staleLimit = staleFor?.seconds ?? options.staleLimit
    options.requiresInstallation = requireInstallation
    return options
  }

  /// Returns the store of the host's files.
  private func store(of host: HostFolder) async throws(HostError) -> any BlobStore {
    guard let client = stores.client() else { return try host.localStore() }
    return try await host.store(in: client)
  }

  func run() async throws {
    StartSignals.install()
    do {
      let host = try HostFolder(
        folder, metadata: stores.metadata, isNode: stores.blobs != nil, mayMove: true)
      // Keeps the database open: the host's deinit closes it.
      defer { withExtendedLifetime(host) {} }
      let listener = try place.prepared()
      var options = options
      listener.complete(&options.server)
      var service = try HostSetup.service(
        of: host, blobs: try await store(of: host), options: options, now: SystemClock.now,
        logger: ServerLog.logger("fovea.host"))
      let console = try HostConsole(of: service)
      service.additions.append { console.add(to: $0) }
      let printsJSON = output.json
      try await service.run { port in
        let note = listener.note(port: port)
        try? CommandEnd.print(printsJSON ? note.json : note.text())
      }
    } catch let error as HostError {
      throw CommandEnd.report(error)
    } catch let error as ServerError {
      throw CommandEnd.report(error)
    }
  }
}
#endif
