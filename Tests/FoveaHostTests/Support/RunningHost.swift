// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Logging
import Synchronization

/// A host in a temporary folder on a free port of loopback, which ends with the test that runs it.
struct RunningHost: Sendable {
  static let project = "test-project"
  static let appKey = "test-api-key"

  typealias Answer = HTTPAnswer

  let port: Int
  /// The address for clients, without the port unless they need it.
  let url: String
  let service: HostService
  let folder: TemporaryFolder
  let models: ModelService
  let metrics: Metrics
  let ring: KeyRing
  /// Bearer tokens by sender.
  let bearers: [AccessTable.Caller: String]
  /// Keys of apps by sender.
  let appKeys: [AccessTable.Caller: String]
  /// The host's log.
  let log: TextBox

  /// One account for each role.
  static var accounts: Result<[HostKey.Role: ServiceAccount], any Error> {
    HostKeys.accounts.map { accounts in
      [.admin: accounts[.admin], .publisher: accounts[.publisher], .viewer: accounts[.viewer]]
        .compactMapValues(\.self)
    }
  }

  /// Bearer tokens by role.
  var tokens: [HostKey.Role: String] {
    [.admin: bearers[.admin] ?? "", .publisher: bearers[.publisher] ?? "", .viewer: bearers[.viewer] ?? ""]
  }

  /// Runs a host while `body` runs on its own thread.
  static func run<R: Sendable>(
    now: @escaping Now = { Timestamp(milliseconds: 1_800_000_000_000) }, maximumUpload: Int64 = 4 << 20,
    checker: any FileChecking = MarkCheck(), isBehindProxy: Bool = false, in folder: TemporaryFolder? = nil,
    ring: KeyRing = KeyRing(), assignments: (@Sendable (ConfigUnit) -> [ParameterAssignment])? = nil,
    origins: AllowedOrigins = AllowedOrigins(), requiresInstallation: Bool = false, hasConsole: Bool = false,
    leastSpace: Int? = nil, _ body: @escaping @Sendable (RunningHost) throws -> R
  ) async throws -> R {
    try await serving(
      now: now, maximumUpload: maximumUpload, checker: checker, isBehindProxy: isBehindProxy, in: folder,
      ring: ring, assignments: assignments, origins: origins, requiresInstallation: requiresInstallation,
      hasConsole: hasConsole, leastSpace: leastSpace
    ) { host in try await onOwnThread { try body(host) } }
  }

