// SPDX-License-Identifier: Apache-2.0

import Firebase
import Foundation
import FoveaCompatibility
import FoveaTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct FirebaseModelManagerTests {
  private let manager = ModelManager.modelManager()
  private let conditions = ModelDownloadConditions(
    allowsCellularAccess: true, allowsBackgroundDownloading: true)

  /// Downloads a model, and returns what the guide's observers see.
  private func download(_ model: CustomRemoteModel) async throws -> (isSuccess: Bool, error: NSError?) {
    let posts = Mutex<[(isSuccess: Bool, error: NSError?)]>([])
    var tokens: [any NSObjectProtocol] = []
    for isSuccess in [true, false] {
      let name: NSNotification.Name =
        isSuccess ? .firebaseMLModelDownloadDidSucceed : .firebaseMLModelDownloadDidFail
      tokens.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
          guard let userInfo = notification.userInfo,
            let posted = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel,
            posted.name == model.name
          else { return }
          let error = userInfo[ModelDownloadUserInfoKey.error.rawValue] as? NSError
          posts.withLock { $0.append((isSuccess, error)) }
        })
    }
    defer { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
    let progress = manager.download(model, conditions: conditions)
    try await waitUntil("the end of the download is posted") { posts.withLock { !$0.isEmpty } }
    let post = try #require(posts.withLock { $0.first })
    #expect(progress.isFinished == post.isSuccess)
    return post
  }

  @Test func `a downloaded model's path is there before the function returns`() async throws {
    let models = try ModelServer()
    let model = CustomRemoteModel(name: "your_model")
    try await models.use {
      let post = try await download(model)
      #expect(post.isSuccess && post.error == nil)
      // The guide's lines.
      var modelPath: String?
      if ModelManager.modelManager().isModelDownloaded(model) {
        ModelManager.modelManager().getLatestModelFilePath(model) { path, error in
          guard error == nil else { return }
          guard let path = path else { return }
          modelPath = path
        }
      }
      #expect(try FileManager.default.contents(atPath: #require(modelPath)) == Data(ModelServer.detector))
    }
  }

  @Test func `a missing model has no path and an error, at once`() async throws {
    let models = try ModelServer()
    try await models.use {
      var answers: [(String?, (any Error)?)] = []
      for name in ["never_downloaded", "../etc/passwd", ""] {
        manager.getLatestModelFilePath(CustomRemoteModel(name: name)) { answers.append(($0, $1)) }
      }
      #expect(answers.count == 3)
      #expect(answers.allSatisfy { $0.0 == nil && ($0.1 as? FirebaseMLError)?.code == .notFound })
    }
    #expect(models.server.connections == 0)
  }

  @Test func `a failure is reported with an NSError`() async throws {
    let models = try ModelServer { _, _ in LoopbackServer.Reply(status: 404) }
    try await models.use {
      let post = try await download(CustomRemoteModel(name: "firebase_failing"))
      #expect(!post.isSuccess)
      #expect(post.error?.code == FirebaseMLError.Code.notFound.rawValue)
      #expect(post.error?.localizedRecoverySuggestion?.isEmpty == false)
    }
  }

  @Test func `a model can be awaited and deleted with await`() async throws {
    let models = try ModelServer()
    let model = CustomRemoteModel(name: "firebase_deleted")
    try await models.use {
      try await manager.downloadModel(model)
      #expect(manager.isModelDownloaded(remoteModel: model))
      try await manager.deleteDownloadedModel(model)
      #expect(!manager.isModelDownloaded(model))
      let error: (any Error)? = await withCheckedContinuation { continuation in
        manager.deleteDownloadedModel(model) { continuation.resume(returning: $0) }
      }
      #expect((error as? FirebaseMLError)?.code == .notFound)
    }
  }

  @Test func `a configuration keeps project and key`() throws {
    let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2")
    #expect(options.projectID == nil && options.apiKey == nil)
    options.projectID = "demo"
    options.apiKey = "key"
    let copy = try #require(options.copy() as? FirebaseOptions)
    options.projectID = nil
    #expect(copy.projectID == "demo" && copy.apiKey == "key" && copy.googleAppID == "1:2:ios:3")
    FirebaseApp.configure(name: "with-key", options: copy)
    #expect(FirebaseApp.app(name: "with-key")?.options.apiKey == "key")
  }

  @Test func `apps are stored by name, and none has to be configured`() throws {
    let app = try #require(FirebaseApp.app())
    #expect(ModelManager.modelManager(app: app) === manager)
    FirebaseApp.configure(
      name: "second", options: FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2"))
    #expect(FirebaseApp.app(name: "second")?.options.googleAppID == "1:2:ios:3")
    #expect(FirebaseApp.app(name: "third") == nil)
    #expect(FirebaseApp.allApps?["second"]?.name == "second")
    FirebaseApp.configure()
    FirebaseApp.configure()
    #expect(FirebaseApp.app()?.name == "__FIRAPP_DEFAULT")
    #expect(CustomLocalModel(modelPath: "/m.tflite").path == "/m.tflite")
  }
}
