// SPDX-License-Identifier: Apache-2.0
#if Server
import AppleShims
import FoveaCompatibility
import FoveaTesting
import FoveaTraining
import MLKit
import MLKitImageLabelingCustom
import MLKitObjectDetectionCustom
import Testing

/// The code of Google's guides with a model host instead of Firebase ML.
@Suite(.onOwnThread, .timeLimit(.minutes(10))) struct HostedModelManagerTests {
  private static let model = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: Device.model))

  private static func image() throws -> VisionImage {
    VisionImage(image: try #require(UIImage(contentsOfFile: PackageRoot.path + "/Examples/photos/cat.jpg")))
  }

  /// The most likely label, by a new labeler.
  private static func label() async throws -> String? {
    let options = CustomImageLabelerOptions(remoteModel: model)
    options.confidenceThreshold = 0
    return try await ImageLabeler.imageLabeler(options: options).process(image()).first?.text
  }

  /// The labels of the most prominent object, by a new detector.
  private static func objectLabels() async throws -> [String] {
    let options = CustomObjectDetectorOptions(remoteModel: model)
    options.shouldEnableClassification = true
    options.classificationConfidenceThreshold = 0
    return try await ObjectDetector.objectDetector(options: options).process(image()).first?.labels
      .map(\.text) ?? []
  }

  @Test func `a labeler and a detector move to the next published model, and back`() async throws {
    let folder = try TemporaryFolder()
    let manager = ModelManager.modelManager()
    try await RunningHost.serving(at: ReservedPort()) { host in
      try await RemoteModels.$setting.withValue(.init(host: host.modelHost, folder: folder.path)) {
        try host.publish(ModelServer.classifier)
        try await manager.downloadModel(Self.model)
        let first = try await (label: Self.label(), object: Self.objectLabels())
        #expect(first.label != nil && first.label != "red" && !first.object.contains("red"))

        try host.publish(ModelServer.model("described_classify"))
        #expect(try await Self.label() == first.label, "nothing moves before a download")
        try await manager.downloadModel(Self.model)
        #expect(try await Self.label() == "red")
        #expect(try await Self.objectLabels().contains("red"))

        try host.rollBack()
        try await manager.downloadModel(Self.model)
        #expect(try await Self.label() == first.label)
        #expect(try await Self.objectLabels() == first.object)
      }
    }
  }

  @Test
  func
    `a model trained on photos is published, and the guide's code labels with it and with its folder`()
    async throws
  {
    var options = LabelTrainer.Options()
    (options.folds, options.strength) = (2, 1e-4)
    let photos = PackageRoot.path + "/Examples/shapes/"
    let trained = try await LabelTrainer(options).train(TrainingSet(folder: photos + "photos"))
    let folder = try TemporaryFolder()
    try trained.write(to: folder["trained"])
    let local = try #require(LocalModel(manifestPath: folder["trained/manifest.json"]))
    let manager = ModelManager.modelManager()
    try await RunningHost.serving(at: ReservedPort()) { host in
      try await RemoteModels.$setting.withValue(.init(host: host.modelHost, folder: folder.path)) {
        try host.publish(trained.model)
        try await manager.downloadModel(Self.model)
        for shape in ["disc", "square", "star"] {
          let image = try #require(UIImage(contentsOfFile: photos + "new/\(shape)/1.jpg"))
          for options in [
            CustomImageLabelerOptions(remoteModel: Self.model),
            CustomImageLabelerOptions(localModel: local),
          ] {
            let labeler = ImageLabeler.imageLabeler(options: options)
            #expect(try await labeler.process(VisionImage(image: image)).first?.text == shape)
          }
        }
      }
    }
  }
}
#endif
