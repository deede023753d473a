// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
package import FoveaHTTP
import FoveaImage
import FoveaVideo
import HTTPTypes
package import Logging

/// An inference server: models, slots and routes.
package struct InferenceService: Sendable {
  package let options: InferenceOptions
  package let registry: ModelRegistry
  package let scheduler: Scheduler
  /// Reads and writes long bodies.
  let bodyWork: BodyWork
  package let metrics = Metrics()
  /// The memory for request bodies.
  package let bodies: MemoryBudget
  /// The memory for decoded images.
  let pixels: PixelBudget
  private let logger: Logger
  let drain = DrainState()
  let live: LiveRoutes
  let streams: StreamRoutes
  let events: EventRoutes
  private let webhooks: [WebhookSender]
  /// Nil without a broker.
  private let mqtt: MQTTPublisher?
  let page = LivePage()
  let routes = RouteTable(list: "List the routes with GET /openapi.json")

  let loading: ModelLoading
  private let folder: ModelFolder?
  /// The operator's models, besides a folder's.
  private let entries: CurrentEntries
  let access: AccessGuard?
  private static let longestRun = Duration.seconds(30)

  /// Loads the models, each with one session per slot.
  /// - Throws: The error of a model in `entries` that cannot be loaded, or of having no models; a folder's
  ///   model that cannot be loaded is listed in `/v1/models` with its error.
  package init(_ entries: [ModelEntry], options: InferenceOptions, logger: Logger) async throws(FoveaError) {
    var limits = ImageLimits()
    limits.maxPixels = options.maximumPixels
    limits.maxFileBytes = options.maximumBody
    limits.formats = options.formats
    loading = ModelLoading(
      slots: options.slots, limits: limits, keypointThreshold: options.keypointThreshold,
      heldMemory: options.heldMemory, willLoad: options.willLoad,
      note: { model, note in
        logger.notice("note on a model", metadata: ["model": "\(model)", "note": "\(note.served)"])
      })
    folder = options.modelFolder.map { ModelFolder(path: $0) }
    self.options = options
    self.logger = logger
    self.entries = CurrentEntries(entries)
    scheduler = Scheduler(slots: options.slots)
    bodyWork = BodyWork(scheduler: Scheduler(slots: options.slots), deadline: options.deadline)
    bodies = MemoryBudget(
      limit: options.bodyMemory, portion: options.bodyMemory / 8,
      problem: "Too many images are being received")
    // Each slot may have a second call that replaces a slow one.
    pixels = PixelBudget(limit: options.imageMemory, slots: 2 * options.slots, limits: limits)
    if let path = options.keys { access = try AccessGuard(path: path) } else { access = nil }
    let room = ModelRoom(
      limit: options.modelMemory ?? AvailableMemory.bytes / 4, protection: options.modelProtection)
    registry = ModelRegistry(
      entries.map { [loading] in ModelPlace($0, loading) }, room: room, metrics: metrics)
    let client = InferenceService.client(access, options.proxies)
    live = LiveRoutes(
      registry: registry, scheduler: scheduler, bodies: bodyWork, metrics: metrics, options: options,
      client: client)
    try Webhook.check(options.webhooks, sources: options.sources.map(\.name))
    let journal: EventJournal?
    (journal, webhooks) = try await InferenceService.openJournal(options, metrics, logger)
    events = EventRoutes(journal: journal, work: bodyWork, interval: options.commentInterval)
    let work = StreamWork(
      registry: registry, scheduler: scheduler, metrics: metrics, deadline: options.deadline,
      journal: journal, logger: logger)
    let sources = options.sources.map { entry in
      var entry = entry
      if journal != nil { entry.watchForEvents() }
      return StreamSource(entry, work, linger: options.sourceLinger)
    }
    streams = StreamRoutes(
      streams: StreamRegistry(sources: sources),
      patience: options.deadline, interval: options.commentInterval)
    if let broker = options.mqtt, let journal {
      guard !broker.hasSnapshots || journal.options.folder != nil else {
        throw .optionInvalid(
          "'snapshots' of the MQTT broker is true, but no image is kept",
          remedy: "Give a folder for events with \(flag: "events")")
      }
      mqtt = await BlockingWork.run { _ in MQTTPublisher(broker, sources, journal, logger: logger) }
    } else {
      mqtt = nil
    }
    if !options.sources.isEmpty { try InferenceService.checkVideo() }
    for place in registry.places { try await loadFirst(place) }
    if let folder { try await add(folder) }
    for source in options.sources {
      try await InferenceService.check(source, registry)
      if source.isMissing {
        logger.warning("the file of a source does not exist yet", metadata: ["source": "\(source.name)"])
      }
    }
    noteUnknownLabels()
    describe()
  }

  /// Logs the labels of the label map that no model has, such as misspelt ones; nothing if a model without
  /// known labels may have them.
  private func noteUnknownLabels() {
    guard let map = options.labels else { return }
    let labels = registry.places.map { $0.facts?.labels ?? [] }
    guard !labels.contains([]) else { return }
    let known = Set(labels.joined())
    for label in map.labels.subtracting(known).sorted() {
      var metadata: Logger.Metadata = ["label": "\(label.prefix(80))"]
      if let near = NameDistance.nearest(to: label, among: known.sorted()).first {
        metadata["nearest"] = "\(near.prefix(80))"
      }
      logger.warning("the label map has a label that no model has", metadata: metadata)
    }
  }

  /// Opens the journal of events, nil if there is none, and its web hooks.
  private static func openJournal(
    _ options: InferenceOptions, _ metrics: Metrics, _ logger: Logger
  ) async throws(FoveaError) -> (EventJournal?, [WebhookSender]) {
    try await BlockingWork.run { _ throws(FoveaError) in
      guard let events = options.journal else { return (nil, []) }
      let journal = try EventJournal(events, metrics: metrics, logger: logger)
      let hooks = try options.webhooks.map { (hook) throws(FoveaError) in try WebhookSender(hook, of: journal)
      }
      return (journal, hooks)
    }
  }

  /// Serves until the process is asked to end.
  ///
  /// `listening` is called with the port once it is ready, `adminListening` with the port of the operator's
  /// listener.
  package func run(
    adminListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
    listening: @escaping @Sendable (_ port: Int) async -> Void
  ) async throws(ServerError) {
    var server = HTTPServer(options: serverOptions, logger: logger, metrics: metrics)
    // Cameras and receivers belong to the server that has the port: a second one must not take them away.
    let hasPort = Mailbox<Void>(.bufferingNewest(1))
    server.listening = { port in
      hasPort.put(())
      await listening(port)
    }
    let start = Task { await hasPort.take() != nil }
    server.adminListening = adminListening
    server.leaving = { [drain] in drain.begin() }
    let receiving = Task { if await start.value { await receive() } }
    server.draining = { [self] in
      // Their bodies never end by themselves, and the drain would wait for them.
      endStreams()
      receiving.cancel()
    }
    server.reloading = { [self] in await reload() }
    server.isAlive = isAlive
    server.takesSignals = options.takesSignals
    let watch = Task { [watch] in await watch.run() }
    let memory = Task { [scheduler, options] in
      await IdleMemory(held: options.heldMemory) {
        scheduler.counts.running + scheduler.counts.waiting == 0
      }.run()
    }
    let always = Task { [streams] in if await start.value { await streams.streams.watchAlways() } }
    let keeping = Task { [events] in
      if let journal = events.journal { await journal.keep() }
    }
    let publishing = Task { [mqtt] in
      if let mqtt, await start.value { await mqtt.run() }
    }
    let failure: ServerError?
    do throws(ServerError) {
      try await server.run(router(), admin: adminRouter())
      failure = nil
    } catch {
      failure = error
    }
    hasPort.finish()
    for task in [watch, memory, always, keeping, receiving] { task.cancel() }
    endStreams()
    if let journal = events.journal {
      // A task of its own, because this one may be cancelled.
      await Task { [streams, mqtt] in
        await streams.streams.ended(within: .seconds(3))
        await receiving.value
        // After the last events, which belong to the drain.
        if let mqtt { await mqtt.finish(publishing, within: .seconds(3)) }
        await BlockingWork.run { _ in journal.sync() }
      }.value
    }
    if let failure { throw failure }
  }

  /// Sends events to their receivers, until the task is cancelled.
  private func receive() async {
    await withTaskGroup(of: Void.self) { group in
      for webhook in webhooks { group.addTask { await webhook.run() } }
    }
  }

  /// Reads the TLS certificate and key, as ``run(adminListening:listening:)`` does before it listens.
  /// - Throws: `certificate-invalid`.
  package func checkCertificate() throws(ServerError) {
    try HTTPServer(options: serverOptions, logger: logger, metrics: metrics).checkCertificate()
  }

  /// Loads new model versions and keys, until the task is cancelled.
  package func watchModels() async { await watch.run() }

  /// Reads the configuration again, as at SIGHUP; files of models and keys are watched anyway.
  ///
  /// Changes nothing if a server would not start with the configuration.
  package func reload() async {
    guard let readConfiguration = options.readConfiguration else { return }
    do {
      let read = try readConfiguration()
      if !read.sources.isEmpty, options.sources.isEmpty { try InferenceService.checkVideo() }
      if let after = read.entries {
        try await registry.replace(entries.all, with: after, { ModelPlace($0, loading) }) {
          (models) async throws(FoveaError) in
          guard !models.places.isEmpty else { throw InferenceService.noModels(folder) }
          for source in read.sources { try await InferenceService.check(source, models) }
        }
        entries.replace(with: after)
      }
      logger.info("configuration read")
      guard !read.needsRestart.isEmpty else { return }
      let names = read.needsRestart.sorted().joined(separator: ", ")
      logger.warning("needs a restart", metadata: ["options": "\(names)"])
    } catch let error as FoveaError {
      logNotRead(error)
    } catch let error as ServerError {
      logNotRead(error)
    } catch {
      logger.warning("configuration not read", metadata: ["error": "\(error)"])
    }
  }

  private func logNotRead<Code>(_ error: Failure<Code>) {
    logger.warning("configuration not read", metadata: error.logged())
  }

  /// Returns whether any slot still works: calls are cancelled at their deadline, so one that still runs long
  /// afterwards never ends.
  var isAlive: @Sendable () -> Bool {
    let limit = max(InferenceService.longestRun, options.deadline * 2)
    return { [scheduler] in !scheduler.isStuck(for: limit) }
  }

  /// Stops the sources, and with them their viewers' answers and WebSockets.
  package func endStreams() {
    streams.streams.end()
    events.journal?.viewers.end()
  }

  /// Refuses to start if no source can be decoded: without FFmpeg, or the trait Video.
  private static func checkVideo() throws(FoveaError) {
    do throws(VideoError) { _ = try VideoLibrary.version() } catch { throw FoveaError(error) }
  }

  /// Refuses a source whose model does not exist, does not find objects, or lacks a label of the source.
  private static func check(_ source: StreamEntry, _ registry: ModelRegistry) async throws(FoveaError) {
    let place: ModelPlace
    do throws(Refusal) { place = try registry.place(source.settings.model, for: .detect) } catch {
      throw .optionInvalid(
        "The source '\(source.name)': \(error.message)", remedy: "Name a served model")
    }
    if let model = place.current, model.task == .detect {
      do throws(FoveaError) { try await source.settings.check(with: model) } catch {
        throw .optionInvalid("The source '\(source.name)': \(error.message)", remedy: error.remedy)
      }
    }
    guard let facts = place.facts, facts.task != .detect else { return }
    throw .optionInvalid(
      "The source '\(source.name)': its model '\(place.entry.name)' is \(facts.task.model), but a detector "
        + "is needed",
      remedy: "Serve a detector too, or name one for the source in \(flag: "config")")
  }

  private var watch: ModelWatch {
    ModelWatch(
      registry: registry, folder: folder, given: { [entries] in entries.names }, loading: loading,
      access: access,
      keysChanged: { [live, streams, events] in
        live.closeAll()
        streams.streams.endViewers()
        events.journal?.viewers.disconnect()
      }, interval: options.watchInterval, hostInterval: options.hostInterval, metrics: metrics,
      logger: logger)
  }

  private func add(_ folder: ModelFolder) async throws(FoveaError) {
    let (entries, leftOut) = try folder.read()
    var names: Set<String> = []
    for entry in entries where !names.insert(entry.name).inserted {
      throw .optionInvalid(
        "The folder \(folder.path) has two models named '\(entry.name)'",
        remedy: "Rename one: models are named without their extension")
    }
    for name in leftOut {
      logger.warning("model not served: its name cannot be in a URL", metadata: ["model": "\(name)"])
    }
    registry.add(entries.map { ModelPlace($0, loading) })
    guard !registry.places.isEmpty else { throw InferenceService.noModels(folder) }
    var problem: FoveaError?
    for place in registry.places where place.current == nil {
      do throws(FoveaError) { try await loadFirst(place) } catch {
        problem = problem ?? error
        logger.warning("model not loaded", metadata: error.logged(["model": "\(place.entry.name)"]))
      }
    }
    // With no model to answer, the error is better reported now than to the first caller.
    guard var problem, registry.models.isEmpty else { return }
    let count = registry.places.count
    problem.message =
      "No model in the folder \(folder.path) can be loaded"
      + (count == 1 ? ": " : " (\(count) in total); the first: ") + problem.message
    throw problem
  }

  static func noModels(_ folder: ModelFolder?) -> FoveaError {
    guard let folder else {
      return .optionInvalid(
        "There is no model to serve", remedy: "Name one with \(flag: "model") or in \(flag: "config")")
    }
    return .optionInvalid(
      "The folder \(folder.path) has no models",
      remedy: "Put .tflite files, .task bundles or AutoML folders into it")
  }

  /// Loads a model at startup; one without room is loaded when a request names it.
  private func loadFirst(_ place: ModelPlace) async throws(FoveaError) {
    do throws(FoveaError) { try await registry.load(place, evicts: false) } catch {
      guard error.code == .modelsFull, registry.canHold(place), !place.entry.settings.isPinned else {
        throw error
      }
      logger.info("model not loaded yet", metadata: error.logged(["model": "\(place.entry.name)"]))
    }
  }

  /// Returns the client of a request: its key, or else its address, which a trusted proxy may provide.
  private static func client(
    _ access: AccessGuard?, _ proxies: TrustedProxies
  ) -> @Sendable (_ head: HTTPRequest, _ peer: String) -> String {
    { head, peer in
      HTTPContext.client(
        key: access?.name(of: head), peer: proxies.caller(head.headerFields, peer: peer) ?? peer)
    }
  }

  var serverOptions: ServerOptions {
    var server = options.server
    let maximum = Int64(options.maximumBody)
    let (limit, proxies) = (options.deadline, options.proxies)
    server.rules.admission = { [access, scheduler] head, peer in
      let peer = proxies.caller(head.headerFields, peer: peer) ?? peer
      if let refusal = access?.refusal(of: head, peer: peer) { return refusal }
      // A request that would not be answered need not be read.
      guard AccessGuard.sendsImages(head) else { return nil }
      let client = HTTPContext.client(key: access?.name(of: head), peer: peer)
      return scheduler.refusal(for: client, within: limit)
    }
    let awaitsKey = { @Sendable [access] (head: HTTPRequest) in access != nil && AccessGuard.awaitsKey(head)
    }
    // A body sent with another method is read and ignored.
    server.rules.bodyLimit = { head in
      guard head.method == .post else { return 1 << 16 }
      return awaitsKey(head) ? min(maximum, Int64(AccessGuard.bodyBeforeKey)) : maximum
    }
    // 'curl -T' sends an image with PUT: its size is not the error to report.
    server.rules.largeRefusal = { [routes] head in
      if let refusal = routes.missing(head.method, String((head.path ?? "").prefix { $0 != "?" })) {
        return refusal
      }
      return awaitsKey(head) && maximum > Int64(AccessGuard.bodyBeforeKey)
        ? AccessGuard.tooLargeBeforeKey : nil
    }
    server.rules.route = { [routes] in routes.pattern(of: $0) }
    server.rules.shape = { ClientProtocol.errors(of: $0) }
    server.accessLog = options.accessLog
    server.proxies = proxies
    if server.rules.hosts == nil { server.rules.hosts = server.hostNames() }
    server.rules.pages = ["/"]
    server.live = live.routes.merging(streams.live) { first, _ in first }
    server.loops = max(1, 1 + options.slots / 4)
    return server
  }
}
#endif