  /// Runs a host while `body` runs, for tests that have their own thread.
  ///
  /// Clients that follow the URLs of the host need `port`, so that these are right.
  static func serving<R>(
    at port: ReservedPort? = nil, now: @escaping Now = { Timestamp(milliseconds: 1_800_000_000_000) },
    maximumUpload: Int64 = 4 << 20, checker: any FileChecking = MarkCheck(), isBehindProxy: Bool = false,
    in folder: TemporaryFolder? = nil, ring: KeyRing = KeyRing(),
    assignments: (@Sendable (ConfigUnit) -> [ParameterAssignment])? = nil,
    origins: AllowedOrigins = AllowedOrigins(), requiresInstallation: Bool = false, hasConsole: Bool = false,
    leastSpace: Int? = nil, blobs: (FolderBlobStore) -> any BlobStore = { $0 }, node: HostNode? = nil,
    _ body: (RunningHost) async throws -> R
  ) async throws -> R {
    let url = "http://127.0.0.1" + (port.map { ":\($0.number)" } ?? "")
    let folder = try folder ?? TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try MetadataStore(path: folder["host.sqlite"], patience: 0.5)
    defer { store.close() }
    let keys = try await HostKeys.added(to: store, now: now())
    let authority = Authority(address: url, ring: ring, keys: try await store.keys(), now: now)
    let models = ModelService(
      project: project, metadata: store, blobs: blobs(try FolderBlobStore(folder: folder.path)),
      catalogue: Catalogue(),
      checker: checker, now: now)
    var options = HostOptions()
    options.project = project
    options.bucket = "\(project).appspot.com"
    options.url = url
    options.server.port = port?.number ?? 0
    options.server.isBehindProxy = isBehindProxy
    options.server.rules.origins = origins
    options.server.drain = 1
    options.maximumUpload = maximumUpload
    options.accessLog = .all
    options.requiresInstallation = requiresInstallation
    if let leastSpace { options.leastSpace = leastSpace }
    // The clock of the tests is ahead of the times of files, so that new ones would seem old.
    options.cleaningDelay = .seconds(3600)
    let log = TextBox()
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { now().text }, write: { log.append($0) })
    }
    let metrics = Metrics()
    let experiments = ExperimentService(models: models)
    var host = HostService(
      options: options, models: models,
      config: ConfigService(
        models: models, assignmentWork: { experiments.assignmentWork },
        assignments: assignments ?? experiments.assignments),
      experiments: experiments,
      authority: authority, ring: ring, metrics: metrics, logger: logger)
    if let node { host.node = node }
    if hasConsole {
      let console = try HostConsole(of: host)
      host.additions.append { console.add(to: $0) }
    }
    let place = Mutex<Int?>(nil)
    let task = Task { [host] in
      try await host.run(takesSignals: false) { port in place.withLock { $0 = port } }
    }
    defer { task.cancel() }
    try await waitUntil("the server listens") { place.withLock { $0 != nil } }
    let running = RunningHost(
      port: place.withLock { $0 ?? 0 }, url: url, service: host, folder: folder, models: models,
      metrics: metrics,
      ring: ring,
      bearers: keys.bearers, appKeys: keys.apps, log: log)
    // Releasing it returns the port.
    defer { withExtendedLifetime(port) {} }
    return try await body(running)
  }

  /// Sends one request on its own connection.
  func send(
    _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
  ) throws -> Answer {
    let connection = try RawConnection(port: port)
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if !body.isEmpty || method == "POST" || method == "PUT" || method == "PATCH" {
      head += "Content-Length: \(body.count)\r\n"
    }
    connection.send(Array((head + "\r\n").utf8) + body)
    return try Answer(connection.readToEnd())
  }

  /// Sends a head and some bytes unchanged, then closes the connection or reads the response.
  func sendRaw(_ head: [String], body: [UInt8] = [], closes: Bool = false) throws -> Answer? {
    let connection = try RawConnection(port: port)
    let lines = head + ["Host: 127.0.0.1", "Connection: close"]
    connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    return closes ? nil : try Answer(connection.readToEnd())
  }

  /// The same with the bearer token of a role.
  func send(
    as role: HostKey.Role, _ method: String, _ target: String, headers: [String: String] = [:],
    body: String = ""
  ) throws -> Answer {
    var headers = headers
    headers["Authorization"] = "Bearer \(tokens[role] ?? "")"
    return try send(method, target, headers: headers, body: Array(body.utf8))
  }
}

/// A text that several threads append to.
final class TextBox: Sendable {
  private let value = Mutex("")
  func append(_ text: String) { value.withLock { $0 += text } }
  var text: String { value.withLock { $0 } }
}

/// Accepts any file with TFLite's identifier, without running it.
struct MarkCheck: FileChecking {
  func check(_ blob: any Blob) async throws(HostError) -> Result<ModelFacts, FileProblem> {
    var bytes = [UInt8](repeating: 0, count: 8)
    // SAFETY: the blob writes at most the array's eight bytes.
    let read = (try? unsafe bytes.withUnsafeMutableBytes { try unsafe blob.read(at: 0, into: $0) }) ?? 0
    guard read == 8, bytes[4...].elementsEqual(Array("TFL3".utf8)) else {
      return .failure(FileProblem(code: 3, message: "Invalid flatbuffer format", detail: "No mark"))
    }
    return .success(ModelFacts())
  }
}

/// Bytes that ``MarkCheck`` accepts.
func markedModel(_ text: String) -> String { "\u{14}\0\0\0TFL3" + text }
#endif
