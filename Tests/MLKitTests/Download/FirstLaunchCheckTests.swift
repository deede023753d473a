// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCompatibility
import FoveaTesting
import MLKit
import MLKitImageLabelingCustom
import Testing

/// The first load of a downloaded version, through ML Kit's names.
@Suite(.onOwnThread, .timeLimit(.minutes(10))) struct FirstLaunchCheckTests {
  private typealias Version = PublishingServer.Version

  private static func label(_ model: CustomRemoteModel) async throws -> [ImageLabel] {
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(remoteModel: model))
    let path = PackageRoot.path + "/Examples/photos/cat.jpg"
    return try await labeler.process(VisionImage(image: try #require(UIImage(contentsOfFile: path))))
  }

  private static func record(_ folder: String) -> String {
    let json = FileManager.default.contents(atPath: folder + "/.hosted/trial-of-mlkit/trial.json")
    return String(decoding: json ?? Data(), as: UTF8.self)
  }

  @Test func `a version that ended the process twice is rolled back`() async throws {
    let first = Version(1, ModelServer.classifier)
    let second = Version(2, ModelServer.classifier + [UInt8](repeating: 0, count: 16))
    let host = try PublishingServer(first)
    let folder = try TemporaryFolder()
    let model = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "trial-of-mlkit"))
    let manager = ModelManager.modelManager()
    try await RemoteModels.$setting.withValue(.init(host: host.address, folder: folder.path)) {
      try await manager.downloadModel(model)
      _ = try await Self.label(model)
      #expect(Self.record(folder.path).contains(first.sha256), "it was loaded")
      host.with { $0.stable = second }
      try await manager.downloadModel(model)
      #expect(try RemoteModels.model(named: model.name)?.sha256 == second.sha256)
      // The state after two starts that end in the first load.
      let entered = Self.record(folder.path).replacing(
        "\"layout\"", with: "\"entry\" : {\"sha256\" : \"\(second.sha256)\", \"starts\" : 2}, \"layout\"")
      try Data(entered.utf8).write(to: URL(fileURLWithPath: folder[".hosted/trial-of-mlkit/trial.json"]))
      _ = try await Self.label(model)
      #expect(try RemoteModels.model(named: model.name)?.sha256 == first.sha256)
      try await manager.downloadModel(model)
      #expect(try RemoteModels.model(named: model.name)?.sha256 == first.sha256)
    }
    #expect(host.with { $0.reports }.contains { $0.contains("left") })
  }
}
