// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaTesting
import Logging
import Testing

@testable import FoveaInference

@Suite struct ModelSettingsTests {
  private static func load(_ family: String?) async throws -> String? {
    let file = PackageRoot.path + "/Tests/Fixtures/models/described_detect.tflite"
    var entry = ModelEntry(name: "m", source: .file(file))
    if let family { entry.settings = try ModelSettings(["family": .text(family)]) }
    return try await load(entry)?.family
  }

  private static func load(_ entry: ModelEntry) async throws -> ServedModelFacts? {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return try await InferenceService([entry], options: InferenceOptions(), logger: logger)
      .registry.models.first
  }

  /// A classifier with three classes, whose input may be an image or a sound.
  static func doubtful() -> [UInt8] {
    var model = TestModel(
      tensors: [
        [1, 49, 10, 1], .init(shape: [3, 3, 3, 1], buffer: 1), .init(shape: [3], buffer: 2),
      ], inputs: [0], buffers: [[], [UInt8](repeating: 0, count: 4 * 27), [UInt8](repeating: 0, count: 12)])
    let seen = model.append(
      3, [0, 1, 2], makes: [1, 49, 10, 3], options: [0: 0, 1: 1, 2: 1, 4: 1, 5: 1])
    let mean = model.append(
      1, [seen], makes: [1, 1, 1, 3], options: [0: 1, 1: 1, 2: 1, 3: 10, 4: 49])
    model.graphs[0].outputs = [model.append(14, [mean], makes: [1, 1, 1, 3])]
    return model.bytes()
  }

