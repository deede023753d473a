// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaEvaluation
import FoveaTesting
import FoveaTraining
import Testing

@Suite struct LabelEvaluationTests {
  static let right = [
    PredictedPhotos.line("cat/1.jpg", [("cat", 0.9), ("dog", 0.1)]),
    PredictedPhotos.line("cat/2.jpg", [("dog", 0.6), ("cat", 0.4)]),
    PredictedPhotos.line("dog/1.jpg", [("dog", 0.8), ("cat", 0.2)]),
    PredictedPhotos.line("dog/2.jpg", [("dog", 0.7), ("cat", 0.3)]),
  ]

  @Test func `answers are matched by the names of the set, by paths, and by other paths of a file`() throws {
    let photos = try PredictedPhotos()
    let other = photos.folder["set/../set/"]
    let named = try photos.evaluated(Self.right)
    for place in [photos.folder["set/"], other, "./"] {
      let lines = Self.right.map { $0.replacing("\"image\": \"", with: "\"image\": \"\(place)") }
      let evaluated = try photos.evaluated(lines)
      #expect(evaluated.jsonLine == named.jsonLine)
      #expect(evaluated.notes.isEmpty)
    }
    #expect(named.metrics.accuracy == 0.75)
    #expect(named.labels == ["cat", "dog"])
  }

