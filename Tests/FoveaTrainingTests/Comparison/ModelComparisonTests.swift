// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaTraining
import Synchronization
import Testing

@Suite struct ModelComparisonTests {
  /// A comparison whose runs are timed only once.
  static func comparison(
    _ first: ModelSource, _ second: ModelSource, truth: ComparisonTruth? = nil
  ) async throws -> ModelComparison {
    var comparison = try ModelComparison(
      try await ComparedModel(first), try await ComparedModel(second), truth: truth)
    comparison.timer.rounds = 1
    comparison.timer.warmUps = 0
    comparison.timer.leastRound = .nanoseconds(1)
    return comparison
  }

  /// A folder with photos of one colour, and a file of text with a photo's name.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    for name in ["a.png", "b.png"] { try folder.write(name, try canvas.encoded(as: .png)) }
    try folder.write("broken.jpg", "no photo")
    return folder
  }

  static func photos(_ folder: TemporaryFolder, _ names: [String]) -> [ComparedPhoto] {
    names.map { ComparedPhoto(path: folder[$0]) }
  }

  @Test func `a classifier agrees with itself on photos of one colour`() async throws {
    let folder = try Self.folder()
    let comparison = try await Self.comparison(.embedded(.classifier), .embedded(.classifier))
    let compared = try await comparison.run(Self.photos(folder, ["a.png", "b.png"]))
    #expect(compared.agreement == 1)
    #expect(compared.photoCount == 2)
    #expect(compared.byteCounts.first == compared.byteCounts.second)
    #expect(compared.times.map { $0.first > .zero && $0.second > .zero } == true)
  }

  @Test func `models and images are compared without the types of this package`() async throws {
    let folder = try Self.folder()
    var comparison = try await ModelComparison(.embedded(.classifier), .embedded(.classifier))
    comparison.timer = try await Self.comparison(.embedded(.classifier), .embedded(.classifier)).timer
    let compared = try await comparison.run([.file(folder["a.png"]), .file(folder["missing.png"])])
    #expect(compared.agreement == 1)
    #expect(compared.errors.map(\.subject) == [folder["missing.png"]])
    #expect(compared.processorTimes != nil && compared.accuracy == nil)
  }

  @Test func `a photo without objects leaves nothing to compare`() async throws {
    let folder = try Self.folder()
    let comparison = try await Self.comparison(.embedded(.detector), .embedded(.detector))
    let compared = try await comparison.run(Self.photos(folder, ["a.png"]))
    #expect(compared.agreement == nil)
    #expect(compared.refusal(of: "b", atLeast: 0, nil) == nil)
    #expect(compared.refusal(of: "b", atLeast: 0.1, nil) != nil)
  }

  @Test(arguments: [["broken.jpg", "a.png"], ["a.png", "missing.png"], ["broken.jpg"]])
  func `photos that cannot be read are named, and the others are compared`(_ names: [String]) async throws {
    let folder = try Self.folder()
    let comparison = try await Self.comparison(.embedded(.classifier), .embedded(.classifier))
    let progress = Mutex<[Int]>([])
    let compared = try await comparison.run(Self.photos(folder, names)) { done in
      progress.withLock { $0.append(done) }
    }
    #expect(compared.failed.map(\.name) == names.filter { $0 != "a.png" }.map { folder[$0] })
    #expect(compared.photoCount == names.count - 1)
    #expect((compared.times == nil) == (names.count == 1))
    #expect(progress.withLock { $0 } == Array(1...names.count))
  }

  @Test func `a cancelled comparison ends after the photo`() async throws {
    let folder = try Self.folder()
    let comparison = try await Self.comparison(.embedded(.classifier), .embedded(.classifier))
    let own = Mutex<Task<FoveaCode?, Never>?>(nil)
    let (start, starting) = AsyncStream<Void>.makeStream()
    let task = Task { () -> FoveaCode? in
      for await _ in start {}
      do {
        _ = try await comparison.run(Self.photos(folder, ["a.png", "b.png"])) { _ in
          own.withLock { $0?.cancel() }
        }
        return nil
      } catch {
        return FoveaError(error).code
      }
    }
    own.withLock { $0 = task }
    starting.finish()
    #expect(await task.value == FoveaCode.cancelled)
  }

  @Test(
    arguments: [
      (
        .detector, .classifier, .tasksDiffer,
        "detects objects, but 'embedded coarse classifier' labels images"
      ),
      (.detector, .localizer, .labelsDiffer, "Only 'embedded detector' has classes"),
    ] as [(EmbeddedModel, EmbeddedModel, FoveaCode, String)])
  func `models of different tasks or classes are refused`(
    _ first: EmbeddedModel, _ second: EmbeddedModel, _ code: FoveaCode, _ part: String
  ) async throws {
    let error = await #expect(throws: FoveaError.self) {
      try await Self.comparison(.embedded(first), .embedded(second))
    }
    #expect(error?.code == code)
    #expect(error?.message.contains(part) == true)
  }

  @Test func `ground truth of another task is refused`() async throws {
    let truth = ComparisonTruth.instances(
      try COCOGroundTruth(
        images: [.init(id: 1, fileName: "a.png")], categories: [.init(id: 1, name: "cat")], annotations: []))
    let error = await #expect(throws: FoveaError.self) {
      try await Self.comparison(.embedded(.classifier), .embedded(.classifier), truth: truth)
    }
    #expect(error?.code == FoveaCode.optionInvalid)
  }

  @Test func `ground truth without any of the photos is an error`() async throws {
    let folder = try Self.folder()
    let truth = ComparisonTruth.instances(
      try COCOGroundTruth(
        images: [.init(id: 1, fileName: "other.png")], categories: [.init(id: 1, name: "person")],
        annotations: []))
    let comparison = try await Self.comparison(.embedded(.detector), .embedded(.detector), truth: truth)
    let error = await #expect(throws: FoveaError.self) {
      try await comparison.run(Self.photos(folder, ["a.png"]))
    }
    #expect(error?.code.rawValue == "evaluation-photos-mismatch")
    #expect(error?.message == "The ground truth does not list the photo '\(folder.path)/a.png'")
  }

  @Test func `ground truth with none of a detector's classes is an error before any run`() async throws {
    let truth = ComparisonTruth.instances(
      try COCOGroundTruth(
        images: [.init(id: 1, fileName: "a.png")],
        categories: ["x", "y", "z", "v"].enumerated().map { .init(id: $0 + 1, name: $1) }, annotations: []))
    let comparison = try await Self.comparison(.embedded(.detector), .embedded(.detector), truth: truth)
    let error = await #expect(throws: FoveaError.self) {
      // A photo that cannot be read would be no error.
      try await comparison.run([ComparedPhoto(path: "/nowhere/a.png")])
    }
    #expect(error?.code.rawValue == "evaluation-unknown-ids")
    #expect(
      error?.message.hasPrefix("None of the classes of ") == true
        && error?.message.hasSuffix(" ground truth; those of the ground truth are 'x', 'y', 'z' and 1 more")
          == true,
      "\(error?.message ?? "no error")")
    #expect("\(try #require(error).remedy)".hasPrefix("Give a label file with the names of the ground truth"))
  }

  @Test(arguments: [("Planet", "Did you mean 'Plant'? "), ("zzzzzzzz", "")])
  func `ground truth with a class that a classifier lacks is an error with a remedy of comparisons`(
    _ name: String, _ question: String
  ) async throws {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    let photos = ["\(name)/a.png", "Food/b.png"]
    for photo in photos { try folder.write(photo, try canvas.encoded(as: .png)) }
    let truth = ComparisonTruth.labels(LabelEvaluation(try TrainingSet(folder: folder.path)))
    let comparison = try await Self.comparison(
      .embedded(.classifier), .embedded(.classifier), truth: truth)
    let error = await #expect(throws: FoveaError.self) {
      try await comparison.run(Self.photos(folder, photos))
    }
    #expect(error?.code.rawValue == "evaluation-unknown-label")
    #expect(
      error?.remedy.description
        == question + "Rename or leave out the class, or leave the ground truth out")
  }

  @Test func `labelled photos give the accuracy of both classifiers`() async throws {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    for name in ["Food/a.png", "Plant/b.png"] { try folder.write(name, try canvas.encoded(as: .png)) }
    let truth = ComparisonTruth.labels(LabelEvaluation(try TrainingSet(folder: folder.path)))
    let comparison = try await Self.comparison(
      .embedded(.classifier), .embedded(.classifier), truth: truth)
    let compared = try await comparison.run(Self.photos(folder, ["Food/a.png", "Plant/b.png"]))
    let accuracy = try #require(compared.accuracy)
    #expect(accuracy.photoCount == 2)
    #expect(accuracy.first == accuracy.second)
    // Both photos are the same, so that at most one label is right.
    #expect([0, 0.5].contains(try #require(accuracy.first)))
  }

  @Test(
    .enabled(if: SharedData.isPresent, "\(SharedData.missing)"),
    arguments: ["coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"])
  func `a file agrees with itself, with the same AP`(_ name: String) async throws {
    let truth = try COCOGroundTruth(path: SharedData.path("coco/instances.json"))
    let names = truth.images.prefix(6).compactMap(\.fileName)
    let model = ModelSource.file(SharedData.path("models/detect/" + name))
    let comparison = try await Self.comparison(model, model, truth: .instances(truth))
    let compared = try await comparison.run(
      names.map { ComparedPhoto(path: SharedData.path("coco/images/" + $0)) })
    #expect(compared.failed.isEmpty)
    #expect(compared.agreement == 1)
    let accuracy = try #require(compared.accuracy)
    #expect(accuracy.photoCount == 6)
    #expect(accuracy.ratio == 1)
    #expect(accuracy.first == accuracy.second && accuracy.kind == .averagePrecision)
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `an int8 classifier is compared with its float model`() async throws {
    func own(_ type: String) -> ModelSource { .file(SharedData.path("models/own/coarse_\(type).tflite")) }
    let comparison = try await Self.comparison(own("fp16"), own("int8"))
    let names = ["mlkit_bird.jpg", "coral_cat_720p.jpg", "coral_hot_dog.jpg", "coral_sunflower.bmp"]
    let compared = try await comparison.run(
      names.map { ComparedPhoto(path: SharedData.path("photos/" + $0)) })
    #expect(compared.photoCount == names.count)
    #expect(try #require(compared.agreement) >= 0.5)
    #expect(compared.byteCounts.first > compared.byteCounts.second)
  }
}
