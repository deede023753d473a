// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaMetadata
import FoveaModelRules
import FoveaTesting
import Testing

@Suite struct MetadataAdditionTests {
  static let fixtures = PackageRoot.path + "/Tests/Fixtures/models/"

  /// Writes the described model into the folder and returns its path.
  static func describe(
    _ path: String, _ folder: TemporaryFolder, _ change: (inout MetadataAddition) -> Void
  ) throws -> String {
    var addition = MetadataAddition()
    change(&addition)
    return try folder.write("described.tflite", try addition.described(.file(path)))
  }

  static func lines(_ count: Int, _ folder: TemporaryFolder, _ name: String = "labels.txt") throws
    -> String
  {
    try folder.write(name, (0..<count).map { "class \($0)" }.joined(separator: "\n"))
  }

  @Test func `a float classifier with labels, normalisation and threshold breaks no rule of ML Kit`() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write("model.tflite", InputRuleTests.float.bytes())
    #expect(try CompatibilityReport(of: .file(model)).isAcceptedByFovea == false)
    let labels = try Self.lines(12, folder)
    let path = try Self.describe(model, folder) {
      $0.labelFile = labels
      $0.normalization = Normalization(mean: [1, 2, 3], standardDeviation: [4, 5, 6])
      $0.threshold = 0.25
      $0.localeLabelFiles = ["en": labels, "pt-BR": labels]
    }
    #expect(try CompatibilityReport(of: .file(path)).broken == [])
    let inspection = try ModelInspection(of: .file(path))
    #expect(inspection.labels?.names == (0..<12).map { "class \($0)" })
    #expect(inspection.locales == ["en", "pt-BR"])
    #expect(inspection.normalization == Normalization(mean: [1, 2, 3], standardDeviation: [4, 5, 6]))
    #expect(inspection.normalizationSource == .metadata)
    #expect(inspection.threshold == 0.25)
    #expect(inspection.metadata?.outputs.first?.name == "scores")
  }

  @Test func `existing values stay, and given ones replace them`() throws {
    let folder = try TemporaryFolder()
    let labels = try Self.lines(12, folder)
    var metadata = RuleModel.metadata(
      normalization: .init(mean: [0], standardDeviation: [255]), labels: true)
    metadata.author = "An author"
    metadata.license = "Apache-2.0"
    metadata.subgraphs[0].outputs[0].processUnits = [.scoreThreshold(0.3)]
    metadata.subgraphs[0].outputs[0].files.append(
      AssociatedFile(name: "labels-de.txt", kind: .axisLabels, locale: "de"))
    metadata.files = [AssociatedFile(name: "card.md", kind: .descriptions)]
    let card = AssociatedFileContents(name: "card.md", contents: Array("about".utf8))
    let model = try folder.write(
      "model.tflite",
      try MetadataWriter.write(
        metadata, files: [RuleModel.labels(12), RuleModel.labels(12, name: "labels-de.txt"), card],
        to: InputRuleTests.float.bytes()))
    let threshold = try Self.describe(model, folder) { $0.threshold = 0.5 }
    var read = try #require(try ModelInspection(of: .file(threshold)).metadata)
    #expect(read.author == "An author" && read.license == "Apache-2.0")
    #expect(read.inputs.first?.normalization == Normalization(mean: [0], standardDeviation: [255]))
    #expect(read.outputs.first?.processUnits == [.scoreThreshold(0.5)])
    #expect(read.allFiles.map(\.name) == ["card.md", "labels.txt", "labels-de.txt"])
    // New labels make old display names wrong.
    let named = try Self.describe(model, folder) { $0.labelFile = labels }
    read = try #require(try ModelInspection(of: .file(named)).metadata)
    #expect(read.allFiles.map(\.name) == ["card.md", "labels.txt"])
    #expect(read.outputs.first?.scoreThreshold == 0.3)
    // A second time changes nothing.
    let again = try MetadataAddition().described(.file(named))
    #expect(again == [UInt8](try Data(contentsOf: URL(fileURLWithPath: named))))
  }

  @Test func `files that no metadata names stay in the model, and so do an exporter's labels`() throws {
    let folder = try TemporaryFolder()
    let before = try ModelInspection(of: .file(Self.fixtures + "described_detect.tflite"))
    let path = try Self.describe(Self.fixtures + "described_detect.tflite", folder) { $0.threshold = 0.5 }
    let after = try ModelInspection(of: .file(path))
    #expect(after.family == before.family && after.labels?.names == before.labels?.names)
    #expect(after.threshold == 0.5)
    #expect(after.metadata?.author == before.metadata?.author || before.metadata?.author == nil)
  }

  @Test func `a post-processed detector gets the names and the box layout that MediaPipe looks for`() throws {
    let folder = try TemporaryFolder()
    let labels = try Self.lines(3, folder)
    let path = try Self.describe(Self.fixtures + "ssd_postprocess.tflite", folder) {
      $0.labelFile = labels
      $0.threshold = 0.4
    }
    let rules = try CompatibilityReport(of: .file(path)).rules
    #expect(rules.filter { $0.number.hasPrefix("D") }.allSatisfy { $0.verdict == .passed })
    let metadata = try #require(try ModelInspection(of: .file(path)).metadata)
    #expect(metadata.outputs.map(\.name) == ["location", "category", "score", "number of detections"])
    #expect(
      metadata.outputs[0].content
        == .boundingBoxes(.init(kind: .boundaries, coordinates: .ratio, index: [1, 0, 3, 2])))
    try #require(metadata.outputs.count > 2)
    #expect(metadata.outputs[1].files.map(\.kind) == [.valueLabels])
    #expect(metadata.outputs[2].scoreThreshold == 0.4)
  }

  @Test func `an AutoML folder supplies its labels`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/export"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try folder.write("export/model.tflite", RuleModel().bytes())
    try folder.write("export/dict.txt", (0..<12).map { "flower \($0)" }.joined(separator: "\r\n") + "\r\n")
    try folder.write("export/manifest.json", #"{"modelFile": "model.tflite", "labelsFile": "dict.txt"}"#)
    let described = try Self.describe(path, folder) { _ in }
    let inspection = try ModelInspection(of: .file(described))
    #expect(inspection.labels?.names.last == "flower 11" && inspection.labels?.count == 12)
  }

  @Test func `a normalisation that the graph shows is written`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.describe(Self.fixtures + "colors_rescaled.tflite", folder) { _ in }
    let inspection = try ModelInspection(of: .file(path))
    #expect(inspection.normalization == Normalization(mean: [0], standardDeviation: [1]))
    #expect(inspection.normalizationSource == .metadata)
  }

  /// Label files whose labels have numbers of their own.
  static let numbered: [(text: String, names: [String])] = [
    ("\"0 doors\"\n\"4 wheels\"\n\"9 lamps\"\n", ["0 doors", "4 wheels", "9 lamps"]),
    ("0-2\n3-9\n60 and more\n", ["0-2", "3-9", "60 and more"]),
    ("0 - 2\n3 - 9\n60 and more\n", ["0 - 2", "3 - 9", "60 and more"]),
    ("0 to 2\n3 to 9\n60 and more\n", ["0 to 2", "3 to 9", "60 and more"]),
    ("[\"0 a\", \"1 b\", \"2 c\"]", ["0 a", "1 b", "2 c"]),
  ]

  @Test(arguments: numbered, ["colors_rescaled", "ssd_postprocess"])
  func `labels with numbers of their own keep them`(
    _ file: (text: String, names: [String]), _ model: String
  ) throws {
    let folder = try TemporaryFolder()
    let labels = try folder.write("labels.txt", file.text)
    let path = try Self.describe(Self.fixtures + model + ".tflite", folder) { $0.labelFile = labels }
    #expect(try ModelInspection(of: .file(path)).labels?.names == file.names)
  }

  /// A model that shows its own normalisation, and the given one.
  struct Given: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var model: String
    var normalization: Normalization
    /// A part of the rejection; nil if the numbers are accepted.
    var refusal: String?

    init(
      _ description: String, _ model: String, _ mean: [Float], _ deviation: [Float], _ refusal: String? = nil
    ) {
      (testDescription, self.model, self.refusal) = (description, model, refusal)
      normalization = Normalization(mean: mean, standardDeviation: deviation)
    }
  }

  static let given = [
    Given("the graph's own numbers", "colors_rescaled", [0], [1]),
    Given("the graph's own numbers for each channel", "colors_rescaled", [0, 0, 0], [1, 1, 1]),
    Given("numbers within the tolerance", "colors_rescaled", [2], [1]),
    Given(
      "−1…1 for a graph that scales itself", "colors_rescaled", [127.5], [127.5],
      "mean 0.0, deviation 1.0, as the beginning of its graph shows"),
    Given(
      "one channel that differs", "colors_rescaled", [0, 0, 10], [1, 1, 1],
      "as the beginning of its graph shows"
    ),
    Given("the family's own numbers", "yolov8", [0], [255]),
    Given("−1…1 for YOLO", "yolov8", [127.5], [127.5], "mean 0.0, deviation 255.0, as its family requires"),
    Given("anything for a model that shows nothing", "colors_unit", [3], [5]),
  ]

  @Test(arguments: given) func `a normalisation that contradicts the model is rejected`(_ row: Given) throws {
    let folder = try TemporaryFolder()
    let model = Self.fixtures + row.model + ".tflite"
    var addition = MetadataAddition()
    addition.normalization = row.normalization
    guard let refusal = row.refusal else {
      let path = try folder.write("new.tflite", try addition.described(.file(model)))
      #expect(try ModelInspection(of: .file(path)).normalization == row.normalization)
      // The metadata by now hide nothing of the graph.
      #expect(throws: Never.self) { try addition.described(.file(path)) }
      return
    }
    let error = #expect(throws: FoveaError.self) { try addition.described(.file(model)) }
    #expect(error?.code.rawValue == "option-invalid")
    #expect(error?.message.contains(refusal) == true, "\(error.map(String.init(describing:)) ?? "none")")
    #expect(error?.remedy.description.hasPrefix("Leave Options.normalization out") == true)
  }

  @Test(arguments: ["colors_rescaled", "yolov8", "yolov5"])
  func `the remedy of rule 7 leaves the pixels unchanged`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let source = ModelSource.file(Self.fixtures + name + ".tflite")
    let rule = try CompatibilityReport(of: source).rules.first { $0.number == "7" }
    #expect(rule?.remedy?.description == "Write it into the metadata: MetadataAddition")
    let path = try folder.write("new.tflite", try MetadataAddition().described(source))
    let (before, after) = (try ModelInspection(of: source), try ModelInspection(of: .file(path)))
    #expect(after.normalization == before.normalization && after.normalizationSource == .metadata)
    #expect(try CompatibilityReport(of: .file(path)).rules.first { $0.number == "7" }?.verdict == .passed)
  }

  @Test func `the normalisation of a DETR that may be an RT-DETR must be given`() throws {
    let folder = try TemporaryFolder()
    let source = ModelSource.file(Self.fixtures + "rt_detr.tflite")
    var addition = MetadataAddition()
    addition.labelFile = try Self.lines(3, folder)
    let error = #expect(throws: FoveaError.self) { try addition.described(source) }
    #expect(error?.code.rawValue == "option-invalid")
    #expect(
      error?.message.hasSuffix(
        "can be of the family 'detr' or 'rt-detr', which have the same outputs, but different normalisations")
        == true)
    #expect(
      error?.remedy.description
        == "Set that of its family: Options.normalization"
        + " 123.675,116.28,103.53,58.395,57.12,57.375 for detr, Options.normalization 0,255 for rt-detr")
    for (mean, deviation) in [
      ([0], [255]), ([123.675, 116.28, 103.53], [58.395, 57.12, 57.375]),
    ] as [([Float], [Float])] {
      let normalization = Normalization(mean: mean, standardDeviation: deviation)
      addition.normalization = normalization
      let path = try folder.write("new.tflite", try addition.described(source))
      let inspection = try ModelInspection(of: .file(path))
      #expect(inspection.normalization == normalization && inspection.normalizationSource == .metadata)
    }
    addition.normalization = Normalization(mean: [127.5], standardDeviation: [127.5])
    let refusal = #expect(throws: FoveaError.self) { try addition.described(source) }
    #expect(refusal?.message.contains("as its family requires, not with mean 127.5") == true)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var model = RuleModel()
    var code: String
    var message: String
    var change: @Sendable (inout MetadataAddition, TemporaryFolder) throws -> Void
  }

  static let refusals = [
    Refusal(testDescription: "too few labels", code: "metadata-count-mismatch", message: "has 11 labels, but")
    {
      $0.labelFile = try lines(11, $1)
    },
    Refusal(testDescription: "no label", code: "metadata-bad-labels", message: "has no labels") {
      $0.labelFile = try $1.write("labels.txt", "")
    },
    Refusal(testDescription: "only blank lines", code: "metadata-bad-labels", message: "has no labels") {
      $0.labelFile = try $1.write("labels.txt", "\n\r\n\n")
    },
    Refusal(
      testDescription: "labels in UTF-16", code: "metadata-bad-labels",
      message: "is UTF-16 text by its byte order mark; UTF-8 is needed"
    ) {
      $0.labelFile = try $1.write("labels.txt", [0xFF, 0xFE, 0x61, 0, 0x0A, 0])
    },
    Refusal(
      testDescription: "a missing label file", code: "metadata-missing-file", message: "There is no"
    ) {
      $0.labelFile = $1.path + "/none.txt"
    },
    Refusal(testDescription: "a folder as label file", code: "metadata-missing-file", message: "is a folder")
    {
      $0.labelFile = $1.path
    },
    Refusal(
      testDescription: "a device as label file", code: "metadata-unreadable", message: "is not a regular file"
    ) { addition, _ in
      addition.labelFile = "/dev/null"
    },
    Refusal(
      testDescription: "too few display names", code: "metadata-count-mismatch",
      message: "has 3 display names for 'en'"
    ) {
      $0.labelFile = try lines(12, $1)
      $0.localeLabelFiles = ["en": try lines(3, $1, "en.txt")]
    },
    Refusal(testDescription: "only display names", code: "option-invalid", message: "has no labels") {
      $0.localeLabelFiles = ["en": try lines(12, $1)]
    },
    Refusal(testDescription: "no locale", code: "option-invalid", message: "The locale is ''") {
      $0.localeLabelFiles = ["": try lines(12, $1)]
    },
    Refusal(testDescription: "a locale with a path", code: "option-invalid", message: "The locale is '../en'")
    {
      $0.localeLabelFiles = ["../en": try lines(12, $1)]
    },
    Refusal(testDescription: "a threshold above 1", code: "option-invalid", message: "threshold is 1.5") {
      addition, _ in
      addition.threshold = 1.5
    },
    Refusal(
      testDescription: "a threshold that is not a number", code: "option-invalid", message: "threshold is nan"
    ) {
      addition, _ in addition.threshold = .nan
    },
    Refusal(testDescription: "two means", code: "option-invalid", message: "2 means and 2 deviations") {
      addition, _ in
      addition.normalization = Normalization(mean: [1, 2], standardDeviation: [1, 2])
    },
    Refusal(testDescription: "a deviation of 0", code: "option-invalid", message: "no deviation may be 0") {
      addition, _ in addition.normalization = Normalization(mean: [1], standardDeviation: [0])
    },
    Refusal(testDescription: "a deviation below 0", code: "option-invalid", message: "may be 0 or below") {
      addition, _ in addition.normalization = Normalization(mean: [1], standardDeviation: [-1])
    },
    Refusal(
      testDescription: "float32 and no normalisation", model: InputRuleTests.float, code: "option-invalid",
      message: "and its normalisation is unknown"
    ) { $0.labelFile = try lines(12, $1) },
    Refusal(
      testDescription: "neither classifier nor detector",
      model: RuleModel(outputs: [RuleModel.uint8(1, 3, 4)]),
      code: "unknown-family", message: "neither a classifier nor a detector"
    ) { $0.labelFile = try lines(12, $1) },
  ]

  @Test(arguments: refusals) func `values that cannot be written are rejected with the reason`(_ row: Refusal)
    throws
  {
    let folder = try TemporaryFolder()
    let model = try folder.write("model.tflite", row.model.bytes())
    var addition = MetadataAddition()
    try row.change(&addition, folder)
    let error = #expect(throws: FoveaError.self) { try addition.described(.file(model)) }
    #expect(error?.code.rawValue == row.code)
    #expect(
      error?.description.contains(row.message) == true, "\(error.map(String.init(describing:)) ?? "none")")
    #expect(error?.remedy.description.isEmpty == false)
  }

  struct Text: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var names: [String]
  }

  static let texts = [
    Text(testDescription: "line ends of Windows", text: "a\r\nb\r\nc\r\n", names: ["a", "b", "c"]),
    Text(testDescription: "a line end after the last", text: "a\nb\nc\n", names: ["a", "b", "c"]),
    Text(testDescription: "a blank last label", text: "a\nb\n\n", names: ["a", "b", ""]),
    Text(testDescription: "a byte order mark", text: "\u{FEFF}a\nb\nc", names: ["a", "b", "c"]),
    Text(
      testDescription: "hostile names", text: "../../etc/passwd\n\u{1B}[31mred\u{202E}\n{\"a\": 1}",
      names: ["../../etc/passwd", "\u{1B}[31mred\u{202E}", "{\"a\": 1}"]),
  ]

  @Test(arguments: texts) func `labels read back as in the file`(_ row: Text) throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(
      "model.tflite",
      RuleModel(inputs: [RuleModel.uint8(1, 1, 1, 3)], outputs: [RuleModel.uint8(1, 3)]).bytes())
    let labels = try folder.write("labels.txt", row.text)
    let path = try Self.describe(model, folder) { $0.labelFile = labels }
    // The outputs of this model fix no number of classes: three labels decide which lines count.
    let found = try #require(try ModelInspection(of: .file(path)).labels)
    #expect(try found.fitted(to: row.names.count, of: "it").names == row.names)
  }
}