  @Test func `a classifier that a normalisation shows to be one of images labels them`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var entry = ModelEntry(name: "m", source: .file(try folder.write("m.tflite", Self.doubtful())))
    let refused = entry
    let error = await #expect(throws: FoveaError.self) { try await Self.load(refused) }
    #expect(error?.message.contains("which does not appear to be an image") == true)
    entry.settings = try ModelSettings(["normalize": .text("127.5,127.5")])
    let model = try #require(try await Self.load(entry))
    #expect(model.task == .label && model.family == "classifier")
  }

  @Test func `a given family is used, and one that does not fit is an error`() async throws {
    #expect(try await Self.load(nil) == "yolov8")
    #expect(try await Self.load("yolo11") == "yolov8")
    await #expect(throws: FoveaError.self) { try await Self.load("ssd-postprocess") }
  }

  @Test(arguments: [
    (
      "'/srv/m.tflite' returned class 0, which is the background 'bg' in '/srv/l.txt'",
      "'m' returned class 0, which is the background 'bg' in the label file"
    ),
    ("'m' has 3 classes, but /srv/l.txt has 1 label", "'m' has 3 classes, but the label file has 1 label"),
    (
      "A locale was set, but the label file '/srv/l.txt' has none",
      "A locale was set, but the label file has none"
    ),
    ("There is no file or folder '/srv/l.txt'", "There is no such label file"),
    ("There is no file or folder '/srv/m.tflite'", "There is no file of the model 'm'"),
    ("'/srv/m.tflite/info.json' is empty", "'m/info.json' is empty"), ("", ""),
  ])
  func `errors print a label file without quotes`(_ text: String, _ shown: String) throws {
    var entry = ModelEntry(name: "m", source: .file("/srv/m.tflite"))
    entry.settings = try ModelSettings(["labels": .text("/srv/l.txt")])
    #expect(ModelTexts(entry).concealed(text) == shown)
  }

  @Test(arguments: [
    (
      "e", "list", "'e' has 3 classes, but list has 1 label",
      "'m' has 3 classes, but the label file has 1 label"
    ),
    ("e", "el", "There is no file or folder 'e', else e.", "There is no file of the model 'm', else m."),
    ("model", "file", "There is no file or folder 'file'", "There is no such label file"),
    ("m", "the", "'m' and 'the' are models", "'m' and the label file are models"),
    ("label", "", "'label' has a label-file of labels", "'m' has a label-file of labels"),
  ])
  func `a short file name is replaced only as a word, and once`(
    file: String, labels: String, text: String, shown: String
  ) throws {
    var entry = ModelEntry(name: "m", source: .file(file))
    if !labels.isEmpty { entry.settings = try ModelSettings(["labels": .text(labels)]) }
    #expect(ModelTexts(entry).concealed(text) == shown)
  }

  @Test func `a family only applies to detectors`() throws {
    let settings = try ModelSettings(["family": .text("yolo11"), "max-labels": .number(3)])
    let options = try settings.detector(sessions: 2)
    #expect(options.family?.name == "yolov8" && options.sessions == 2 && options.threads == 1)
    #expect(settings.sessions == nil && options.maxLabels == 3 && !options.needsMaxLabels)
    let error = #expect(throws: FoveaError.self) { try settings.labeler(sessions: 1) }
    #expect(error?.message.contains("'family' applies to detectors") == true)
  }

  @Test func `settings of all models reach a segmenter and an embedder`() throws {
    var settings = try ModelSettings([
      "normalize": .text("0,255"), "exact": .flag(true), "decode": .text("full"), "threads": .number(3),
    ])
    let embedder = try settings.embedder(sessions: 2)
    #expect(embedder.normalization == Normalization(mean: [0], standardDeviation: [255]))
    #expect(embedder.exactArithmetic && !embedder.reducedSizeDecoding)
    #expect(embedder.sessions == 2 && embedder.threads == 3)
    try settings.options.set(try #require(NamedOption.named("family")), to: .text("mask"))
    let segmenter = try settings.segmenter(sessions: 2)
    #expect(segmenter.normalization == embedder.normalization && segmenter.family == .mask)
    #expect(segmenter.exactArithmetic && !segmenter.reducedSizeDecoding)
    #expect(segmenter.sessions == 2 && segmenter.threads == 3)
    #expect(try ModelSettings().embedder(sessions: 1).threads == 1)
  }

  @Test(arguments: [
    ("threshold", "0.5", true, true), ("max-labels", "3", true, true), ("family", "yolo11", true, true),
    ("no-classify", "true", true, true), ("labels", "l.txt", false, true), ("locale", "en", false, true),
    ("exact", "true", false, false),
  ])
  func `a setting that does not apply to a segmenter or an embedder is an error`(
    name: String, value: String, isSegmentersError: Bool, isEmbeddersError: Bool
  ) throws {
    var settings = ModelSettings()
    try settings.options.set(try #require(NamedOption.named(name)), to: .text(value))
    let shown = name == "no-classify" ? "classifier" : name
    func message(_ body: () throws(FoveaError) -> Void) -> String? {
      do throws(FoveaError) { try body() } catch { return error.message }
      return nil
    }
    let segmenter = message { () throws(FoveaError) in _ = try settings.segmenter(sessions: 1) }
    let embedder = message { () throws(FoveaError) in _ = try settings.embedder(sessions: 1) }
    let start = "'\(shown)' does not apply to a model that "
    let segmentersError =
      name == "family"
      ? "The family 'yolov8' is not one of a segmenter" : start + "finds classes of pixels"
    #expect(segmenter == (isSegmentersError ? segmentersError : nil))
    #expect(embedder == (isEmbeddersError ? start + "computes features" : nil))
  }

  private static func fixture(_ name: String) -> ModelEntry.Source {
    .file(PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite")
  }

  /// A model, the setting, and the task and family that result.
  private static let tasks:
    [(source: ModelEntry.Source, task: ServedTask?, found: ServedTask, family: String)] = [
      (fixture("described_detect"), nil, .detect, "yolov8"),
      (fixture("logits_softmax"), nil, .label, "classifier"),
      (fixture("map_scores"), nil, .segment, "segmentation"),
      (fixture("map_probability"), nil, .segment, "segmentation"),
      (fixture("map_scores"), .segment, .segment, "segmentation"),
      (fixture("embedding"), nil, .embed, "embedding"), (fixture("embedding"), .embed, .embed, "embedding"),
      (.embedded(.classifier), .embed, .embed, "classifier"),
    ]

  @Test(arguments: tasks.indices) func `a model has the task of its kind, or that of its settings`(
    index: Int
  ) async throws {
    let row = Self.tasks[index]
    var entry = ModelEntry(name: "m", source: row.source)
    entry.settings.task = row.task
    let model = try #require(try await Self.load(entry))
    #expect(model.task == row.found && model.family == row.family)
    #expect((model.dimension != nil) == (row.found == .embed))
  }

  @Test func `a task that the model does not have is an error`() async throws {
    let rows: [(ModelEntry.Source, ServedTask)] = [
      (.embedded(.detector), .embed), (Self.fixture("logits"), .segment),
      (Self.fixture("map_scores"), .label),
      (Self.fixture("map_scores"), .detect),
    ]
    for (source, task) in rows {
      var entry = ModelEntry(name: "m", source: source)
      entry.settings.task = task
      let wrong = entry
      await #expect(throws: FoveaError.self, "\(task)") { try await Self.load(wrong) }
    }
  }
}

extension ModelSettings {
  /// Settings with values of options, by name.
  init(_ values: KeyValuePairs<String, OptionValue>) throws {
    self.init()
    for (name, value) in values { try options.set(try #require(NamedOption.named(name)), to: value) }
  }
}
#endif
