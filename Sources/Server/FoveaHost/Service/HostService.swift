// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import FoveaHTTP
import HTTPTypes
package import Hummingbird
package import Logging

/// A running model host: its stores, keys and routes.
package struct HostService: Sendable {
  package let options: HostOptions
  package let models: ModelService
  package let config: ConfigService
  package let experiments: ExperimentService
  package let loads: LoadService
  package let authority: Authority
  package let ring: KeyRing
  package let metrics: Metrics
  package let logger: Logger
  /// Adds routes to the host's own, such as the pages of the console.
  package var additions: [@Sendable (Router<HTTPContext>) -> Void] = []
  /// This host among those on its database; nil if no other host can use the database.
  package var node: HostNode?
  private let drain = DrainState()
  /// The routes, for requests that match none, and for the log.
  private let table: RouteTable

  package init(
    options: HostOptions, models: ModelService, config: ConfigService, experiments: ExperimentService,
    authority: Authority, ring: KeyRing, metrics: Metrics, logger: Logger
  ) {
    self.options = options
    self.models = models
    self.config = config
    self.experiments = experiments
    loads = LoadService(models: models, metrics: metrics, logger: logger, halts: options.haltsRollouts)
    self.authority = authority
    self.ring = ring
    self.metrics = metrics
    self.logger = logger
    table = RouteTable(list: "See docs/reference/host-routes.md", folder: options.bucket)
    node = models.metadata.shared.map { _ in
      HostNode(
        HostNode.Source(
          generation: { () throws(HostError) in try await models.metadata.generation() },
          reload: { () throws(HostError) in
            try await Self.readChanges(models, config, experiments, authority)
          },
          report: { fault in
            logger.error(
              "Not everything in the database can be read",
              metadata: [
                "error.type": "\(fault.code.rawValue)", "fault": "\(fault.message)",
                "remedy": "\(fault.remedy.description)",
              ])
          }), limit: options.staleLimit)
    }
  }

  /// Answers requests until the process is asked to end; calls `listening` with the port once it accepts
  /// connections.
  package func run(
    takesSignals: Bool = true, listening: @escaping @Sendable (_ port: Int) async -> Void
  ) async throws {
    if let node {
      try await node.start { () throws(HostError) in try await readAll() }
    } else {
      try await readAll()
    }
    describe()
    var server = HTTPServer(options: serverOptions, logger: logger, metrics: metrics)
    server.listening = listening
    server.leaving = { [drain] in drain.begin() }
    let (drains, drainStart) = AsyncStream.makeStream(of: Void.self)
    server.draining = { [config] in
      config.board.end()
      drainStart.finish()
    }
    let ending = Task { [models, time = options.server.answerTime] in
      for await _ in drains {}
      do { try await Task.sleep(for: time) } catch { return }
      models.sent.stop()
    }
    defer { ending.cancel() }
    server.takesSignals = takesSignals
    let housekeeping = Housekeeping(
      experiments: experiments, metrics: metrics, logger: logger, node: node)
    // Once the nodes of the database have chosen their leader.
    let delay = node == nil ? options.cleaningDelay : max(options.cleaningDelay, .seconds(30))
    let cleaning = Task { await housekeeping.run(after: delay) }
    defer { cleaning.cancel() }
    let scrubbing = Task { [scrub = Scrub(models: models, metrics: metrics)] in await scrub.run() }
    defer { scrubbing.cancel() }
    let watching = Task { await watch() }
    defer { watching.cancel() }
    let forgetting = Task { [operations = models.operations] in await operations.watch() }
    defer { forgetting.cancel() }
    let writing = Task { [loads] in await loads.run() }
    defer { writing.cancel() }
    server.finishing = {
      // The task writes its pending data; a disk that hangs does not delay the end of the drain.
      writing.cancel()
      await writing.value
    }
    try await server.run(router())
  }

  private var serverOptions: ServerOptions {
    var server = options.server
    let maximum = options.maximumUpload
    let bucket = options.bucket
    server.rules.bodyLimit = { HostService.bodyLimit($0, maximum: maximum, bucket: bucket) }
    server.rules.shape = HostService.shape
    server.rules.route = { [table] in table.pattern(of: $0) }
    server.accessLog = options.accessLog
    server.proxies = server.isBehindProxy ? .any : .none
    if server.rules.hosts == nil {
      server.rules.hosts = server.hostNames([GateRules.hostName(authorityOfURL)])
    }
    return server
  }

  private var authorityOfURL: String {
    guard let start = options.url.firstRange(of: "://")?.upperBound else { return options.url }
    return String(options.url[start...].prefix { $0 != "/" })
  }

  /// The maximum size of a form of the console: a Remote Config template with each byte escaped.
  package static let longestForm = 4 << 20

  /// Uploads may be as large as a model; everything else is a page of JSON.
  private static func bodyLimit(_ head: HTTPRequest, maximum: Int64, bucket: String) -> Int64 {
    let path = (head.path ?? "").prefix { $0 != "?" }
    if head.method == .put, path.hasPrefix("/\(bucket)/") { return maximum }
    if path.contains("/upload/storage/v1/") || path.hasPrefix("/upload/") { return maximum }
    if path.hasPrefix("/v1/host/"), path.hasSuffix("/versions") { return maximum }
    if path == PublishForm.path { return maximum }
    if path.hasPrefix("/console/") { return Int64(longestForm) }
    if head.method == .put, path.hasSuffix("/remoteConfig") || path.contains("/config/") {
      return Int64(ConfigRoutes.bodyLimit)
    }
    if path.hasSuffix("/events:batch") { return Int64(EventReader.mostBytes) }
    return 1 << 20
  }

  /// Returns the form of errors: the host's own for its own routes, OAuth's for `/token`, Google's for all
  /// others.
  static func shape(_ path: String) -> ErrorShape {
    if path.hasPrefix("/v1/host/") || path.hasPrefix("/livez") || path.hasPrefix("/readyz")
      || path.hasPrefix("/console")
    {
      return .native
    }
    return path == "/token" || path.hasPrefix("/token?") ? .oauth : .google
  }

  /// Returns every route of the host.
  package func router() -> Router<HTTPContext> {
    let router = Router(context: HTTPContext.self, options: .autoGenerateHeadEndpoints)
    let routes = table
    if !options.server.rules.origins.isEmpty {
      router.add(middleware: CrossOriginAnswers(options.server.rules.origins))
    }
    router.add(
      middleware: RequestLog(
        metrics: metrics, shape: HostService.shape, accessLog: options.accessLog,
        proxies: options.server.isBehindProxy ? .any : .none, routes: routes
      ) { error in
        (error as? HostError)?.refusal
      })
    if let node { router.add(middleware: NodeAnswers(node: node)) }
    let access = Access(
      project: options.project, authority: authority, now: models.now, bodies: models.bodies)
    let objects = SourceObjects(metadata: models.metadata, project: options.project, authority: authority)
    TokenRoute(authority: authority, now: models.now).add(to: router)
    AdminRoutes(models: models, experiments: experiments, access: access, objects: objects).add(to: router)
    let devices = DeviceRoutes(
      models: models, experiments: experiments, access: access, ring: ring, url: options.url,
      urlLifetime: options.urlLifetime,
      metrics: metrics, downloads: loads.downloads)
    devices.add(to: router)
    InstallationRoutes(models: models, access: access, ring: ring).add(to: router)
    NativeRoutes(
      models: models, experiments: experiments, access: access, loads: loads, address: devices.address
    ).add(to: router)
    PublishRoutes(models: models, access: access).add(to: router)
    let installations = InstallationDoor(
      ring: ring, now: models.now, isRequired: options.requiresInstallation)
    ReportRoute(
      models: models, access: access, metrics: metrics, loads: loads, installations: installations
    ).add(to: router)
    KeyRoutes(keys: keys, access: access).add(to: router)
    ConfigRoutes(config: config, access: access).add(to: router)
    FetchRoutes(config: config, access: access, metrics: metrics).add(to: router)
    NativeConfigRoutes(config: config, access: access).add(to: router)
    ExperimentRoutes(experiments: experiments, access: access).add(to: router)
    EventRoutes(
      experiments: experiments, access: access, metrics: metrics, installations: installations
    ).add(to: router)
    HealthRoutes(metrics: metrics, drain: drain, problemOf: problem).add(to: router)
    StorageRoutes(
      models: models, access: access, objects: objects, ring: ring, bucket: options.bucket,
      url: options.url, maximum: options.maximumUpload, routes: routes
    )
    .add(to: router)
    for add in additions { add(router) }
    routes.take(router)
    return router
  }

  /// Returns the refusal of a request that has no route.
  @Sendable func refusal(of request: Request) -> Refusal {
    table.refusal(request.method, request.uri.path)
  }

  package var keys: KeyService {
    KeyService(models: models, authority: authority, ring: ring, url: options.url)
  }

  /// Returns the reason why the host should not get requests for that use.
  @Sendable private func problem(_ use: ReadinessUse) async -> Refusal? {
    let metadata = models.metadata
    if use == .read, let node {
      // Devices are answered from memory.
      return node.refusal(at: node.age)
    }
    if let problem = await metadata.readProblem() { return HostService.refusal(of: problem) }
    // A damaged file fails its own requests only, and a full disk those that change something.
    guard use == .write else { return nil }
    if let refusal = node?.clockRefusal ?? node?.faultRefusal { return refusal }
    let advice = "downloads continue: /readyz?for=read returns 200"
    if await models.hasDamagedVersions {
      return Refusal(
        .serviceUnavailable, "damaged", "Published files are damaged on the host's disk",
        remedy: "See the host's log; publish them again, or restore the host from its backup. Other \(advice)"
      ).retrying(after: 60)
    }
    var problem = await metadata.writeProblem()
    if problem == nil { problem = await space.problem() }
    return problem.map { HostService.refusal(of: $0, advice: "Meanwhile, \(advice)") }
  }

  private var space: FreeSpace {
    FreeSpace(
      places: [models.metadata.file, models.blobs.folder].compactMap(\.self), least: options.leastSpace)
  }

  private static func refusal(of problem: HostError, advice: String = "") -> Refusal {
    let remedy = problem.remedy.description.sentence + (advice.isEmpty ? "" : " " + advice)
    return Refusal(
      .serviceUnavailable, problem.code.rawValue, problem.message, remedy: remedy
    ).retrying(after: 5)
  }

  private func describe() {
    ProcessMetrics().add(to: metrics)
    metrics.describe("fovea_requests_total", "Requests by route and status.")
    metrics.describe("fovea_request_seconds", "Time until the head of an answer, by route.")
    metrics.describe("fovea_refused_total", "Requests that were refused before they were read, by reason.")
    metrics.describe(
      "fovea_host_informations_total", "Responses about models, by whether the device had the model.")
    metrics.describe("fovea_host_file_bytes_total", "Bytes of model files.")
    metrics.describe("fovea_host_resumes_total", "Requests for a part of a file.")
    metrics.describe(
      "fovea_host_reported_loads_total", "Loads reported by devices, by version and outcome.")
    metrics.describe(
      "fovea_host_repeated_reports_total",
      "Load reports that do not count: the device or network has already reported the same.")
    metrics.describe("fovea_host_config_fetches_total", "Configurations fetched by apps, by result.")
    metrics.describe("fovea_host_events_total", "Events of apps, by result.")
    metrics.describe("fovea_host_rollouts_halted_total", "Rollouts halted because of load reports.")
    let board = config.board
    metrics.gauge("fovea_host_config_streams", help: "Apps waiting for new versions of the template.") {
      Double(board.waiting)
    }
    metrics.describe("fovea_host_scrubbed_bytes_total", "Bytes of published files read again.")
    let (service, logger) = (models, logger)
    models.damaged.whenFound { sha256, fault, use in
      logger.error(
        use == .published ? "A published file is damaged on disk" : "An uploaded file is damaged on disk",
        metadata: ["file.sha256": "\(sha256)", "fault": "\(fault.rawValue)"])
    }
    metrics.gauge(
      "fovea_host_damaged_files", help: "Published and uploaded files that are damaged on the disk."
    ) {
      Double(service.knownDamagedFiles().count)
    }
    if let node {
      metrics.gauge("fovea_host_stale_seconds", help: "Time without the database; 0 while it can be reached.")
      {
        Double(node.age ?? 0)
      }
      metrics.gauge("fovea_host_clock_error_seconds", help: "Own clock less that of the database.") {
        node.clockError
      }
      metrics.gauge(
        "fovea_host_unreadable", help: "1 while the database has something that this node cannot decode."
      ) {
        node.fault == nil ? 0 : 1
      }
      metrics.gauge("fovea_host_leader", help: "1 if this node cleans up for all nodes.") {
        node.role == .follower ? 0 : 1
      }
    }
    let catalogue = models.catalogue
    metrics.gauge("fovea_host_models", help: "Models of this host.") { Double(catalogue.counts.models) }
    metrics.gauge("fovea_host_versions", help: "Versions of all models.") {
      Double(catalogue.counts.versions)
    }
  }
}

extension HostService {
  /// Every route, for example `GET /v1/host/projects/{project}/models`, sorted: for tests and the page that
  /// list them.
  package var routes: [String] {
    router().routes.map { "\($0.method.rawValue) \($0.path)" }.sorted()
  }
}
#endif
