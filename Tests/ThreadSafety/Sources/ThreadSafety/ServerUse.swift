// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaInference
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tasks that call a server's routes while one of its models is replaced, unloaded and loaded.
///
/// Its slots and its queue are shared, and the registry of its models. Each response must be a serial one, or
/// an error that fits the events at the time.
struct ServerUse {
  var tasks: Int
  /// The number of calls that `tasks` send together.
  var calls: Int

  /// The model that changes, and a constant one.
  private static let names = ["changing", "steady"]
  private static let models = ["classifier_uint8", "colors_unit"].map {
    PackageFolder.path + "/Tests/Fixtures/models/\($0).tflite"
  }

  func check() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/fovea-threads-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = folder + "/model.tflite"
    try Self.replace(file, with: Self.models[0])

    var options = InferenceServer.Options()
    options.slots = 2
    options.deadline = .seconds(120)
    let server = try await InferenceServer(
      models: ["changing": .file(file), "steady": .file(Self.models[0])], options: options)
    let router = Router(context: CallContext.self)
    router.addRoutes(server.routes(for: CallContext.self, hasHealth: true))
    let site = Site(responder: router.buildResponder())

    let photos = try SampleImage.all().compactMap { sample -> [UInt8]? in
      guard case .bytes(let bytes) = sample.content else { return nil }
      return bytes
    }.prefix(6)
    // The responses to a single task, by the model of the file.
    var answers: [[String]] = []
    for model in Self.models {
      try Self.replace(file, with: model)
      guard try await site.post("/v1/models/changing:load").status == 200 else {
        throw Failure("Server: the model is not loaded.")
      }
      var texts: [String] = []
      for photo in photos { texts.append(try await site.label(photo, by: "changing").text) }
      answers.append(texts)
    }
    guard answers[0] != answers[1] else {
      throw Failure("Server: both models have the same answers, so nothing is compared.")
    }

