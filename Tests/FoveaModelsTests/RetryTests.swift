// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Synchronization
import Testing

@testable import FoveaModels

/// The conditions and pauses of repeated requests.
@Suite(.timeLimit(.minutes(5))) struct RetryTests {
  @Test func `a pause is a random part of one that grows, up to half a minute`() {
    var pause = RetryPause()
    pause.random = { 0.5 }
    #expect(
      (1...8).map { pause.duration(after: $0, wish: nil) }
        == [0.5, 1, 2, 4, 8, 16, 16, 16].map { .seconds($0) })
    pause.random = { 0 }
    #expect(pause.duration(after: 6, wish: nil) == .zero)
    let numbers = Mutex(SeededGenerator(seed: 7))
    pause.random = { numbers.withLock { Double.random(in: 0..<1, using: &$0) } }
    let pauses = (0..<1_000).compactMap { _ in pause.duration(after: 3, wish: nil) }
    #expect(pauses.allSatisfy { $0 >= .zero && $0 < .seconds(4) })
    #expect(pauses.contains { $0 < .seconds(1) } && pauses.contains { $0 > .seconds(3) })
  }

  @Test(arguments: [(0, Duration.zero), (60, .seconds(60)), (61, nil), (Int.max, nil)])
  func `a server's Retry-After is respected up to a minute`(_ wish: Int, _ expected: Duration?) {
    #expect(RetryPause().duration(after: 1, wish: wish) == expected)
  }

  struct WaitCase: CustomTestStringConvertible, Sendable {
    var testDescription: String { lines.joined(separator: ", ") }
    var lines: [String]
    var seconds: Int?
    init(_ lines: String..., seconds: Int?) { (self.lines, self.seconds) = (lines, seconds) }
  }

  @Test(arguments: [
    WaitCase("Retry-After: 5", seconds: 5), WaitCase("Retry-After: -5", seconds: nil),
    WaitCase("Retry-After: 99999999999999999999", seconds: nil), WaitCase("Retry-After: soon", seconds: nil),
    WaitCase("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", seconds: 7),
    WaitCase("Retry-After: Sun, 06 Nov 1994 08:49:29 GMT", seconds: 0),
    WaitCase(
      "Date: Sun, 06 Nov 1994 08:49:00 GMT", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", seconds: 37),
    WaitCase("Date: Sun, 06 Nov 1994 08:49:00 GMT", seconds: nil),
  ])
  func `both forms of Retry-After are read, the time by the server's own clock`(_ test: WaitCase) {
    var head = HTTPHead()
    for line in ["HTTP/1.1 503 Test"] + test.lines { head.take(line: line) }
    #expect(head.retryAfterSeconds(now: 784_111_770) == test.seconds)
  }

  @Test func `a server that is not ready yet is asked again`() async throws {
    let free = try LoopbackServer { _, _ in .init() }
    free.stop()
    let test = TestModels()
    let log = ProgressLog()
    let error = await #expect(throws: ModelStoreError.self) {
      try await test.hosted(free.url).download(TestModels.name) { log.add($0) }
    }
    #expect(error?.code == .unreachable)
    #expect(log.all.filter { $0.phase == .retrying }.count == 2)
    let nowhere = ProgressLog()
    await #expect(throws: ModelStoreError.self) {
      try await test.hosted("http://no-such-host.invalid").download(TestModels.name) { nowhere.add($0) }
    }
    #expect(nowhere.all.filter { $0.phase == .retrying }.count == 2)
  }

  @Test func `the deadline ends a download in progress`() async throws {
    let server = try LoopbackServer { request, _ in
      var reply = LoopbackServer.Reply.file(TestModels.detector, for: request)
      reply.stallAfter = 1_000
      return reply
    }
    defer { server.stop() }
    let test = TestModels()
    var models = test.hosted(server.url)
    models.settings.options.deadline = .milliseconds(300)
    let error = await test.failure(models)
    #expect(error?.code == .timeout)
    #expect(error?.message == "\(server.url)/my_model.tflite did not send everything before the deadline")
    #expect(server.requests.count <= 1)
  }

  @Test func `the deadline ends the wait for another download`() async throws {
    let test = TestModels()
    let path = test.folder + "/.lock"
    try test.write([], to: ".lock")
    guard case .taken(let lock) = try StoreLock.attempt(path) else {
      Issue.record("the lock is not free")
      return
    }
    let error = await #expect(throws: ModelStoreError.self) {
      try await StoreLock.acquire(path, until: .now + .milliseconds(150)) {}
    }
    #expect(error?.code == .timeout)
    lock.discard()
  }

  @Test func `no pause passes the deadline`() async throws {
    let server = try LoopbackServer { _, _ in .init(status: 503, headers: ["Retry-After": "50"]) }
    defer { server.stop() }
    let test = TestModels()
    var models = test.hosted(server.url)
    models.settings.options.deadline = .seconds(40)
    #expect(await test.failure(models)?.code == .serverError)
    #expect(server.requests.count == 1)
    var options = ModelDownloader.Options()
    options.deadline = .zero
    #expect(throws: ModelStoreError.self) {
      try ModelDownloader(store: models.store, options: options)
    }
  }

  @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 1_000, 1 << 20])
  func `libcrypto and our own code give one checksum`(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let (fast, own) = (FileDigest(), FileDigest(isSystems: false))
    #expect(!own.isFast)
    let (head, tail) = (Array(bytes[..<(count / 3)]), Array(bytes[(count / 3)...]))
    for sum in [fast, own] {
      sum.update([1, 2, 3].span)
      sum.restart()
      sum.update(head.span)
      #expect(sum.sum() == SHA256Text.of(head))
      sum.update(tail.span)
      #expect(sum.sum() == SHA256Text.of(bytes))
    }
  }
}
