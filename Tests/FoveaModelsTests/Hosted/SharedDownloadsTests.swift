// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaModels

@Suite(.timeLimit(.minutes(10))) struct SharedDownloadsTests {
  /// Counts responses, and a test can wait for them.
  private final class Answers: Sendable {
    private let all = Mutex<[SharedDownloads.Answer]>([])
    var values: [SharedDownloads.Answer] { all.withLock { $0 } }
    var codes: [ModelStoreCode?] {
      values.map { answer in
        if case .failure(let error) = answer { error.code } else { nil }
      }
    }
    func add(_ answer: SharedDownloads.Answer) { all.withLock { $0.append(answer) } }
    func wait(for count: Int) async throws {
      try await waitUntil("\(count) responses have arrived") { values.count >= count }
    }
  }

  private static func stalling(_ number: Int, _ request: LoopbackServer.Request) -> LoopbackServer.Reply {
    var reply = LoopbackServer.Reply.file(TestModels.detector, for: request)
    if number == 0 { reply.stallAfter = 30_000 }
    return reply
  }

  @Test func `eight callers for one model share one download and are notified once each`() async throws {
    let opening = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { request, _ in
      _ = opening.wait(timeout: .now() + 120)
      return .file(TestModels.detector, for: request)
    }
    defer { server.stop() }
    let test = TestModels()
    let (downloads, answers, logs) = (SharedDownloads(), Answers(), (0..<8).map { _ in ProgressLog() })
    for log in logs {
      _ = downloads.start(
        TestModels.name, by: test.hosted(server.url), progress: { log.add($0) },
        completion: { answers.add($0) })
    }
    opening.signal()
    try await answers.wait(for: 8)
    #expect(answers.codes == Array(repeating: nil, count: 8))
    #expect(server.requests.count == 1)
    #expect(logs.allSatisfy { $0.bytesDone == 88_560 })
  }

  @Test func `a caller that leaves does not end the download of the others`() async throws {
    let server = try LoopbackServer { request, number in Self.stalling(number, request) }
    defer { server.stop() }
    let test = TestModels()
    var models = test.hosted(server.url)
    models.settings.options.stallTimeout = .seconds(2)
    let (downloads, first, second, log) = (SharedDownloads(), Answers(), Answers(), ProgressLog())
    let ticket = downloads.start(
      TestModels.name, by: models, progress: { log.add($0) }, completion: { first.add($0) })
    _ = downloads.start(
      TestModels.name, by: models, progress: { _ in }, completion: { second.add($0) })
    try await waitUntil("30,000 bytes have arrived") { log.bytesDone >= 30_000 }
    ticket.cancel()
    ticket.cancel()
    #expect(first.codes == [.cancelled])
    try await second.wait(for: 1)
    #expect(second.codes == [nil] && first.codes == [.cancelled])
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=30000-"])
  }

  @Test func `the last caller that leaves ends it, and the next one starts again`() async throws {
    let server = try LoopbackServer { request, number in Self.stalling(number, request) }
    defer { server.stop() }
    let test = TestModels()
    var models = test.hosted(server.url)
    models.settings.options.stallTimeout = .seconds(600)
    let (downloads, answers, log) = (SharedDownloads(), Answers(), ProgressLog())
    let ticket = downloads.start(
      TestModels.name, by: models, progress: { log.add($0) }, completion: { answers.add($0) })
    try await waitUntil("30,000 bytes have arrived") { log.bytesDone >= 30_000 }
    ticket.cancel()
    _ = downloads.start(TestModels.name, by: models, progress: { _ in }, completion: { answers.add($0) })
    try await answers.wait(for: 2)
    #expect(answers.codes == [.cancelled, nil])
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=30000-"])
    ticket.cancel()
    #expect(answers.values.count == 2)
  }

  @Test func `two processes take turns, and the second finds the file of the first`() async throws {
    let server = try LoopbackServer { request, _ in
      request.headers["if-none-match"] == "\"v1\""
        ? LoopbackServer.Reply(status: 304) : .file(TestModels.detector, for: request)
    }
    defer { server.stop() }
    let test = TestModels()
    // Two registries do not know each other, like two processes: the lock of the file decides.
    let answers = Answers()
    for downloads in [SharedDownloads(), SharedDownloads()] {
      _ = downloads.start(
        TestModels.name, by: test.hosted(server.url), progress: { _ in }, completion: { answers.add($0) })
    }
    try await answers.wait(for: 2)
    #expect(answers.codes == [nil, nil])
    #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
    #expect(test.files == TestModels.files(of: [TestModels.detector]))
  }
}
