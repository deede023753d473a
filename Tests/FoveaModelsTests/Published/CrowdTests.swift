// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaModels

/// Many callers of one model, and others that delete it meanwhile.
@Suite(.timeLimit(.minutes(10))) struct CrowdTests {
  private typealias Version = PublishingServer.Version

  /// Holds the server's responses until it is opened.
  private final class Gate: Sendable {
    private let isOpen = Atomic(false)
    func open() { isOpen.store(true, ordering: .relaxed) }
    /// For the server's own threads.
    func wait() { while !isOpen.load(ordering: .relaxed) { usleep(5_000) } }
  }

  private static func host(_ version: Version, behind gate: Gate) throws -> PublishingServer {
    let host = try PublishingServer(version)
    host.with { $0.change = { _, _ in gate.wait() } }
    return host
  }

  @Test func `a thousand observers share one transfer, and each is notified of its end once`() async throws {
    let gate = Gate()
    let host = try Self.host(.init(1, TestModels.detector), behind: gate)
    let test = TestModels()
    let models = test.hosted(host.address)
    let downloads = SharedDownloads()
    let ends = Mutex([Int](repeating: 0, count: 1_000))
    let successes = Mutex(0)
    let tickets = (0..<1_000).map { number in
      downloads.start(TestModels.name, by: models) { _ in
      } completion: { answer in
        ends.withLock { $0[number] += 1 }
        if case .success = answer { successes.withLock { $0 += 1 } }
      }
    }
    for ticket in tickets.enumerated() where ticket.offset % 3 == 0 { ticket.element.cancel() }
    gate.open()
    try await waitUntil("everyone was notified") { ends.withLock { $0.allSatisfy { $0 > 0 } } }
    for ticket in tickets { ticket.cancel() }
    #expect(ends.withLock { $0.allSatisfy { $0 == 1 } })
    #expect(successes.withLock { $0 } == 666)
    #expect(host.fileRequests.count == 1 && host.informationRequests.count == 1)
  }

  @Test func `a model deleted while its next version is downloaded returns with that version`()
    async throws
  {
    let gate = Gate()
    let host = try Self.host(.init(1, TestModels.classifier), behind: gate)
    let test = TestModels()
    let models = test.hosted(host.address)
    gate.open()
    try await test.pull(models)
    let second = Gate()
    host.with { state in
      state.stable = .init(2, TestModels.detector)
      state.change = { _, _ in second.wait() }
    }
    async let next = test.pull(models)
    try await waitUntil("the file is requested") { host.fileRequests.count == 2 }
    try models.store.remove(TestModels.name)
    #expect(try models.store.installedModel(named: TestModels.name) == nil)
    second.open()
    let model = try await next
    #expect(TestModels.bytes(model.path) == TestModels.detector && model.previousVersion == nil)
    #expect(try models.store.installedModel(named: TestModels.name) == model)
    #expect(test.files == TestModels.files(of: [TestModels.detector]))
  }

  @Test func `tasks that download, delete and roll back leave a complete model or none`() async throws {
    let versions = [TestModels.detector, TestModels.classifier, ModelServer.model("yolox")]
    let host = try PublishingServer(.init(1, versions[0]))
    let test = TestModels()
    let models = test.hosted(host.address)
    let hosted = HostedModels(models)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for turn in 0..<10 {
            switch (task + turn) % 4 {
            case 0: host.with { $0.stable = .init(turn + 1, versions[turn % 3]) }
            case 1: try? hosted.remove(TestModels.name)
            case 2: _ = try? hosted.rollBack(TestModels.name)
            default: break
            }
            _ = try? await test.pull(models)
          }
        }
      }
    }
    let model = try await test.pull(models)
    #expect(versions.contains(TestModels.bytes(model.path) ?? []))
    try hosted.verify(TestModels.name)
    #expect(test.files.filter { $0.hasPrefix(".partial/") && !$0.hasSuffix(".lock") } == [])
  }
}
