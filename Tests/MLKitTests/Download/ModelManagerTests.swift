// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCompatibility
import FoveaTesting
import MLKit
import Testing

@Suite(.onOwnThread, .timeLimit(.minutes(10))) struct ModelManagerTests {
  private let manager = ModelManager.modelManager()
  private let conditions = ModelDownloadConditions(
    allowsCellularAccess: true, allowsBackgroundDownloading: true)

  private func model(_ name: String) -> CustomRemoteModel {
    CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: name))
  }

  @Test func `a download posts the model itself under a text as key, once it is installed`() async throws {
    let models = try ModelServer()
    let model = model("posted")
    let posted = PostedDownloads("posted", folder: models.folder)
    try await models.use {
      #expect(!manager.isModelDownloaded(model))
      let progress = manager.download(model, conditions: conditions)
      let post = try await posted.wait(for: 1)[0]
      #expect(post.isSuccess && post.isThere && post.model === model && post.error == nil)
      #expect(post.keys == [ModelDownloadUserInfoKey.remoteModel.rawValue])
      #expect(progress.isFinished && progress.fractionCompleted == 1 && progress.totalUnitCount == 88_560)
      #expect(manager.isModelDownloaded(model) && manager.isModelDownloaded(remoteModel: model))
    }
    #expect(posted.all.count == 1)
    #expect(models.server.requests.map(\.target) == ["/posted.tflite"])
  }

  @Test func `the newest model, already installed, is a success without a transfer`() async throws {
    let models = try ModelServer()
    let posted = PostedDownloads("again", folder: models.folder)
    try await models.use {
      for count in 1...2 {
        let progress = manager.download(model("again"), conditions: conditions)
        let posts = try await posted.wait(for: count)
        #expect(posts.last?.isSuccess == true)
        #expect(progress.isFinished && progress.completedUnitCount == 88_560)
      }
    }
    #expect(models.server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
  }

  struct FailureCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: MLError.Code
    /// With URL for the server's address, and NAME for the model's name.
    var text: String
    var host: String?? = .none
    /// nil for a name unique to the case.
    var name: String?
    var status = 404
  }

  @Test(arguments: [
    FailureCase(
      testDescription: "not found", code: .notFound,
      text:
        "URL/NAME.tflite answered with status 404: the server has no such file. Check the name of "
        + "the model and the address of ModelManager.host or FOVEA_MODEL_HOST."),
    FailureCase(
      testDescription: "forbidden", code: .permissionDenied,
      text:
        "URL/NAME.tflite answered with status 403: the server, or a proxy, does not allow it. Check user name "
        + "and password of the host or proxy, or set another host with ModelManager.host or FOVEA_MODEL_HOST.",
      status: 403),
    FailureCase(
      testDescription: "asked too often", code: .resourceExhausted,
      text:
        "URL/NAME.tflite answered with status 429, and asks to wait for 3600 s. Download it again later, or "
        + "set another host with ModelManager.host or FOVEA_MODEL_HOST.", status: 429),
    FailureCase(
      testDescription: "failing", code: .unavailable,
      text:
        "URL/NAME.tflite answered with status 500, and asks to wait for 3600 s. Download it again later, or "
        + "set another host with ModelManager.host or FOVEA_MODEL_HOST.", status: 500),
    FailureCase(
      testDescription: "no model", code: .modelIncompatible,
      text:
        "The file from URL/NAME.tflite is not a usable model: The file is not a TFLite model: bytes 4 to "
        + "7 must be TFL3, and it has 0 bytes. Publish the .tflite file again and download it again; the installed "
        + "version is kept.", status: 200),
    FailureCase(
      testDescription: "no host", code: .failedPrecondition,
      text: "No model host is set, so the model 'NAME' cannot be downloaded. Set ModelManager.host or "
        + "FOVEA_MODEL_HOST to an address such as https://models.example/folder, file:///folder or a folder that has "
        + "NAME.tflite.", host: .some(nil)),
    FailureCase(
      testDescription: "a hostile name", code: .invalidArgument,
      text:
        "'../../etc/passwd' cannot be a model's name. Use 1 to 64 letters, digits, '.', '_' and '-', a letter or "
        + "digit first and no two dots in a row.", name: "../../etc/passwd"),
  ])
  func `a failure posts an NSError with its code and text`(_ test: FailureCase) async throws {
    let models = try ModelServer { _, _ in
      LoopbackServer.Reply(status: test.status, headers: ["Retry-After": "3600"])
    }
    let name = test.name ?? "failing-\(test.code.rawValue)"
    let posted = PostedDownloads(name, folder: models.folder)
    try await models.use(host: test.host) {
      let progress = manager.download(model(name), conditions: conditions)
      let post = try await posted.wait(for: 1)[0]
      #expect(!post.isSuccess && post.model?.name == name && post.keys.count == 2)
      #expect(post.error?.domain == MLError.errorDomain && post.error?.code == test.code.rawValue)
      let text = post.error?.localizedDescription.replacing(models.server.url, with: "URL")
      #expect(text == test.text.replacing("NAME", with: name))
      #expect(!progress.isFinished && !manager.isModelDownloaded(model(name)))
    }
  }

  @Test func `a deleted model is gone, and the completion is called once`() async throws {
    let models = try ModelServer()
    let model = model("deleted")
    try await models.use {
      try await manager.downloadModel(model)
      #expect(manager.isModelDownloaded(model))
      for isThere in [true, false] {
        let error: (any Error)? = await withCheckedContinuation { continuation in
          manager.deleteDownloadedModel(model) { continuation.resume(returning: $0) }
        }
        #expect((error == nil) == isThere)
        #expect((error as? MLKitError)?.code == (isThere ? nil : .notFound))
        #expect(!manager.isModelDownloaded(model))
      }
      await #expect(throws: MLKitError.self) { try await manager.deleteDownloadedModel(model) }
    }
  }

  @Test func `a damaged model counts as missing, reports it on use, and a download replaces it`()
    async throws
  {
    let models = try ModelServer()
    try await models.use {
      try await manager.downloadModel(model("damaged"))
      let path = try #require(RemoteModels.path(of: "damaged"))
      try Data(ModelServer.detector.dropLast()).write(to: URL(fileURLWithPath: path))
      #expect(!manager.isModelDownloaded(model("damaged")))
      do throws(MLError) {
        _ = try model("damaged").reference.path()
        Issue.record("a damaged model is used")
      } catch {
        #expect(error.code == .dataLoss)
      }
      try await manager.downloadModel(model("damaged"))
      #expect(manager.isModelDownloaded(model("damaged")))
    }
  }

  @Test func `a model that was never downloaded has a remedy`() async throws {
    let models = try ModelServer()
    try await models.use {
      do throws(MLError) {
        _ = try model("never").reference.path()
        Issue.record("found")
      } catch {
        #expect(error.code == .failedPrecondition)
        #expect(error.message == "The remote model 'never' has not been downloaded")
      }
    }
    #expect(models.server.connections == 0)
  }

  @Test func `a folder is a host`() async throws {
    let models = try ModelServer()
    let host = models.folder + "/host"
    try FileManager.default.createDirectory(atPath: host, withIntermediateDirectories: true)
    try Data(ModelServer.classifier).write(to: URL(fileURLWithPath: host + "/local.tflite"))
    try await models.use(host: "file://" + host) {
      try await manager.downloadModel(model("local"))
      let path = try #require(RemoteModels.path(of: "local"))
      #expect(FileManager.default.contents(atPath: path) == Data(ModelServer.classifier))
    }
  }

  @Test func `a downloaded model labels images, and continues after its deletion`() async throws {
    let models = try ModelServer(model: ModelServer.classifier)
    let pixels = [UInt8](repeating: 200, count: 32 * 32 * 3)
    let image = VisionImage(rgb: Data(pixels), width: 32, height: 32)
    try await models.use {
      let labeler = ImageLabeler.imageLabeler(
        options: CustomImageLabelerOptions(remoteModel: model("labels")))
      #expect(throws: MLKitError.self) { try labeler.results(in: image) }
      try await manager.downloadModel(model("labels"))
      let labels = try await labeler.process(image)
      #expect(!labels.isEmpty)
      try await manager.deleteDownloadedModel(model("labels"))
      #expect(try await labeler.process(image).map(\.text) == labels.map(\.text))
      let newer = ImageLabeler.imageLabeler(
        options: CustomImageLabelerOptions(remoteModel: model("labels")))
      await #expect(throws: MLKitError.self) { try await newer.process(image) }
    }
  }

  @Test func `the host of the process can be set and reset`() {
    #expect(ModelManager.host == nil)
    ModelManager.host = "https://models.example"
    #expect(RemoteModels.host == "https://models.example")
    ModelManager.host = nil
    #expect(ModelManager.host == nil)
  }
}
