// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaTesting
import FoveaTracking
import Logging
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct WebhookSenderTests {
  /// A web hook in memory: the requests, and the answers to come; 204 afterwards.
  private final class Receiver: Sendable {
    private struct State {
      var requests: [WebhookSender.Request] = []
      var waits: [Double] = []
      var answers: [WebhookRetry.Answer]
    }

    private let state: Mutex<State>

    init(_ answers: [WebhookRetry.Answer] = []) { state = Mutex(State(answers: answers)) }

    var requests: [WebhookSender.Request] { state.withLock(\.requests) }
    var waits: [Double] { state.withLock(\.waits) }

    func answer(_ request: WebhookSender.Request) -> WebhookRetry.Answer {
      state.withLock { state in
        state.requests.append(request)
        return state.answers.isEmpty ? .status(204) : state.answers.removeFirst()
      }
    }

    func wait(_ seconds: Double) { state.withLock { $0.waits.append(seconds) } }

    /// The values of a header, without its name.
    func values(_ name: String) -> [String] {
      requests.flatMap { request in
        request.headers.filter { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.utf8.count + 2)) }
      }
    }
  }

  /// The numbers up to which the receivers of a journal have its messages.
  private static func numbers(_ journal: EventJournal) -> [Int] {
    journal.cursors.withLock { $0.map(\.number) }
  }

  private static let moment = EventScene.moment + 10_000

  private static func sender(
    _ hook: Webhook, _ journal: EventJournal, _ receiver: Receiver, now: Int64 = moment
  ) throws -> WebhookSender {
    var sender = try WebhookSender(hook, of: journal)
    sender.post = { receiver.answer($0) }
    sender.wait = { receiver.wait($0) }
    sender.now = { now }
    return sender
  }

  /// Runs senders until their receivers have all messages.
  private static func run(_ senders: [WebhookSender], of journal: EventJournal) async throws {
    let running = senders.map { sender in Task { await sender.run() } }
    defer { for task in running { task.cancel() } }
    try await waitUntil("all messages are delivered") {
      numbers(journal).allSatisfy { $0 == journal.next - 1 }
    }
  }

  @Test func `each message is posted once and in order, signed with its number in the event`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    try #require(unsafe chmod(path, 0o600) == 0)
    var hook = try Webhook("https://example.org/hook")
    hook.secretFile = path
    let journal = try EventScene.journal(EventOptions(folder: folder["events"]))
    let receiver = Receiver()
    let sender = try Self.sender(hook, journal, receiver)
    journal.append(try EventScene.messages(), of: "gate")
    try await Self.run([sender], of: journal)
    let requests = receiver.requests
    let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(try EventScene.values("event_type", bodies) == ["start", "entered", "left", "end"])
    #expect(
      receiver.values("webhook-id") == (1...4).map { "gate-20261126T115352.000Z-7.\($0)" })
    #expect(Set(receiver.values("webhook-timestamp")) == ["\(Self.moment / 1_000)"])
    let secret = try #require(WebhookSecret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    #expect(
      receiver.values("webhook-signature")
        == requests.enumerated().map { index, request in
          secret.signature(
            id: "gate-20261126T115352.000Z-7.\(index + 1)", timestamp: Self.moment / 1_000,
            body: request.body)
        })
    #expect(receiver.waits.isEmpty)
  }

  @Test func `a message is tried until it is taken, and the next one waits`() async throws {
    let metrics = Metrics()
    let journal = try EventScene.journal(EventOptions(), metrics)
    let receiver = Receiver([
      .status(503, retryAfter: 70), .failed("no connection"), .status(204), .status(500),
    ])
    let sender = try Self.sender(Webhook("https://example.org/hook"), journal, receiver)
    journal.append(try EventScene.messages(), of: "gate")
    try await Self.run([sender], of: journal)
    let sequences = receiver.values("webhook-id").map { $0.suffix(1) }
    #expect(sequences == ["1", "1", "1", "2", "2", "3", "4"])
    #expect(receiver.values("webhook-signature").isEmpty)
    let waits = receiver.waits
    #expect(waits.count == 3 && waits[0] == 70 && (1...2).contains(waits[1]) && (0.5...1).contains(waits[2]))
    #expect(metrics.text().contains("fovea_output_sent_total{output=\"webhook-example.org-"))
    #expect(!metrics.text().contains("fovea_output_lost_total{"))
  }

  @Test func `a refused message, and one that is a day old, are dropped and counted`() async throws {
    for (now, tries) in [(Self.moment, 8), (EventScene.moment + 86_500_000, 0)] {
      let metrics = Metrics()
      let journal = try EventScene.journal(EventOptions(), metrics)
      let receiver = Receiver([WebhookRetry.Answer](repeating: .status(404), count: 5))
      let hook = try Webhook("https://example.org/hook")
      let sender = try Self.sender(hook, journal, receiver, now: now)
      journal.append(try EventScene.messages(), of: "gate")
      try await Self.run([sender], of: journal)
      #expect(receiver.requests.count == tries)
      let lost = tries == 0 ? 4 : 1
      #expect(metrics.text().contains("fovea_output_lost_total{output=\"\(hook.name)\"} \(lost)\n"))
    }
  }

  /// The answers to the first message, and parts of the lines in the log.
  @Test(
    arguments: [
      ([.status(204)], []),
      (
        [.status(302), .status(302)],
        ["redirects are not followed", "a web hook takes events again"]
      ),
      ([.late, .late], ["no answer within 30 s", "a web hook takes events again"]),
      (
        // Time, and with it the text, differs from try to try.
        [
          .failed("after 1 ms"), .failed("after 2 ms"), .status(503), .status(400), .status(503),
          .failed("3 ms"),
        ],
        ["after 1 ms", "status 503", "status 400", "a web hook takes events again"]
      ),
      (
        [.status(500), .notSecure("has expired"), .status(500)],
        ["status 500", "Renew the certificate", "a web hook takes events again"]
      ),
      // The first message is dropped; the second one is taken after another failure.
      (
        [.status(400), .status(400), .status(400), .status(400), .status(400), .status(400), .late],
        ["status 400", "no answer within 30 s", "a web hook takes events again"]
      ),
      (
        [.late, .status(204), .late],
        [
          "no answer within 30 s", "a web hook takes events again", "no answer within 30 s",
          "a web hook takes events again",
        ]
      ),
      (
        [.failed("no connection")],
        ["Check the address, and that the receiver runs", "a web hook takes events again"]
      ),
    ] as [([WebhookRetry.Answer], [String])])
  func `the log has the host of a web hook and a remedy once for each kind of failure, and no secret`(
    _ answers: [WebhookRetry.Answer], _ parts: [String]
  ) async throws {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }) { line in lines.withLock { $0.append(line) } }
    }
    let journal = try EventJournal(EventOptions(), metrics: Metrics(), logger: logger)
    let hook = try Webhook("https://user:password@example.org:8443/path?key=secret")
    let sender = try Self.sender(hook, journal, Receiver(answers))
    journal.append(try EventScene.messages(), of: "gate")
    try await Self.run([sender], of: journal)
    let log = lines.withLock(\.self)
    #expect(log.count == parts.count)
    for (line, part) in zip(log, parts) {
      #expect(line.contains(part) && line.contains(#""host": "example.org:8443""#), "\(line)")
      for secret in ["user", "password", "path", "key", "secret"] {
        #expect(!line.contains(secret), "\(line)")
      }
    }
  }

  @Test func `web hooks get only their types and sources`() async throws {
    let metrics = Metrics()
    let journal = try EventScene.journal(EventOptions(), metrics)
    var hooks = try ["https://h/1", "https://h/2", "https://h/3"].map { try Webhook($0) }
    hooks[0].types = [.start, .end]
    hooks[1].sources = ["door"]
    (hooks[2].types, hooks[2].sources) = ([.crossed], ["gate"])
    let receivers = hooks.map { _ in Receiver() }
    let senders = try zip(hooks, receivers).map { try Self.sender($0, journal, $1) }
    for source in ["gate", "door"] { journal.append(try EventScene.messages(), of: source) }
    try await Self.run(senders, of: journal)
    let ids = receivers.map { $0.values("webhook-id").map { $0.prefix(4) + $0.suffix(2) } }
    #expect(ids[0] == ["gate.1", "gate.4", "door.1", "door.4"])
    #expect(ids[1] == ["door.1", "door.2", "door.3", "door.4"] && ids[2].isEmpty)
    #expect(!metrics.text().contains("fovea_output_lost_total{"))
  }

  @Test func `a web hook that does not answer delays no other, and ends with the task`() async throws {
    let journal = try EventScene.journal(EventOptions())
    let (silent, quick) = (Receiver(), Receiver())
    var stalled = try Self.sender(Webhook("https://h/1"), journal, silent)
    stalled.post = { request in
      _ = silent.answer(request)
      try? await Task.sleep(for: .seconds(3_600))
      return .failed("no answer")
    }
    let other = try Self.sender(Webhook("https://h/2"), journal, quick)
    journal.append(try EventScene.messages(), of: "gate")
    let running = [stalled, other].map { sender in Task { await sender.run() } }
    try await waitUntil("the other web hook has all messages") { Self.numbers(journal) == [0, 4] }
    try await waitUntil("the first one has a request") { silent.requests.count == 1 }
    for task in running { task.cancel() }
    for task in running { await task.value }
    #expect(Self.numbers(journal) == [0, 4] && quick.requests.count == 4)
  }

  @Test func `a request reaches its address, and follows no redirect`() async throws {
    let server = try LoopbackServer { _, number in
      number == 0
        ? .init(status: 307, headers: ["Location": "/other"])
        : .init(status: number == 1 ? 503 : 204, headers: ["Retry-After": "9"])
    }
    defer { server.stop() }
    let request = WebhookSender.Request(
      url: server.url + "/hook?key=1", headers: ["Content-Type: application/json", "webhook-id: gate-1.1"],
      body: Array("{\"id\": \"gate-1\"}".utf8))
    #expect(await WebhookSender.answer(to: request) == .status(307))
    #expect(await WebhookSender.answer(to: request) == .status(503, retryAfter: 9))
    #expect(await WebhookSender.answer(to: request) == .status(204, retryAfter: 9))
    let seen = server.requests
    #expect(seen.map(\.target) == [String](repeating: "/hook?key=1", count: 3))
    #expect(seen.allSatisfy { $0.method == "POST" && $0.body == request.body })
    #expect(seen.first?.headers["content-type"] == "application/json")
    #expect(seen.first?.headers["webhook-id"] == "gate-1.1")
    server.stop()
    if case .status = await WebhookSender.answer(to: request) { Issue.record("a stopped server answered") }
  }

  @Test func `a server posts the events of its sources, and needs no folder`() async throws {
    let hook = try LoopbackServer { _, _ in .init(status: 204) }
    defer { hook.stop() }
    let further = try EventScene.messages()
    let webhook = try Webhook(hook.url)
    try await RunningInference.run([.embedded], { $0.webhooks = [webhook] }) { server in
      server.service.events.journal?.append(further, of: "gate")
      blockUntil { hook.requests.count == 4 }
      let metrics = try server.send("GET", "/metrics").body
      #expect(metrics.contains("fovea_output_lag_seconds{output=\"webhook-127.0.0.1-"))
      #expect(try server.send("GET", "/v1/events?limit=1").body.contains("\"number\": 4"))
    }
  }
}
#endif
