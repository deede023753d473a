// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaTesting
import Testing

/// Label files in various forms, with a detector and a classifier of three classes.
@Suite struct LabelFileTests {
  private static let forms = [
    "red\ngreen\nblue\n", "# colours\nred\n\ngreen\n\nblue\n", "background\nred\ngreen\nblue\n",
    "2) blue\n0) red\n1) green\n",
    "item { id: 2 name: 'green' } item { id: 1 name: 'red' } item { id: 3 name: 'blue' }",
    #"{"0": "red", "1": "green", "2": "blue"}"#, "names: [red, green, blue]\n",
    "id,name\n1,red\n2,green\n3,blue\n",
  ]

  @Test(arguments: forms)
  func `detectors, classifiers and inspections read the same labels`(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("labels.txt", text)
    var options = ObjectDetector.Options()
    options.labelFile = file
    let detector = try await ObjectDetector(model: KnownAnswerTests.model("fomo"), options: options)
    #expect(try await detector.classNames() == ["red", "green", "blue"])
    var labeling = ImageLabeler.Options()
    labeling.labelFile = file
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model("logits"), options: labeling)
    let labels = try await labeler.labels(in: ExporterTests.plain())
    #expect(labels.sorted { $0.index < $1.index }.map(\.text) == ["red", "green", "blue"])
    for name in ["fomo", "logits"] {
      let inspection = try ModelInspection(of: KnownAnswerTests.model(name), labelFile: file)
      #expect(inspection.labels?.names == ["red", "green", "blue"] && inspection.classCount == 3)
      #expect(!inspection.needs.contains { $0.description.contains("label") })
    }
  }

  @Test(arguments: ["", "\n", " \r\n\t\n", "\u{FEFF}"], ["fomo", "logits"])
  func `a model whose own label file has no label uses numbers, with one note`(
    _ text: String, _ name: String
  ) async throws {
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite")
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image")]
    graph.outputs = [TensorMetadata(name: "scores")]
    graph.outputs[0].files = [
      AssociatedFile(name: "labels.txt", kind: name == "fomo" ? .valueLabels : .axisLabels)
    ]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let own = AssociatedFileContents(name: "labels.txt", contents: Array(text.utf8))
    let path = try folder.write(
      "m.tflite", MetadataWriter.write(metadata, files: [own], to: [UInt8](Data(contentsOf: source))))
    let model = ModelSource.file(path)
    let given = try folder.write("given.txt", "red\ngreen\nblue\n")
    for file in [nil, given] {
      let inspection = try ModelInspection(of: model, labelFile: file)
      let reason = "'\(inspection.name)' names 'labels.txt', which has no labels"
      let note = reason + ": its classes are shown by number"
      let expected = file == nil ? [note] : []
      #expect(inspection.notes.filter { $0.hasPrefix(reason) } == expected)
      #expect(inspection.labels?.count == (file == nil ? nil : 3))
      let notes: [String]
      if name == "fomo" {
        var options = ObjectDetector.Options()
        options.labelFile = file
        let detector = try await ObjectDetector(model: model, options: options)
        notes = try await detector.assumptions().map(\.description)
        #expect(try await detector.classNames() == (file == nil ? [] : ["red", "green", "blue"]))
      } else {
        var options = ImageLabeler.Options()
        options.labelFile = file
        let labeler = try await ImageLabeler(model: model, options: options)
        notes = labeler.assumptions.map(\.description)
        #expect(try await labeler.labels(in: ExporterTests.plain()).count == 3)
      }
      #expect(notes.filter { $0.contains("has no labels") } == expected)
    }
  }

  @Test(arguments: ["", "\n \n"], [false, true])
  func `a folder's label file without a label is ignored`(_ text: String, _ isGiven: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/logits.tflite")
    try folder.write("f/m.tflite", [UInt8](Data(contentsOf: source)))
    let own = try folder.write("f/labels.txt", text)
    var options = ImageLabeler.Options()
    if isGiven { options.labelFile = try folder.write("given.txt", "red\ngreen\nblue\n") }
    let labeler = try await ImageLabeler(model: .file(folder["f"]), options: options)
    let notes = labeler.assumptions.map(\.description)
    #expect(notes.contains { $0.contains(" names '\(own)', which has no labels: ") } == !isGiven, "\(notes)")
    let inspection = try ModelInspection(of: .file(folder["f"]), labelFile: options.labelFile)
    #expect(inspection.labels?.count == (isGiven ? 3 : nil))
    // A given file must have labels.
    options.labelFile = own
    let error = await #expect(throws: FoveaError.self) {
      try await ImageLabeler(model: .file(folder["f"]), options: options)
    }
    #expect(error?.message == "\(own) has no labels")
  }

  @Test func `an extra line shifts no name of a model whose own labels start with the background`()
    async throws
  {
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/logits.tflite")
    let bytes = [UInt8](try Data(contentsOf: source))
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image")]
    graph.outputs = [TensorMetadata(name: "scores")]
    graph.outputs[0].files = [AssociatedFile(name: "labels.txt", kind: .axisLabels)]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let own = AssociatedFileContents(name: "labels.txt", contents: Array("background\nred\nblue\n".utf8))
    let model = try folder.write("m.tflite", MetadataWriter.write(metadata, files: [own], to: bytes))
    var options = ImageLabeler.Options()
    options.labelFile = try folder.write("more.txt", "background\nrot\nblau\nstray\n")
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ImageLabeler(model: .file(model), options: options)
    }
    #expect(error?.code.rawValue == "metadata-count-mismatch")
    #expect(error?.message.hasSuffix("has 3 classes; the extra one is line 4 'stray'") == true)
    let inspection = try ModelInspection(of: .file(model), labelFile: options.labelFile)
    #expect(inspection.labels?.names.first == "background")
    #expect(inspection.needs.contains { $0.description.hasPrefix("labels that fit: there are 4") })
    options.labelFile = try folder.write("last.txt", "rot\nblau\nbackground\n")
    let misplaced = await #expect(throws: FoveaError.self) {
      _ = try await ImageLabeler(model: .file(model), options: options)
    }
    #expect(misplaced?.code.rawValue == "metadata-count-mismatch")
    #expect(
      misplaced?.message.contains("last.txt has the background as class 2, line 3 'background', but") == true)
    let needs = try ModelInspection(of: .file(model), labelFile: options.labelFile).needs
    #expect(needs.contains { $0.description.hasPrefix("labels that fit: ") })
    options.labelFile = try folder.write("whole.txt", "background\nrot\nblau\n")
    let labeler = try await ImageLabeler(model: .file(model), options: options)
    #expect(try await labeler.labels(in: ExporterTests.plain()).count == 3)
  }

  @Test func `labels of a detector have the background at the end if its own labels have it`() async throws {
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/fomo.tflite")
    let bytes = [UInt8](try Data(contentsOf: source))
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image")]
    graph.outputs = [TensorMetadata(name: "heat map")]
    graph.outputs[0].files = [AssociatedFile(name: "labels.txt", kind: .valueLabels)]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let own = AssociatedFileContents(name: "labels.txt", contents: Array("red\ngreen\nbackground\n".utf8))
    let model = try folder.write("m.tflite", MetadataWriter.write(metadata, files: [own], to: bytes))
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("last.txt", "rot\ngelb\nbackground\n")
    let detector = try await ObjectDetector(model: .file(model), options: options)
    #expect(try await detector.classNames() == ["rot", "gelb", "background"])
    options.labelFile = try folder.write("first.txt", "background\nrot\ngelb\n")
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: .file(model), options: options)
    }
    #expect(error?.code.rawValue == "labels-do-not-fit")
    #expect(
      error?.message.hasSuffix("by the model's own labels; there the file has line 3 'gelb'") == true)
    let needs = try ModelInspection(of: .file(model), labelFile: options.labelFile).needs
    #expect(needs.contains { $0.description.hasPrefix("labels that fit: ") })
  }

  @Test(arguments: ["ssd_postprocess", "ssd_sigmoid"], [nil, "background\n", "???\n"])
  func `a score calibration has a line for each label that is left for the classes`(
    _ name: String, _ background: String?
  ) async throws {
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite")
    let bytes = [UInt8](try Data(contentsOf: source))
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image")]
    let names =
      name == "ssd_sigmoid"
      ? ["score", "location"] : ["location", "category", "score", "number of detections"]
    graph.outputs = names.map { TensorMetadata(name: $0) }
    graph.outputs[1].processUnits = [.scoreCalibration(ScoreCalibrationOptions())]
    graph.outputs[1].files = [AssociatedFile(name: "calibration.csv", kind: .axisScoreCalibration)]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    func model(_ lines: String) throws -> ModelSource {
      let file = AssociatedFileContents(name: "calibration.csv", contents: Array(lines.utf8))
      return .file(try folder.write("m.tflite", MetadataWriter.write(metadata, files: [file], to: bytes)))
    }
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("labels.txt", (background ?? "") + "red\ngreen\nblue\n")
    options.hasBackgroundClass = name == "ssd_sigmoid" ? false : nil
    // Each has the curve of its class: 1 / (1 + e⁰), and 0.9 and 0.8 of that.
    let fitting = try model("1,0,0,0.5\n0.9,0,0,0.5\n0.8,0,0,0.5\n")
    let detector = try await ObjectDetector(model: fitting, options: options)
    let labels = try await detector.detect(in: AnchoredDetectorTests.image()).compactMap(\.labels.first)
    #expect(labels.count == 3)
    for (text, score) in [("red", 0.5), ("green", 0.45), ("blue", 0.4)] as [(String, Float)] {
      let confidence = labels.first { $0.text == text }?.confidence ?? 0
      #expect(abs(confidence - score) < 1e-4, "\(text) \(confidence)")
    }
    let more = try model("1,0,0\n1,0,0\n1,0,0\n1,0,0\n")
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: more, options: options)
    }
    #expect(error?.message == "calibration.csv has 4 lines, but the model has 3 classes")
  }

  @Test func `the label file of a folder may have any form`() async throws {
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/logits.tflite")
    let model = [UInt8](try Data(contentsOf: source))
    try folder.write("model.tflite", model)
    try folder.write("label_map.pbtxt", Self.forms[4])
    let inspection = try ModelInspection(of: .file(folder.path))
    #expect(inspection.labels?.names == ["red", "green", "blue"] && inspection.labels?.form == .labelMap)
  }

  @Test(arguments: [
    (["red, dark red"], ["red, dark red"]), (["green,red, dark red"], ["red, dark red", "green"]),
    (["green", "blue"], ["green", "blue"]), (["green, blue"], ["green", "blue"]),
  ])
  func `a label with commas is one label, and others are split`(
    _ allowed: [String], _ expected: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    var options = ImageLabeler.Options()
    options.labelFile = try folder.write("labels.txt", "red, dark red\ngreen\nblue\n")
    options.allowedLabels = allowed
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model("logits"), options: options)
    let labels = try await labeler.labels(in: ExporterTests.plain())
    #expect(labels.sorted { $0.index < $1.index }.map(\.text) == expected)
    options.allowedLabels = ["red, blue"]
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ImageLabeler(model: KnownAnswerTests.model("logits"), options: options)
    }
    #expect(error?.message.hasPrefix("'red' is not a label of ") == true)
    #expect(error?.message.hasSuffix("(the nearest is 'red, dark red')") == true)
  }
}
