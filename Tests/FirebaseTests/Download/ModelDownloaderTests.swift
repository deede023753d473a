// SPDX-License-Identifier: Apache-2.0

import FirebaseCore
import Foundation
import FoveaCompatibility
import FoveaTesting
import Synchronization
import Testing

@testable import FirebaseMLModelDownloader

@Suite(.timeLimit(.minutes(10))) struct ModelDownloaderTests {
  private let downloader = ModelDownloader.modelDownloader()
  private let conditions = ModelDownloadConditions(allowsCellularAccess: false)

  /// A server with another model from its second response on.
  private static func changing() throws -> ModelServer {
    try ModelServer { request, number in
      number == 0
        ? .file(ModelServer.detector, for: request, tag: "v1")
        : .file(ModelServer.classifier, for: request, tag: "v2")
    }
  }

  @Test func `a missing local model is downloaded once`() async throws {
    let models = try Self.changing()
    try await models.use {
      let first = try await downloader.getModel(name: "local", downloadType: .localModel)
      #expect(first.name == "local" && first.size == 88_560 && first.hash.utf8.count == 64)
      #expect(FileManager.default.contents(atPath: first.path) == Data(ModelServer.detector))
      #expect(try await downloader.getModel(name: "local", downloadType: .localModel) == first)
    }
    #expect(models.server.requests.count == 1)
  }

  @Test func `an update in the background is available the next time`() async throws {
    let models = try Self.changing()
    try await models.use {
      let first = try await downloader.getModel(name: "later", downloadType: .localModelUpdateInBackground)
      let second = try await downloader.getModel(name: "later", downloadType: .localModelUpdateInBackground)
      #expect(second == first)
      try await waitUntil("the update is installed") { RemoteModels.path(of: "later") != first.path }
      let third = try await downloader.getModel(name: "later", downloadType: .localModel)
      #expect(third.size == 2_256 && third.hash != first.hash)
      #expect(FileManager.default.fileExists(atPath: first.path), "an interpreter may still use it")
    }
  }

  @Test func `the latest model is the newest, or an error, never an older one`() async throws {
    let models = try Self.changing()
    try await models.use {
      _ = try await downloader.getModel(name: "latest", downloadType: .latestModel)
      let latest = try await downloader.getModel(name: "latest", downloadType: .latestModel)
      #expect(latest.size == 2_256)
      models.server.stop()
      await #expect(throws: DownloadError.self) {
        try await downloader.getModel(name: "latest", downloadType: .latestModel)
      }
      #expect(try await downloader.getModel(name: "latest", downloadType: .localModel) == latest)
    }
  }

  @Test func `progress is reported at most once per percent`() async throws {
    let models = try ModelServer()
    try await models.use {
      let shares = Mutex<[Float]>([])
      let result: Result<CustomModel, DownloadError> = await withCheckedContinuation { continuation in
        downloader.getModel(
          name: "shares", downloadType: .latestModel, conditions: conditions,
          progressHandler: { share in shares.withLock { $0.append(share) } },
          completion: { continuation.resume(returning: $0) })
      }
      let model = try result.get()
      #expect(model.size == 88_560)
      let told = shares.withLock { $0 }
      #expect(!told.isEmpty && told.count <= 101 && told == told.sorted() && told.last == 1)
    }
  }

  @Test func `a thousand progress values are reported as a hundred`() async throws {
    let shares = Mutex<[Float]>([])
    let steps = HundredthSteps(ModelCompletion { share in shares.withLock { $0.append(share) } })
    for count in 0...1_000 { steps.report(Float(count) / 1_000) }
    try await waitUntil("the last share is reported") { shares.withLock { $0.last } == 1 }
    #expect((99...101).contains(shares.withLock { $0.count }))
  }

  struct FailureCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var error: DownloadError?
    var name = "failing"
    var status = 404
    var host: String?? = .none
  }

  @Test(arguments: [
    FailureCase(testDescription: "not found", error: .notFound),
    FailureCase(testDescription: "no name", error: .emptyModelName, name: ""),
    FailureCase(testDescription: "a hostile name", error: .invalidArgument, name: "../x"),
    FailureCase(testDescription: "forbidden", error: .permissionDenied, status: 403),
    FailureCase(testDescription: "no user", error: .permissionDenied, status: 401),
    FailureCase(testDescription: "asked too often", error: .resourceExhausted, status: 429),
    FailureCase(testDescription: "a failing server", error: nil, status: 500),
    FailureCase(testDescription: "no host", error: .failedPrecondition, host: .some(nil)),
    FailureCase(testDescription: "no address of a host", error: .invalidArgument, host: "ftp://x"),
  ])
  func `a failure is one of Firebase's errors`(_ test: FailureCase) async throws {
    let models = try ModelServer { _, _ in
      LoopbackServer.Reply(status: test.status, headers: ["Retry-After": "3600"])
    }
    try await models.use(host: test.host) {
      do throws(DownloadError) {
        _ = try await downloader.getModel(name: test.name, downloadType: .localModel)
        Issue.record("a model")
      } catch {
        if let expected = test.error {
          #expect(error == expected)
        } else if case .internalError(let description) = error {
          #expect(description.contains("status 500"))
        } else {
          Issue.record("\(error)")
        }
        #expect(error.errorDescription?.hasSuffix(".") == true)
      }
    }
  }

  @Test(arguments: ["/proc/nope", "/dev/full"])
  func `a folder that cannot be written is a permission error`(_ folder: String) async throws {
    let models = try ModelServer()
    let setting = RemoteModels.Setting(host: models.server.url, folder: folder)
    await RemoteModels.$setting.withValue(setting) {
      await #expect(throws: DownloadError.permissionDenied) {
        try await downloader.getModel(name: "nowhere", downloadType: .localModel)
      }
      let error = await #expect(throws: MLError.self) { try await RemoteModels.download("nowhere") }
      #expect(error?.code == .permissionDenied)
      #expect(error?.message.hasPrefix("'\(folder)") == true)
    }
    #expect(models.server.requests.isEmpty)
  }

  @Test func `models are listed and deleted`() async throws {
    let models = try ModelServer()
    try await models.use {
      var expected: Set<CustomModel> = []
      for name in ["one", "two"] {
        expected.insert(try await downloader.getModel(name: name, downloadType: .localModel))
      }
      #expect(try await list() == expected)
      for isThere in [true, false] {
        let result: Result<Void, DownloadedModelError> = await withCheckedContinuation { continuation in
          downloader.deleteDownloadedModel(name: "one") { continuation.resume(returning: $0) }
        }
        do throws(DownloadedModelError) {
          try result.get()
          #expect(isThere)
        } catch {
          #expect(!isThere && error == .notFound)
        }
      }
      #expect(try await list().map(\.name) == ["two"])
    }
  }

  private func list() async throws -> Set<CustomModel> {
    try await withCheckedContinuation { continuation in
      downloader.listDownloadedModels { continuation.resume(returning: $0) }
    }.get()
  }

  @Test func `all apps share one downloader, and all of Google's names share one host`() throws {
    #expect(ModelDownloader.modelDownloader(app: try #require(FirebaseApp.app())) === downloader)
    #expect(ModelDownloader.host == RemoteModels.host)
  }
}
