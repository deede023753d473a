// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTesting
import FoveaTraining
import Testing

@Suite struct ObjectTrainerTests {
  static func options(_ change: (inout ObjectTrainer.Options) -> Void = { _ in }) -> ObjectTrainer.Options {
    var options = ObjectTrainer.Options()
    options.classifier = LabelTrainerTests.options()
    options.maxObjects = 3
    change(&options)
    return options
  }

  /// This many discs and squares with their boxes.
  static func drawn(_ count: Int) throws -> (photos: DrawnPhotos, set: ObjectSet) {
    let photos = try DrawnPhotos()
    try photos.draw(count)
    try photos.writeInstances(count)
    return (photos, try ObjectSet(instances: photos.folder["instances.json"], images: photos.folder["set"]))
  }

  @Test func `boxes get the learned names, and scores that are products`() async throws {
    let (photos, set) = try Self.drawn(8)
    var stages: [TrainingProgress.Stage] = []
    let trained = try await ObjectTrainer(Self.options()).train(set) { progress in
      if stages.last != progress.stage { stages.append(progress.stage) }
    }
    #expect(stages == [.detecting, .embedding, .learning])
    #expect(trained.figures.imageCount == 16 && trained.figures.objectCount == 16)
    #expect(trained.classifier.labels.prefix(2) == ["disc", "square"])
    #expect(trained.classifier.figures.accuracy > 0.7)
    let page = trained.page(title: "shapes", command: "fovea train objects") { _ in nil }
    let parts = try ReportParts(String(decoding: page, as: UTF8.self))
    #expect(parts.data["outOfFold"]?["objects"]?.digits == "16")
    #expect(parts.data["classifier"]?["classes"]?.elements?.count == trained.classifier.labels.count)
    #expect(parts.text.contains("<p>A photo on this page is the crop of one box.</p>"))
    #expect(parts.text.contains("<dt>crops</dt>") && !parts.page.contains("{{"))
    let folder = photos.folder["model"]
    try trained.write(to: folder)
    #expect(
      try TemporaryFolder.names(in: folder) == ["dict.txt", "manifest.json", "model.tflite", "training.json"])
    try photos.draw(1, from: 100)
    for shape in ["disc", "square"] {
      try await Self.checkProducts(of: photos.folder["set/\(shape)/100.png"], folder)
    }
  }

  /// Each object is a box of the detector with the most likely label of its crop.
  static func checkProducts(of photo: String, _ model: String) async throws {
    var options = ObjectDetector.Options()
    options.threshold = 0.02
    options.maxObjects = 20
    options.classifier = .none
    let boxes = try await ObjectDetector(model: .embedded(.localizer), options: options)
      .detect(in: .file(photo))
    options.classifier = .relabeling(.file(model))
    let detector = try await ObjectDetector(options: options)
    let objects = try await detector.detect(in: .file(photo))
    #expect(!objects.isEmpty && objects.count <= boxes.count)
    #expect(objects.map(\.score) == objects.map(\.score).sorted(by: >))
    for object in objects {
      let box = try #require(boxes.first { $0.box == object.box })
      let label = try #require(object.labels.first)
      #expect(object.labels.count == 1 && ["disc", "square"].contains(label.text))
      #expect(abs(object.score - box.score * label.confidence) < 1e-6 && object.score >= 0.02)
    }
    #expect(try await detector.classNames().prefix(2) == ["disc", "square"])
  }

  @Test func `forbidden labels, and more than one label, are left out`() async throws {
    let (photos, set) = try Self.drawn(4)
    try await ObjectTrainer(Self.options()).train(set).write(to: photos.folder["model"])
    var options = ObjectDetector.Options()
    options.threshold = 0
    options.classifier = .relabeling(.file(photos.folder["model"]))
    options.deniedLabels = ["square"]
    let detector = try await ObjectDetector(options: options)
    for number in 0..<4 {
      let objects = try await detector.detect(in: .file(photos.folder["set/square/\(number).png"]))
      #expect(objects.allSatisfy { $0.labels.map(\.text) == ["disc"] })
    }
    var selection = ObjectDetector.Selection()
    selection.allowedLabels = ["zebra"]
    await #expect(throws: FoveaError.self) {
      try await detector.analyze(.file(photos.folder["set/disc/0.png"]), selecting: selection)
    }
  }

  @Test func `the bytes are the same for any number of jobs, and with cached embeddings`() async throws {
    let (photos, set) = try Self.drawn(3)
    let first = try await ObjectTrainer(Self.options()).train(set)
    for jobs in [4, 2] {
      let again = try await ObjectTrainer(
        Self.options {
          $0.classifier.jobs = jobs
          $0.classifier.cacheFolder = photos.folder["cache"]
        }
      ).train(set)
      #expect(again.classifier.model == first.classifier.model && again.figures == first.figures)
    }
  }

  @Test func `test images are evaluated, and copies of training images are not`() async throws {
    let (photos, set) = try Self.drawn(4)
    try photos.draw(2, into: "test", from: 50)
    try photos.writeInstances(2, from: 50, to: "test.json")
    let test = try ObjectSet(instances: photos.folder["test.json"], images: photos.folder["test"])
    let judged = try #require(try await ObjectTrainer(Self.options()).train(set, test: test).testFigures)
    #expect(judged.imageCount == 4 && judged.objectCount == 4)
    let same = try #require(try await ObjectTrainer(Self.options()).train(set, test: set).testFigures)
    #expect(same.imageCount == 0 && same.averagePrecision50 == nil)
  }

  @Test func `a broken image is left out, or an error on request`() async throws {
    let (photos, _) = try Self.drawn(4)
    try photos.folder.write("set/disc/0.png", "no image")
    let set = try ObjectSet(instances: photos.folder["instances.json"], images: photos.folder["set"])
    let trained = try await ObjectTrainer(Self.options()).train(set)
    #expect(trained.failed.map(\.name) == ["disc/0.png"])
    #expect(trained.figures.imageCount == 7)
    await #expect(throws: FoveaError.self) {
      try await ObjectTrainer(Self.options { $0.classifier.isStrict = true }).train(set)
    }
  }

  @Test func `a class in only one image is an error that names it`() async throws {
    let (_, set) = try Self.drawn(1)
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectTrainer(Self.options()).train(set)
    }
    #expect(error?.code.rawValue == "training-set-invalid")
    #expect(error?.message == "these classes have boxes in fewer than 2 images: disc 1, square 1")
  }

  @Test(arguments: [
    ObjectTrainerTests.options { $0.maxObjects = 0 },
    ObjectTrainerTests.options { $0.classifier.isMultiLabel = true },
    ObjectTrainerTests.options { $0.classifier.folds = 1 },
  ])
  func `an option out of range is an error`(_ options: ObjectTrainer.Options) async throws {
    let (_, set) = try Self.drawn(2)
    let error = await #expect(throws: FoveaError.self) { try await ObjectTrainer(options).train(set) }
    #expect(error?.code == .optionInvalid)
  }
}
