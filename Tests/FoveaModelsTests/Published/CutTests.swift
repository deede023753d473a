// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Synchronization
import Testing

@testable import FoveaModels

/// Connections that end early, repeatedly.
@Suite(.timeLimit(.minutes(10))) struct CutTests {
  private static let model = TestModels.detector

  /// The number of bytes a server sent, and of connections it cut.
  private final class Sent: Sendable {
    private let counts = Mutex((bytes: 0, cuts: 0))
    var all: (bytes: Int, cuts: Int) { counts.withLock { $0 } }

    func add(_ bytes: Int, isCut: Bool) {
      counts.withLock { counts in
        counts.bytes += bytes
        if isCut { counts.cuts += 1 }
      }
    }
  }

  /// Ends each connection after this many bytes.
  private static func cut(_ reply: inout LoopbackServer.Reply, after count: Int, _ sent: Sent) {
    let isCut = count < reply.body.count
    if isCut { reply.cutAfter = count }
    sent.add(min(count, reply.body.count), isCut: isCut)
  }

  private static func check(_ host: String, _ sent: Sent) async throws {
    let test = TestModels()
    let log = ProgressLog()
    let model = try await test.hosted(host, attempts: 100).download(TestModels.name) { log.add($0) }
    #expect(TestModels.bytes(model.path) == Self.model && model.sha256 == SHA256Text.of(Self.model))
    #expect(test.files == TestModels.files(of: [Self.model]))
    #expect(sent.all.bytes <= Self.model.count + sent.all.cuts * 65_536)
    #expect(sent.all.cuts > 0 && log.all.filter { $0.phase == .retrying }.count == sent.all.cuts)
  }

  @Test(arguments: [1_000, 4_096, 16_384, 65_535, 65_536, 88_559])
  func `a connection that ends after every k-th byte`(_ count: Int) async throws {
    let host = try PublishingServer(.init(1, Self.model))
    let sent = Sent()
    host.with { $0.change = { _, reply in Self.cut(&reply, after: count, sent) } }
    try await Self.check(host.address, sent)
    let plain = Sent()
    let server = try LoopbackServer { request, _ in
      var reply = LoopbackServer.Reply.file(Self.model, for: request)
      Self.cut(&reply, after: count, plain)
      return reply
    }
    defer { server.stop() }
    try await Self.check(server.url, plain)
  }

  @Test(arguments: [1, 2, 3, 4])
  func `a hundred cuts at random places cost only the bytes in transit`(_ seed: UInt64) async throws {
    let host = try PublishingServer(.init(1, Self.model))
    let numbers = Mutex(SeededGenerator(seed: seed))
    let sent = Sent()
    host.with { state in
      state.change = { _, reply in
        let place = numbers.withLock { Int.random(in: 0...5_000, using: &$0) }
        Self.cut(&reply, after: sent.all.cuts < 25 ? place : .max, sent)
      }
    }
    try await Self.check(host.address, sent)
    #expect(sent.all.cuts >= 17)
  }
}
