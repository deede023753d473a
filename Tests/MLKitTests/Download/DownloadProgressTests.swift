// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import MLKit
import Synchronization
import Testing

@testable import FoveaCompatibility

@Suite(.timeLimit(.minutes(10))) struct DownloadProgressTests {
  private let manager = ModelManager.modelManager()
  private let conditions = ModelDownloadConditions()

  private func model(_ name: String) -> CustomRemoteModel {
    CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: name))
  }

  /// Sends 30,000 bytes and then nothing more, until it is opened.
  private static func stalling(_ first: Int = 1) throws -> ModelServer {
    try ModelServer { request, number in
      var reply = LoopbackServer.Reply.file(ModelServer.detector, for: request)
      if number < first { reply.stallAfter = 30_000 }
      return reply
    }
  }

  @Test func `a progress is finished exactly when the model can be used`() {
    let progress = ModelProgress()
    #expect(progress.isIndeterminate && !progress.isFinished && progress.isCancellable)
    progress.update(done: 50, total: nil)
    #expect(progress.completedUnitCount == 50 && !progress.isFinished)
    progress.update(done: 50, total: 100)
    #expect(progress.fractionCompleted == 0.5)
    progress.update(done: 100, total: 100)
    #expect(progress.fractionCompleted == 0.99 && !progress.isFinished)
    progress.finish(byteCount: 100)
    #expect(progress.fractionCompleted == 1 && progress.isFinished)
    progress.update(done: 1, total: 100)
    #expect(progress.completedUnitCount == 100)
  }

  @Test func `a progress never falls, even if a transfer restarts`() {
    let progress = ModelProgress()
    var last = 0.0
    for done in [10, 60, 0, 30, 60, 61, 0, 100] {
      progress.update(done: done, total: 100)
      #expect(progress.fractionCompleted >= last)
      last = progress.fractionCompleted
    }
    #expect(progress.completedUnitCount == 99)
  }

  @Test func `a progress is part of another one`() {
    let whole = Progress(totalUnitCount: 2)
    let progress = ModelProgress()
    whole.addChild(progress, withPendingUnitCount: 1)
    progress.update(done: 50, total: 100)
    #expect(whole.fractionCompleted == 0.25)
    progress.finish(byteCount: 100)
    #expect(whole.fractionCompleted == 0.5)
    let next = ModelProgress()
    whole.addChild(next, withPendingUnitCount: 1)
    whole.cancel()
    #expect(next.isCancelled && !next.isFinished && !progress.isCancelled)
  }

  @Test func `cancelling ends the download once, and the next one continues`() async throws {
    let models = try Self.stalling()
    let posted = PostedDownloads("cancelled", folder: models.folder)
    try await models.use {
      let progress = manager.download(model("cancelled"), conditions: conditions)
      try await waitUntil("30,000 bytes have arrived") { progress.completedUnitCount >= 30_000 }
      #expect(progress.totalUnitCount == 88_560 && !progress.isFinished)
      progress.cancel()
      progress.cancel()
      let post = try await posted.wait(for: 1)[0]
      #expect(!post.isSuccess && post.error?.code == MLError.Code.cancelled.rawValue)
      #expect(progress.isCancelled && !progress.isFinished)
      #expect(!manager.isModelDownloaded(model("cancelled")))
      _ = manager.download(model("cancelled"), conditions: conditions)
      #expect(try await posted.wait(for: 2)[1].isSuccess)
    }
    #expect(posted.all.count == 2)
    #expect(models.server.requests.map { $0.headers["range"] } == [nil, "bytes=30000-"])
  }

  @Test func `two downloads of one model are one, and each is notified`() async throws {
    let models = try Self.stalling()
    let posted = PostedDownloads("twice", folder: models.folder)
    try await models.use {
      let first = manager.download(model("twice"), conditions: conditions)
      try await waitUntil("30,000 bytes have arrived") { first.completedUnitCount >= 30_000 }
      let second = manager.download(model("twice"), conditions: conditions)
      first.cancel()
      #expect(try await posted.wait(for: 1)[0].error?.code == MLError.Code.cancelled.rawValue)
      // No one else waits: the stalled one is ended, too.
      second.cancel()
      #expect(try await posted.wait(for: 2)[1].error?.code == MLError.Code.cancelled.rawValue)
    }
    #expect(models.server.requests.count == 1)
  }

  @Test func `a cancelled task ends its wait`() async throws {
    let models = try Self.stalling()
    try await models.use {
      let task = Task { try await manager.downloadModel(model("task")) }
      try await waitUntil("a request has arrived") { !models.server.requests.isEmpty }
      task.cancel()
      let error = await #expect(throws: MLKitError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      try await manager.downloadModel(model("task"))
    }
  }

  @Test func `a task that was cancelled before downloads nothing`() async throws {
    let models = try Self.stalling()
    try await models.use {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await manager.downloadModel(model("late"))
      }
      task.cancel()
      let error = await #expect(throws: MLKitError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      #expect(!manager.isModelDownloaded(model("late")))
    }
  }
}