    let isDone = Flag()
    let use = Use(site: site, photos: Array(photos), answers: answers)
    async let changes = change(file, site, until: isDone)
    async let givenUp = giveUp(use, until: isDone)
    let outcomes: [String: Int]
    do {
      outcomes = try await ask(use)
      isDone.value.store(true, ordering: .relaxed)
    } catch {
      isDone.value.store(true, ordering: .relaxed)
      throw error
    }
    let counts = try await (changes, givenUp)
    guard outcomes["right", default: 0] > calls / 2 else {
      throw Failure("Server: of \(calls) calls came \(outcomes).")
    }
    let words = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print(
      "Server: \(tasks) tasks, \(calls) calls of two models (\(words)) while one was changed \(counts.0) times;"
        + " \(counts.1) further calls cancelled")
  }

  /// - Returns: The number of each kind of response.
  private func ask(_ use: Use) async throws -> [String: Int] {
    try await withThrowingTaskGroup(of: [String: Int].self) { group in
      for task in 0..<tasks {
        group.addTask {
          var outcomes: [String: Int] = [:]
          for call in stride(from: task, to: calls, by: tasks) {
            outcomes[try await use.call(call), default: 0] += 1
          }
          return outcomes
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
  }

  /// Replaces the file, and loads and unloads its model.
  private func change(_ file: String, _ site: Site, until isDone: Flag) async throws -> Int {
    var count = 0
    while !isDone.value.load(ordering: .relaxed) {
      try Self.replace(file, with: Self.models[count % 2])
      let step = count % 5 == 4 ? "unload" : "load"
      guard try await site.post("/v1/models/changing:\(step)").status == 200 else {
        throw Failure("Server: the model does not \(step).")
      }
      for path in ["/metrics", "/v1/models"] {
        guard try await site.send(.get, path).status == 200 else { throw Failure("Server: no \(path).") }
      }
      count += 1
      try await Task.sleep(for: .milliseconds(step == "load" ? 20 : 1))
    }
    return count
  }

  /// Sends requests and cancels them, from at once to after a while of running.
  private func giveUp(_ use: Use, until isDone: Flag) async throws -> Int {
    var count = 0
    while !isDone.value.load(ordering: .relaxed) {
      let call = Task { [count] in try await use.call(count) }
      try await Task.sleep(for: .milliseconds(count % 5 * 5))
      call.cancel()
      _ = await call.result
      count += 1
      try await Task.sleep(for: .milliseconds(10))
    }
    return count
  }

  /// Replaces a file with a copy of another in one step.
  private static func replace(_ file: String, with other: String) throws {
    let new = file + ".new"
    try? FileManager.default.removeItem(atPath: new)
    try FileManager.default.copyItem(atPath: other, toPath: new)
    guard unsafe rename(new, file) == 0 else { throw Failure("Server: the model's file is not replaced.") }
  }

  /// The possible responses to a call.
  private struct Use: Sendable {
    let site: Site
    let photos: [[UInt8]]
    let answers: [[String]]

    /// Sends the call of that number, and repeats it while its model is missing.
    /// - Returns: The kind of its response.
    func call(_ number: Int) async throws -> String {
      while true {
        let kind = try await send(number)
        guard kind == Use.absent else { return kind }
        try await Task.sleep(for: .milliseconds(2))
      }
    }

    private static let absent = "without a model"

    private func send(_ number: Int) async throws -> String {
      let name = ServerUse.names[number % 2]
      let photo = number / 2 % photos.count
      let isShort = number % 11 == 0
      let answer = try await site.label(photos[photo], by: name, milliseconds: isShort ? 1 : nil)
      let right = name == "steady" ? [answers[0][photo]] : answers.map { $0[photo] }
      switch answer.status {
      case 200 where right.contains(answer.text): return "right"
      case 404 where name == "changing", 503 where name == "changing": return Use.absent
      case 503 where isShort, 504 where isShort: return "late"
      // All calls are one client's, whose short ones may still run past their deadline.
      case 429: return "late"
      case 499: return "cancelled"
      default: throw Failure("Server: \(name) answers \(answer.status) \(answer.text)")
      }
    }
  }
}

/// The routes, called without a socket.
private struct Site: Sendable {
  let responder: any HTTPResponder<CallContext>

  /// Labels an image, as CSV, which has no times.
  func label(
    _ image: [UInt8], by model: String, milliseconds: Int? = nil
  ) async throws -> (status: Int, text: String) {
    try await send(.post, "/v1/models/\(model):label?format=csv", image, milliseconds: milliseconds)
  }

  func post(_ path: String) async throws -> (status: Int, text: String) { try await send(.post, path) }

  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], milliseconds: Int? = nil
  ) async throws -> (status: Int, text: String) {
    var head = HTTPRequest(method: method, scheme: "http", authority: "threads", path: path)
    head.headerFields[.contentLength] = String(body.count)
    if let milliseconds, let name = HTTPField.Name("Fovea-Timeout-Ms") {
      head.headerFields[name] = String(milliseconds)
    }
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    let response = try await responder.respond(
      to: request, context: CallContext(source: CallContext.Source()))
    let text = Text()
    try await response.body.write(TextWriter(text: text))
    return (response.status.code, text.value.withLock { $0 })
  }
}

/// The context of a request without a connection.
private struct CallContext: RequestContext {
  struct Source: RequestContextSource {
    let logger = Logger(label: "threads") { _ in SwiftLogNoOpLogHandler() }
  }

  var coreContext: CoreRequestContextStorage

  init(source: Source) { coreContext = .init(source: source) }
}

/// The responses so far.
private final class Text: Sendable {
  let value = Mutex("")
}

private struct TextWriter: ResponseBodyWriter {
  let text: Text

  mutating func write(_ buffer: ByteBuffer) async throws {
    text.value.withLock { $0 += String(buffer: buffer) }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

private final class Flag: Sendable {
  let value = Atomic(false)
}