  @Test func `the table has the figures and the classes`() throws {
    let evaluated = try PredictedPhotos().evaluated(Self.right) { $0.threshold = 0.65 }
    #expect(
      evaluated.table(perClass: true) == """
        4 photos of 2 classes, 2 labels, threshold 0.65

        accuracy           0.7500  ± 0.2165
        balanced accuracy  0.7500  mean recall of the classes
        log loss           0.4004
        calibration error  0.3000
        missing                 1  photos without a prediction, counted as wrong

                           mean of classes  all predictions
        precision                   1.0000           1.0000
        recall                      0.7500           0.7500
        F1                          0.8333           0.8571
        average precision           1.0000           0.9500

        class  photos  predictions  precision  recall      F1      AP  confused with
        cat         2            1     1.0000  0.5000  0.6667  1.0000
        dog         2            2     1.0000  1.0000  1.0000  1.0000

        """)
  }

  @Test func `photos without a prediction, predictions without a photo and errors are reported`() throws {
    let lines = [
      PredictedPhotos.line("cat/1.jpg", [("cat", 0.9)]),
      #"{"image": "dog/1.jpg", "error": {"code": "image-truncated", "message": "cut", "remedy": "r"}}"#,
      PredictedPhotos.line("bird/1.jpg", [("bird", 0.9)]),
    ]
    let evaluated = try PredictedPhotos().evaluated(lines)
    #expect(evaluated.metrics.photoCount == 3)
    #expect(evaluated.metrics.missingCount == 2)
    #expect(evaluated.failed.map(\.name) == ["dog/1.jpg"])
    #expect(
      evaluated.notes.map(\.description) == [
        "2 photos have no prediction in the file", "1 prediction for other photos was left out",
        "1 photo has fewer labels than the 2 in total and none with the score 0, so figures that need all"
          + " scores are left out; label again with the threshold 0 (Options.threshold) and 2 labels (Options.maxResults)",
        "never predicted: 'dog'",
      ])
  }

  /// The labels of a photo of a cat in a file with seven labels, and the figures that it leaves.
  struct Cut: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cat: [(String, Double)]
    var isNoted = true
    var hasTopFive = true
    var hasLogLoss = true
    var hasCalibration = true
  }

  static let all = ["cat", "dog", "a", "b", "c", "d", "e"]
  static let cuts = [
    Cut(testDescription: "all scores", cat: all.map { ($0, $0 == "cat" ? 0.7 : 0.05) }, isNoted: false),
    Cut(
      testDescription: "all scores above 0", cat: [("cat", 0.9), ("dog", 0.1), ("a", 0)], isNoted: false),
    Cut(testDescription: "only the right label", cat: [("cat", 0.95)]),
    Cut(testDescription: "only a wrong label", cat: [("dog", 0.95)], hasTopFive: false, hasLogLoss: false),
    Cut(
      testDescription: "a low right label", cat: [("cat", 0.5)], hasLogLoss: false),
    Cut(
      testDescription: "five wrong labels", cat: all.dropFirst().prefix(5).map { ($0, 0.19) },
      hasLogLoss: false),
    Cut(testDescription: "none", cat: [], hasTopFive: false, hasLogLoss: false, hasCalibration: false),
  ]

  @Test(arguments: cuts)
  func `figures that need scores which the file lacks are left out`(_ cut: Cut) throws {
    let photos = try PredictedPhotos(["cat/1.jpg", "dog/1.jpg"])
    let evaluated = try photos.evaluated([
      PredictedPhotos.line("cat/1.jpg", cut.cat),
      PredictedPhotos.line("dog/1.jpg", Self.all.map { ($0, $0 == "dog" ? 0.7 : 0.05) }),
    ])
    let metrics = evaluated.metrics
    #expect(evaluated.labels.count == 7)
    #expect((metrics.topFive != nil) == cut.hasTopFive)
    #expect((metrics.logLoss != nil) == cut.hasLogLoss)
    #expect((metrics.calibrationError != nil) == cut.hasCalibration)
    for precision in [metrics.macro, metrics.micro].map(\.averagePrecision)
      + evaluated.metrics.classes.prefix(2).map(\.averagePrecision)
    {
      #expect((precision == nil) == cut.isNoted)
    }
    let note = """
      1 photo has fewer labels than the 7 in total and none with the score 0, so figures that need all scores are \
      left out; label again with the threshold 0 (Options.threshold) and 7 labels (Options.maxResults)
      """
    #expect(evaluated.notes.map(\.description) == (cut.isNoted ? [note] : []))
    let remark = "needs the five highest scores of each photo"
    #expect(evaluated.table(perClass: false).contains(remark) == !cut.hasTopFive)
  }

  @Test func `a label that is never predicted but nearly matches one is an error that names it`() throws {
    let lines = Self.right.map { $0.replacing("\"cat\"", with: "\"cats\"") }
    let photos = try PredictedPhotos()
    #expect(
      try photos.failure(lines)
        == "evaluation-unknown-label: the label 'cat' of the photos is not among the classifier's 2 labels. "
        + "Did you mean 'cats'? Rename the class, or add a line cat,cats to a file for LabelRenaming")
    let named = Self.right.map { $0.replacing("\"cat\"", with: "\"cat, tabby\"") }
    #expect(
      try photos.failure(named).hasSuffix("add a line cat,\"cat, tabby\" to a file for LabelRenaming"))
    try photos.folder.write("map.csv", "class,label\ncat,cats\nbird,dodo\n")
    let mapped = try photos.evaluated(lines) {
      $0.renaming = try LabelRenaming(path: photos.folder["map.csv"])
    }
    #expect(mapped.metrics.accuracy == 0.75)
  }

  @Test(arguments: [
    (["no JSON"], "evaluation-not-json"),
    ([line("x.jpg", [("cat", 1)])], "evaluation-photos-mismatch"),
    ([line("cat/1.jpg", [("cat", 1)]), line("cat/1.jpg", [("cat", 1)])], "evaluation-invalid-detections"),
    ([line("cat/1.jpg", [("cat", 1.5)])], "evaluation-invalid-detections"),
    ([#"{"image": "cat/1.jpg", "objects": []}"#], "evaluation-invalid-detections"),
    ([#"{"image": "cat/1.jpg", "labels": [{"text": "cat", "score": 1}]}"#], "evaluation-invalid-detections"),
    (
      [#"{"image": "cat/1.jpg", "labels": [{"text": "cat", "confidence": "1"}]}"#],
      "evaluation-invalid-detections"
    ),
    (
      [#"{"image": "cat/1.jpg", "labels": [{"text": "cat", "confidence": null}]}"#],
      "evaluation-invalid-detections"
    ),
  ])
  func `impossible predictions are an error`(_ lines: [String], _ code: String) throws {
    #expect(try PredictedPhotos().failure(lines).hasPrefix(code + ":"))
  }

  static func line(_ photo: String, _ labels: [(String, Double)]) -> String {
    PredictedPhotos.line(photo, labels)
  }

  @Test(arguments: [
    ("cat", "line 1 does not have two names"), ("cat,a,b", "line 1 does not have two names"),
    ("dog,\ncat,b", "line 1 does not have two names"),
    ("class;label\ncat;b", "the columns are separated by semicolons, not by commas"),
    ("cat,a\n\ncat,b", "line 3 assigns a second label to 'cat', 'b' after 'a'"),
  ])
  func `an invalid file of names is an error with its line`(_ text: String, _ message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("map.csv", text)
    let error = #expect(throws: EvaluationError.self) { try LabelRenaming(path: folder["map.csv"]) }
    #expect(error?.code == .invalidMap && error?.message == message)
  }

  @Test func `skipped files among the photos are a note`() throws {
    let names = ["cat/1.jpg", "cat/2.jpg", "cat/notes.txt", "dog/1.jpg", "dog/2.jpg"]
    let notes = try PredictedPhotos(names).evaluated(Self.right).notes.map(\.description)
    #expect(notes.count == 1)
    #expect(notes.first?.hasPrefix("skipped 1 file that is not an image: ") == true)
    #expect(notes.first?.hasSuffix("notes.txt") == true)
  }

  @Test func `only the test photos of a CSV are evaluated, with several labels each`() throws {
    let photos = try PredictedPhotos()
    try photos.folder.write(
      "set/list.csv", "TRAIN,cat/1.jpg,cat\nTEST,cat/2.jpg,cat,pet\nTEST,dog/1.jpg,dog\n")
    let set = try TrainingSet(csv: photos.folder["set/list.csv"])
    let lines = [
      PredictedPhotos.line("cat/2.jpg", [("cat", 0.9), ("pet", 0.8), ("dog", 0.1)]),
      PredictedPhotos.line("dog/1.jpg", [("cat", 0.7), ("dog", 0.6), ("pet", 0.1)]),
    ]
    let evaluated = try photos.evaluated(lines, set: set) { $0.threshold = 0.5 }
    #expect(evaluated.metrics.isMultiLabel)
    #expect(evaluated.metrics.photoCount == 2 && evaluated.metrics.accuracy == 0.5)
    #expect(evaluated.metrics.micro.precision == 0.75 && evaluated.metrics.micro.recall == 1)
    #expect(evaluated.notes.map(\.description) == ["1 photo for training was left out"])
    #expect(!evaluated.table(perClass: true).contains("log loss"))
  }

  @Test func `running a model gives the figures of its answers in a file`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(10, DrawnPhotos.Shape.allCases)
    try photos.draw(4, DrawnPhotos.Shape.allCases, into: "test", from: 100)
    try photos.folder.write("test/disc/broken.png", "no image")
    let trained = try await LabelTrainer(LabelTrainerTests.options()).train(
      TrainingSet(folder: photos.folder["set"]))
    try trained.write(to: photos.folder["model"])
    var options = ImageLabeler.Options()
    options.sessions = 2
    let evaluation = LabelEvaluation(try TrainingSet(folder: photos.folder["test"]))
    var heard: [Int] = []
    let evaluated = try await evaluation.evaluate(.file(photos.folder["model"]), options) { done, _ in
      heard.append(done)
    }
    #expect(heard == Array(1...13))
    #expect(evaluated.metrics.photoCount == 12 && evaluated.metrics.accuracy >= 0.9)
    #expect(abs(evaluated.threshold - trained.figures.threshold) < 1e-6)
    #expect(evaluated.failed.map(\.name) == ["disc/broken.png"])
    let labeler = try await ImageLabeler(model: .file(photos.folder["model"]))
    var selection = ImageLabeler.Selection()
    selection.threshold = 0
    var lines: [String] = []
    for photo in evaluation.photos where photo.name != "disc/broken.png" {
      let labels = try await labeler.analyze(.file(photo.path), selecting: selection).labels
      lines.append(PredictedPhotos.line(photo.path, labels.map { ($0.text ?? "", Double($0.confidence)) }))
    }
    try photos.folder.write("labels.jsonl", lines.joined(separator: "\n"))
    var second = evaluation
    second.threshold = Float(evaluated.threshold)
    let predicted = try second.evaluate(predictions: photos.folder["labels.jsonl"])
    #expect(
      predicted.metrics.photoCount == 13
        && predicted.metrics.missingCount == evaluated.metrics.missingCount + 1)
    #expect(predicted.metrics.micro.precision == evaluated.metrics.micro.precision)
    for (one, other) in zip(evaluated.metrics.classes, predicted.metrics.classes) {
      #expect(one.precision == other.precision && one.answerCount == other.answerCount)
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `a model that names no classes needs a label file`() async throws {
    let photos = try PredictedPhotos()
    let model = SharedData.path("models/classify/tfls_mobilenet_v1_0.25_224_1_default_1.tflite")
    let error = await #expect(throws: FoveaError.self) {
      let set = try TrainingSet(folder: photos.folder["set"])
      _ = try await LabelEvaluation(set).evaluate(.file(model), ImageLabeler.Options())
    }
    #expect(error?.remedy == "The classifier has no class names; set \(term: .option("labels", "FILE"))")
  }

  @Test func `a class that the model lacks is an error before a photo is opened`() async throws {
    let photos = try PredictedPhotos(["Planet/1.jpg", "Food/1.jpg", "other/1.jpg"])
    let error = await #expect(throws: FoveaError.self) {
      let set = try TrainingSet(folder: photos.folder["set"])
      _ = try await LabelEvaluation(set).evaluate(.embedded(.classifier), ImageLabeler.Options())
    }
    #expect(error.map { $0.code == EvaluationCode.unknownLabel } == true)
    #expect(
      error?.message
        == "the labels 'Planet', 'None_of_the_above' of the photos are not among the classifier's 5 labels")
    #expect(error.map { "\($0.remedy)".hasPrefix("Did you mean 'Plant'?") } == true)
  }
}
