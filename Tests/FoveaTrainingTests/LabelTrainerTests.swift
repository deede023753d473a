// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaCore
import FoveaTesting
import FoveaTraining
import Testing

@Suite struct LabelTrainerTests {
  /// Options with which a few drawn photos are learned in a moment: few folds, and no search for the
  /// strength.
  static func options(_ change: (inout LabelTrainer.Options) -> Void = { _ in }) -> LabelTrainer.Options {
    var options = LabelTrainer.Options()
    options.folds = 2
    options.strength = 1e-3
    options.jobs = 1
    change(&options)
    return options
  }

  @Test func `drawn shapes are learned, and the written folder labels new ones`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(10, DrawnPhotos.Shape.allCases)
    try photos.draw(2, DrawnPhotos.Shape.allCases, into: "new", from: 100)
    let set = try TrainingSet(folder: photos.folder["set"])
    var stages: [TrainingProgress.Stage] = []
    let trained = try await LabelTrainer(Self.options { $0.name = "shapes" }).train(set) { progress in
      if stages.last != progress.stage { stages.append(progress.stage) }
    }
    #expect(stages == [.embedding, .learning])
    #expect(trained.labels == ["disc", "square", "stripes"])
    #expect(trained.figures.photoCount == 30 && trained.figures.accuracy >= 0.9)
    let folder = photos.folder["model"]
    try trained.write(to: folder)
    #expect(
      try TemporaryFolder.names(in: folder) == ["dict.txt", "manifest.json", "model.tflite", "training.json"])
    var labeling = ImageLabeler.Options()
    labeling.threshold = 0
    let labeler = try await ImageLabeler(model: .file(folder), options: labeling)
    for shape in DrawnPhotos.Shape.allCases {
      let labels = try await labeler.labels(in: .file(photos.folder["new/\(shape.rawValue)/100.png"]))
      #expect(labels.first?.text == shape.rawValue)
    }
    // Only the file states its threshold.
    let usual = try await ImageLabeler(model: .file(folder + "/model.tflite"))
    let found = try await usual.labels(in: .file(photos.folder["new/disc/101.png"]))
    #expect(found.allSatisfy { Double($0.confidence) >= trained.figures.threshold - 1e-6 })
  }

  @Test(arguments: [nil, 0.999, 1] as [Double?])
  func `a quantised head answers at any threshold`(_ wanted: Double?) async throws {
    let photos = try DrawnPhotos()
    try photos.draw(8, [.disc, .stripes])
    let set = try TrainingSet(folder: photos.folder["set"])
    let trained = try await LabelTrainer(Self.options { $0.threshold = wanted }).train(set)
    #expect(trained.figures.threshold == wanted.map { min($0, 255.0 / 256) } ?? trained.figures.threshold)
    #expect(trained.figures.threshold < 0.999)
    #expect(trained.notes.contains { "\($0)".contains("Options.head = .float has") } == (wanted != nil))
    try trained.write(to: photos.folder["model"])
    let labeler = try await ImageLabeler(model: .file(photos.folder["model"]))
    var count = 0
    for number in 0..<8 {
      count += try await labeler.labels(in: .file(photos.folder["set/disc/\(number).png"])).count
    }
    #expect(count > 0)
    let float = Self.options { ($0.threshold, $0.head) = (wanted, .float) }
    #expect(try await LabelTrainer(float).train(set).figures.threshold == wanted ?? trained.figures.threshold)
  }

  @Test(
    arguments: [
      (nil, "Apache-2.0"), ("Apache-2.0", "Apache-2.0"),
      ("MIT", "MIT. Made from embedded-classifier 1.0.0: Apache-2.0"),
    ] as [(String?, String)])
  func `a model names the backbone, its version and its licence`(_ own: String?, _ licence: String)
    async throws
  {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    let trained = try await LabelTrainer(Self.options { $0.licence = own }).train(
      try TrainingSet(folder: photos.folder["set"]))
    try trained.write(to: photos.folder["model"])
    let metadata = try #require(
      try ModelInspection(of: .file(photos.folder["model/model.tflite"])).metadata)
    #expect(metadata.license == licence)
    #expect(metadata.description == "Classifier of 2 classes on embedded-classifier 1.0.0")
    let record = try photos.folder.read("model/training.json")
    #expect(
      record.contains(#""name": "embedded-classifier", "version": "1.0.0", "licence": "Apache-2.0""#),
      "\(record)")
  }

  @Test func `the bytes are the same for any number of jobs, and with cached embeddings`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    let set = try TrainingSet(folder: photos.folder["set"])
    let first = try await LabelTrainer(Self.options()).train(set)
    let cache = photos.folder["cache"]
    for jobs in [4, 2] {
      let again = try await LabelTrainer(
        Self.options {
          $0.jobs = jobs
          $0.cacheFolder = cache
        }
      ).train(set)
      #expect(again.model == first.model)
    }
  }

  @Test func `mirrored photos are used for training, and never for evaluation`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(6)
    let set = try TrainingSet(folder: photos.folder["set"])
    let cache = photos.folder["cache"]
    let options = Self.options {
      $0.learnsMirrored = true
      $0.cacheFolder = cache
    }
    var heard: [Int] = []
    let first = try await LabelTrainer(options).train(set) { progress in
      if progress.stage == .embedding { heard.append(progress.done) }
    }
    #expect(heard == Array(1...24))
    #expect(first.figures.photoCount == 12)
    #expect(try TemporaryFolder.names(in: cache).filter { $0.hasSuffix(".embeddings") }.count == 2)
    let second = try await LabelTrainer(options).train(set)
    #expect(second.model == first.model)
    let plain = try await LabelTrainer(Self.options()).train(set)
    #expect(plain.model != first.model && plain.figures != first.figures)
  }

  @Test(arguments: [0, 3, 7]) func `a cancelled training continues where it ended`(count: Int)
    async throws
  {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    let set = try TrainingSet(folder: photos.folder["set"])
    let options = Self.options { $0.cacheFolder = photos.folder["cache"] }
    let work = Task { () -> Result<TrainedLabels, FoveaError> in
      do throws(FoveaError) {
        return .success(
          try await LabelTrainer(options).train(set) { progress in
            // SAFETY: the task is not stored.
            if progress.done >= count { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
          })
      } catch {
        return .failure(error)
      }
    }
    guard case .failure(let error) = await work.value else {
      Issue.record("it was not cancelled")
      return
    }
    #expect(error.code == .cancelled)
    let trained = try await LabelTrainer(options).train(set)
    #expect(trained.model == (try await LabelTrainer(Self.options()).train(set)).model)
  }

  @Test func `a training cancelled while it learns ends there`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    let set = try TrainingSet(folder: photos.folder["set"])
    let options = Self.options { $0.jobs = 2 }
    let work = Task { () -> FoveaError? in
      do throws(FoveaError) {
        _ = try await LabelTrainer(options).train(set) { progress in
          // SAFETY: the task is not stored.
          if progress.stage == .learning { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(await work.value?.code == .cancelled)
  }

  @Test func `a broken photo is left out, or an error on request`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    try photos.folder.write("set/disc/broken.png", "no image")
    let set = try TrainingSet(folder: photos.folder["set"])
    let trained = try await LabelTrainer(Self.options()).train(set)
    #expect(trained.failed.map(\.name) == ["disc/broken.png"])
    #expect(trained.figures.photoCount == 8)
    await #expect(throws: FoveaError.self) {
      try await LabelTrainer(Self.options { $0.isStrict = true }).train(set)
    }
  }

  @Test func `if no photo of a class can be opened, the error has the reason`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    for number in 1...3 { try photos.folder.write("set/star/\(number).png", "no image") }
    let set = try TrainingSet(folder: photos.folder["set"])
    let error = await #expect(throws: FoveaError.self) { try await LabelTrainer(Self.options()).train(set) }
    #expect(
      error?.message.hasPrefix(
        "these classes have fewer than 2 photos: star 0; 3 photos could not be opened, such as 'star/1.png': "
      )
        == true, "\(String(describing: error))")
  }

  @Test func `a model no better than the largest class is noted`() async throws {
    let photos = try DrawnPhotos()
    for number in 1...8 {
      // The drawing does not depend on the class.
      try photos.draw(
        number % 4 < 2 ? .disc : .square, number, at: "set/\(number % 2 == 0 ? "even" : "odd")/\(number).png")
    }
    let trained = try await LabelTrainer(Self.options()).train(TrainingSet(folder: photos.folder["set"]))
    #expect(
      trained.notes.contains { $0.description.hasPrefix("predictions are hardly better than always naming") })
  }

  @Test func `a photo over the limits is left out`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    let set = try TrainingSet(folder: photos.folder["set"])
    await #expect(throws: FoveaError.self) {
      try await LabelTrainer(Self.options { $0.imageLimits.maxPixels = 96 * 96 - 1 }).train(set)
    }
    try photos.folder.write("set/disc/movie.jpg", "\u{0}\u{0}\u{0}\u{18}ftypmp42")
    let trained = try await LabelTrainer(Self.options { $0.imageLimits.maxPixels = 96 * 96 }).train(
      TrainingSet(folder: photos.folder["set"]))
    #expect(trained.failed.map(\.name) == ["disc/movie.jpg"] && trained.figures.photoCount == 8)
  }

  @Test func `the same photo in two classes is listed, or an error on request`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    try photos.draw(.disc, 1, at: "set/square/9.png")
    let set = try TrainingSet(folder: photos.folder["set"])
    let trained = try await LabelTrainer(Self.options()).train(set)
    let groups = trained.findings.repeated.map { $0.map { trained.findings.judged.photos[$0].name } }
    #expect(groups == [["disc/1.png", "square/9.png"]] && trained.figures.photoCount == 9)
    let error = await #expect(throws: FoveaError.self) {
      try await LabelTrainer(Self.options { $0.isStrict = true }).train(set)
    }
    #expect(error?.code.rawValue == "training-set-invalid")
    #expect(
      error?.message == "'disc/1.png' and 'square/9.png' are the same photo with different labels")
    let alike = try DrawnPhotos()
    try alike.draw(4)
    try alike.draw(.disc, 1, at: "set/disc/9.png")
    _ = try await LabelTrainer(Self.options { $0.isStrict = true }).train(
      TrainingSet(folder: alike.folder["set"]))
  }

  /// Sets that cannot be learned from.
  struct Bad: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String]
    var code: String
    var problem: String
    var testDescription: String { name }
  }

  static let bad = [
    Bad(name: "one class", files: ["a/1", "a/2"], code: "training-set-invalid", problem: "1 class (a 2)"),
    Bad(
      name: "a class of one photo", files: ["a/1", "a/2", "b/3"], code: "training-set-invalid", problem: "b 1"
    ),
    Bad(
      name: "copies alone", files: ["a/1", "a/1 copy", "b/2", "b/3"], code: "nothing-to-learn",
      problem: "not copies of one another"),
    Bad(
      name: "the same photos in two classes", files: ["a/1", "a/2", "b/1", "b/2"], code: "nothing-to-learn",
      problem: "not copies of another class's"),
  ]

  @Test(arguments: bad) func `a folder that cannot be learned from is an error`(row: Bad) async throws {
    let photos = try DrawnPhotos()
    for file in row.files {
      let number = Int(file.split(separator: "/")[1].prefix(1)) ?? 0
      try photos.draw(.disc, number, at: "set/\(file).png")
    }
    let set = try TrainingSet(folder: photos.folder["set"])
    do {
      _ = try await LabelTrainer(Self.options()).train(set)
      Issue.record("it was used for training")
    } catch {
      #expect(error.code.rawValue == row.code)
      #expect(error.message.contains(row.problem), "\(error)")
    }
  }

  @Test func `test photos are evaluated, and copies of training photos are left out`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4)
    try photos.draw(3, into: "test", from: 3)
    let trained = try await LabelTrainer(Self.options()).train(
      TrainingSet(folder: photos.folder["set"]), test: TrainingSet(folder: photos.folder["test"]))
    #expect(trained.testFigures?.photoCount == 4)
    let known = trained.findings.knownTestPhotos
    #expect(
      known.map { [$0.test.name, $0.learned.name] } == [
        ["disc/3.png", "disc/3.png"], ["square/3.png", "square/3.png"],
      ])
    #expect(known.allSatisfy { $0.test.isTest && !$0.learned.isTest })
    #expect(
      trained.notes.map(\.description).contains(
        "2 test photos are also for training and not evaluated, such as 'disc/3.png'"))
  }

  @Test func `an unknown test class is an error with the nearest name`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(2)
    try photos.draw(.disc, 1, at: "test/discs/1.png")
    let learned = try TrainingSet(folder: photos.folder["set"])
    let test = try TrainingSet(folder: photos.folder["test"])
    do throws(FoveaError) {
      _ = try await LabelTrainer(Self.options()).train(learned, test: test)
      Issue.record("it was accepted")
    } catch {
      #expect(error.remedy.description.contains("'disc'"), "\(error)")
    }
  }

  @Test func `several labels become a score for each`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(4, DrawnPhotos.Shape.allCases)
    let lines = (0..<4).flatMap {
      ["set/disc/\($0).png,round,filled", "set/square/\($0).png,filled", "set/stripes/\($0).png,lines"]
    }
    try photos.folder.write("list.csv", lines.joined(separator: "\n"))
    let trained = try await LabelTrainer(Self.options()).train(TrainingSet(csv: photos.folder["list.csv"]))
    #expect(trained.labels == ["filled", "lines", "round"])
    try trained.write(to: photos.folder["model"])
    let labeler = try await ImageLabeler(model: .file(photos.folder["model"]))
    let labels = try await labeler.labels(in: .file(photos.folder["set/disc/1.png"]))
    #expect(Set(labels.compactMap(\.text)).isSuperset(of: ["filled", "round"]))
  }

  @Test func `mirrored photos with several labels are used for training, and never for evaluation`()
    async throws
  {
    let photos = try DrawnPhotos()
    try photos.draw(4, DrawnPhotos.Shape.allCases)
    let lines = (0..<4).flatMap {
      ["set/disc/\($0).png,round,filled", "set/square/\($0).png,filled", "set/stripes/\($0).png,lines"]
    }
    try photos.folder.write("list.csv", lines.joined(separator: "\n"))
    let set = try TrainingSet(csv: photos.folder["list.csv"])
    var heard: [Int] = []
    let trained = try await LabelTrainer(Self.options { $0.learnsMirrored = true }).train(set) { progress in
      if progress.stage == .embedding { heard.append(progress.done) }
    }
    #expect(heard == Array(1...24))
    #expect(trained.figures.photoCount == 12 && trained.figures.accuracy >= 0.75)
    let plain = try await LabelTrainer(Self.options()).train(set)
    #expect(plain.model != trained.model && plain.figures != trained.figures)
    try trained.write(to: photos.folder["model"])
    let labeler = try await ImageLabeler(model: .file(photos.folder["model"]))
    let labels = try await labeler.labels(in: .file(photos.folder["set/disc/1.png"]))
    #expect(Set(labels.compactMap(\.text)).isSuperset(of: ["filled", "round"]))
  }

  @Test func `backbones under comparison count as one unit of work`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(3)
    var second = Backbone.embedded
    second.name = "again"
    let backbones = [Backbone.embedded, second]
    var heard: [TrainingProgress] = []
    _ = try await LabelTrainer(Self.options { $0.backbones = backbones }).train(
      TrainingSet(folder: photos.folder["set"])
    ) { progress in
      if case .trying = progress.stage { heard.append(progress) }
    }
    #expect(heard.map(\.done) == Array(1...12) && heard.allSatisfy { $0.total == 12 })
    #expect(heard.map(\.stage).last == .trying(backbone: "again"))
  }

  @Test(arguments: LabelTrainer.Options.Head.allCases) func `each form of head gives a usable model`(
    head: LabelTrainer.Options.Head
  ) async throws {
    let photos = try DrawnPhotos()
    try photos.draw(5)
    let trained = try await LabelTrainer(Self.options { $0.head = head }).train(
      TrainingSet(folder: photos.folder["set"]))
    try trained.write(to: photos.folder["model"])
    let labeler = try await ImageLabeler(model: .file(photos.folder["model"]))
    #expect(try await labeler.labels(in: .file(photos.folder["set/square/2.png"])).first?.text == "square")
  }

  /// Options out of range.
  static let wrong: [(name: String, change: @Sendable (inout LabelTrainer.Options) -> Void)] = [
    ("one fold", { $0.folds = 1 }), ("51 folds", { $0.folds = 51 }), ("no strength", { $0.strength = 0 }),
    ("a strength that is none", { $0.strength = .nan }), ("a threshold above 1", { $0.threshold = 1.1 }),
    ("a precision of 0", { $0.precision = 0 }), ("no jobs", { $0.jobs = 0 }),
    ("both thresholds", { ($0.threshold, $0.precision) = (0.5, 0.9) }),
  ]

  @Test(arguments: wrong.indices) func `an option out of range is an error before anything is read`(
    index: Int
  ) async throws {
    let photos = try DrawnPhotos()
    for file in ["a/1.jpg", "b/1.jpg"] { try photos.folder.write("set/\(file)", "no image") }
    let set = try TrainingSet(folder: photos.folder["set"])
    do {
      _ = try await LabelTrainer(Self.options(Self.wrong[index].change)).train(set)
      Issue.record("it was taken: \(Self.wrong[index].name)")
    } catch {
      #expect(error.code == .optionInvalid, "\(error)")
    }
  }

  @Test func `a folder with other content is left alone`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(2)
    let trained = try await LabelTrainer(Self.options()).train(TrainingSet(folder: photos.folder["set"]))
    try trained.write(to: photos.folder["model"])
    #expect(throws: FoveaError.self) { try trained.write(to: photos.folder["model"]) }
    try trained.write(to: photos.folder["model"], replacing: true)
    try photos.folder.write("own/diary.txt", "x")
    #expect(throws: FoveaError.self) { try trained.write(to: photos.folder["own"], replacing: true) }
    #expect(try photos.folder.read("own/diary.txt") == "x")
  }
}

extension TemporaryFolder {
  /// The names in any folder.
  static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
