// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaTesting
import Testing

@testable import FoveaModelRules

@Suite struct ModelReportTests {
  static let full = ModelReport(
    path: "dir/m.tflite", fileSize: 4_276_100, sha256: "abc123", family: "ssd-postprocess",
    reason: "four outputs named TFLite_Detection_PostProcess",
    inputs: [
      .init(
        name: "image", type: "uint8", shape: [1, 300, 300, 3],
        quantization: .init(scale: 0.0078125, zeroPoint: 128, channels: 1))
    ],
    outputs: [
      .init(name: "boxes", type: "float32", shape: [1, 10, 4]),
      .init(
        name: "w", type: "int8", shape: [-1, 2], quantization: .init(scale: 0.5, zeroPoint: 0, channels: 8)),
    ],
    labels: .init(count: 1_000, names: ["person", "a\u{1B}[1m"], locales: ["en", "de"]),
    metadata: .init(
      name: "SSD", description: "Finds\nthings", version: "1", author: "A. Author", license: "Apache-2.0",
      mean: [127.5], standardDeviation: [127.5], isNormalizationAssumed: true, threshold: 0.5),
    signatures: [.init(key: "serving_default", inputs: ["image"], outputs: ["boxes", "w"])],
    input: .init(mean: [127.5], standardDeviation: [127.5], normalizationSource: "assumed"))

  static let unknown = ModelReport(
    path: "x.tflite", fileSize: 10, sha256: "0", reason: "one output [1, 7, 7, 85]",
    needs: ["a detector of a known family, or --family"],
    inputs: [.init(name: "in", type: "float32", shape: [])], outputs: [],
    signatures: [.init(key: "", inputs: ["in"], outputs: [])])

  @Test(arguments: [
    ([], 0, ""), (["a"], 1, "a"), (["a", "b", "c"], 3, "a, b, …"), (["a", "b"], 9, "a, b, …"),
    ([String(repeating: "é", count: 80)], 1, String(repeating: "é", count: 80)),
    ([String(repeating: "\n", count: 81)], 1, String(repeating: "\\n", count: 80) + "…"),
    ([String(repeating: "a", count: 1_000_000), "b"], 2, String(repeating: "a", count: 80) + "…, b"),
  ])
  func `the first labels are listed, each with at most 80 characters`(
    _ names: [String], _ count: Int, _ text: String
  ) {
    #expect(ModelReport.list(names, of: count, most: 2) == text)
  }

  @Test func `a model is printed for people`() {
    #expect(
      Self.full.text == """
        dir/m.tflite
          family       ssd-postprocess (four outputs named TFLite_Detection_PostProcess)
          size         4,276,100 bytes
          sha256       abc123
          labels       1,000: person, a\\u{1b}[1m, … (locales: en, de)
          name         SSD
          description  Finds\\nthings
          version      1
          author       A. Author
          license      Apache-2.0
          threshold    0.5
          image        stretched (family)
          normalise    mean 127.5, deviation 127.5 (assumed)
          inputs
            0  image  uint8  [1, 300, 300, 3]  × 0.0078125, zero 128
          outputs
            0  boxes  float32  [1, 10, 4]
            1  w      int8     [-1, 2]     8 channels quantised
          signatures
            serving_default: image → boxes, w

        """)
  }

  @Test func `a model of no family prints what it needs`() {
    #expect(
      Self.unknown.text == """
        x.tflite
          family  not recognised (one output [1, 7, 7, 85])
          size    10 bytes
          sha256  0
          inputs
            0  in  float32  []
          outputs
          needed
            a detector of a known family, or --family

        """)
  }

  @Test func `repairs are printed for people and for programs`() {
    var report = Self.unknown
    report.notes = ["In 'x.tflite' the signature 's' is ignored: it has no name"]
    #expect(
      report.text.contains(
        """
          outputs
          notes
            In 'x.tflite' the signature 's' is ignored: it has no name
          needed
        """))
    #expect(report.json.contains(#""notes": ["In 'x.tflite' the signature 's' is ignored: it has no name"]"#))
  }

  @Test func `a model is printed for programs`() {
    let unknown = #"""
      {"path": "x.tflite", "bytes": 10, "sha256": "0", "family": null, \#
      "reason": "one output [1, 7, 7, 85]", "needs": ["a detector of a known family, or --family"], \#
      "notes": [], \#
      "inputs": [{"name": "in", "type": "float32", "shape": [], "quantization": null}], "outputs": [], \#
      "labels": null, "metadata": null, "input": null, "confidences": null, \#
      "signatures": [{"key": "", "inputs": ["in"], "outputs": []}]}
      """#
    #expect(Self.unknown.json == unknown)
    let full = #"""
      "labels": {"count": 1000, "names": ["person", "a\u001b[1m"], "locales": ["en", "de"], \#
      "source": "", "form": "lines", "classes": null}, \#
      "metadata": {"name": "SSD", "description": "Finds\nthings", "version": "1", \#
      "author": "A. Author", "license": "Apache-2.0", "mean": [127.5], \#
      "standardDeviation": [127.5], "normalizationAssumed": true, "threshold": 0.5}, \#
      "input": {"fit": "stretch", "letterbox": null, "padding": null, "channels": "rgb", \#
      "mean": [127.5], "standardDeviation": [127.5], "normalizationSource": "assumed"}, "confidences": null, \#
      "signatures": [{"key": "serving_default", "inputs": ["image"], "outputs": ["boxes", "w"]}]}
      """#
    #expect(Self.full.json.hasSuffix(full))
  }

  @Test func `a run is reported on request`() {
    var report = Self.unknown
    #expect(!report.text.contains("run") && !report.json.contains("\"run\""))
    report.testRun = .done(.init(milliseconds: 12.34567, peakMemory: 5 << 20))
    #expect(report.text.contains("\n  run     12.3 ms, at most 5 MiB of memory\n"))
    #expect(report.json.hasSuffix(#", "run": {"milliseconds": 12.346, "peakMemory": 5242880}}"#))
    report.testRun = .done(.init(milliseconds: 0, peakMemory: nil))
    #expect(report.text.contains("\n  run     0.0 ms\n"))
    #expect(report.json.hasSuffix(#", "run": {"milliseconds": 0.0, "peakMemory": null}}"#))
    report.testRun = .impossible
    #expect(report.text.contains("\n  run     not possible without text\n"))
    #expect(report.json.hasSuffix(#", "run": null}"#))
    report.testRun = .failed("x")
    #expect(report.text.contains("\n  run     failed\n"))
    #expect(report.json.hasSuffix(#", "run": {"error": "x"}}"#))
  }

  struct ScoresCase: CustomTestStringConvertible, Sendable {
    var confidences: ModelReport.Confidences
    var text: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    ScoresCase(confidences: .init(activation: "none", source: "model"), text: "unchanged (model)"),
    ScoresCase(confidences: .init(activation: "softmax", source: "assumed"), text: "softmax (assumed)"),
    ScoresCase(confidences: .init(activation: "sigmoid", source: "option"), text: "sigmoid (option)"),
    ScoresCase(
      confidences: .init(activation: "softmax", source: "values"),
      text: "unchanged if all are 0 to 1, otherwise softmax (assumed)"),
    ScoresCase(
      confidences: .init(activation: "none", source: "values"),
      text: "unchanged, an error unless all are 0 to 1 (no labels)"),
    ScoresCase(
      confidences: .init(activation: "none", source: "model", isBinary: true),
      text: "unchanged (model), of the second of two classes"),
  ])
  func `the activation of a classifier's scores is shown`(_ row: ScoresCase) {
    var report = Self.unknown
    report.confidences = row.confidences
    #expect(report.text.contains("\n  scores  \(row.text)\n"))
    let binary = row.confidences.isBinary
    #expect(
      report.json.contains(
        #""confidences": {"activation": "\#(row.confidences.activation)", "source": "\#(row.confidences.source)", "#
          + #""binary": \#(binary)}"#))
  }

  @Test func `labels that do not fit a classifier are not called missing`() {
    var report = Self.unknown
    report.confidences = .init(activation: "none", source: "values")
    report.labels = .init(count: 4, names: ["cat", "dog", "bird", "horse"], locales: [])
    #expect(
      report.text.contains("\n  scores  unchanged, an error unless all are 0 to 1 (the labels do not fit)\n"))
  }

  @Test func `a grey input is shown as such`() {
    var report = Self.unknown
    report.input = .init(isGrey: true)
    #expect(report.text.contains("  image      stretched (family), grey\n"))
    #expect(report.json.contains(#""channels": "grey""#))
  }

  @Test func `a letterbox is shown with its position and its bars`() {
    var report = Self.unknown
    report.input = .init(
      letterbox: "top-left", padding: 114, isBGR: true, mean: [0], standardDeviation: [1],
      normalizationSource: "family")
    #expect(
      report.text.contains(
        """
          image      letterbox, top left, bars of 114 (family), blue-green-red (family)
          normalise  mean 0.0, deviation 1.0 (family)
        """))
    report.input = .init(letterbox: "center", padding: 0)
    #expect(report.text.contains("letterbox, centred, bars of 0 (family)\n  normalise  raw pixels\n"))
    #expect(
      report.json.contains(#""fit": "letterbox", "letterbox": "center", "padding": 0, "channels": "rgb""#))
  }
  @Test func `a file that LiteRT cannot open is shown as declared, with the reason`() throws {
    var model = TestModel.sound()
    model.customName = "ethos-u"
    model.graphs[0].tensors[0] = .quantized([1, 8, 6, 3], 9, 0.5, -128)
    model.graphs[0].tensors[0].name = "image"
    model.graphs[0].tensors[5].name = "scores"
    model.graphs[0].tensors.append(.init(shape: [64], type: 3, name: "scratch"))
    model.graphs[0].operators = [.init(code: 32, inputs: [6, 0], outputs: [5])]
    let source = ModelSource.memory(ModelBytes(model.bytes(), name: "m"))
    let words: (Advice) -> String = { $0.description }
    let thrown = #expect(throws: FoveaError.self) {
      try ModelReport(source, options: ObjectDetector.Options(), words: words)
    }
    let error = try #require(thrown)
    let report = try #require(ModelReport(outlineOf: source, error: error, words: words))
    let shown = report.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(shown.contains("family not recognised (it is compiled for Arm's Ethos-U"))
    let named = try #require(report.reason)
    #expect(named.hasPrefix("it is compiled for Arm's Ethos-U") && error.message.hasSuffix(": \(named)"))
    #expect(
      shown.contains(
        "operators ethos-u inputs 0 image int8 [1, 8, 6, 3] × 0.5, zero -128 outputs 0 scores float32 [1, 24] needed Use the file"
      ), "\(shown)")
    #expect(report.json.contains(#""operators": ["ethos-u"]"#), "\(report.json)")
    #expect(!Self.unknown.json.contains("operators"))

    // A graph damaged after its tensors is shown, too.
    for damage in [Int32(99), 3] {
      var damaged = TestModel.sound()
      damaged.graphs[0].operators[1].inputs = [damage]
      damaged.graphs[0].tensors[4].shape = [1, 9, 9, 2]
      let source = ModelSource.memory(ModelBytes(damaged.bytes(), name: "m"))
      let thrown = #expect(throws: FoveaError.self) {
        try ModelReport(source, options: ObjectDetector.Options(), words: words)
      }
      let error = try #require(thrown)
      #expect(error.code.rawValue == "metadata-damaged-model")
      let report = try #require(ModelReport(outlineOf: source, error: error, words: words))
      #expect(report.inputs.map(\.shape) == [[1, 8, 6, 3]] && report.outputs.map(\.shape) == [[1, 24]])
      #expect(report.operators == ["CONV_2D", "RELU", "RESHAPE"] && report.reason == error.message)
    }

    // The name is not cut out of the text: a path may be any word.
    let refused = RuntimeError(.modelInvalid, "\(theModel: "m") has no input 'm'", remedy: "Export it again")
    let plain = try #require(ModelReport(outlineOf: source, error: FoveaError(refused), words: words))
    #expect(plain.reason == "The model has no input 'm'")
    #expect(plain.text.contains("not recognised (The model has no input 'm')"), "\(plain.text)")

    // Another error, and bytes that are not a model, have nothing to show.
    let option = FoveaError.optionInvalid("x", remedy: "y")
    #expect(ModelReport(outlineOf: source, error: option, words: words) == nil)
    let empty = ModelSource.memory(ModelBytes([1, 2, 3], name: "m"))
    #expect(ModelReport(outlineOf: empty, error: error, words: words) == nil)
  }

  @Test(arguments: [("colors_unit", "ImageLabeler"), ("ssd", "ObjectDetector")])
  func `a model that only lacks its normalisation is accepted by Fovea's own functions`(
    _ model: String, _ function: String
  ) throws {
    let check = try CompatibilityReport(of: FixtureModel.source(model))
    #expect(!check.isAcceptedByFovea && check.refusal == nil)
    #expect(
      check.conclusion(\.description)
        == "ML Kit refuses the model, and so does Fovea under ML Kit's names; \(function) accepts it"
        + " and assumes its normalisation.")
  }

  @Test func `a model whose own labels cannot be read is shown as declared`() throws {
    let fixture = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/logits.tflite")
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image")]
    graph.outputs = [TensorMetadata(name: "scores")]
    graph.outputs[0].files = [AssociatedFile(name: "labels.txt", kind: .axisLabels)]
    var metadata = ModelMetadata()
    metadata.name = "Colours"
    metadata.subgraphs = [graph]
    let bytes = try MetadataWriter.write(
      metadata, files: [AssociatedFileContents(name: "labels.txt", contents: [0x61, 0xFF])],
      to: [UInt8](Data(contentsOf: fixture)))
    let source = ModelSource.memory(ModelBytes(bytes, name: "m"))
    let words: (Advice) -> String = { $0.description }
    var options = ObjectDetector.Options()
    let thrown = #expect(throws: FoveaError.self) { try ModelReport(source, options: options, words: words) }
    let error = try #require(thrown)
    #expect(
      error.code.rawValue == "metadata-bad-labels" && error.message == "Line 1 of labels.txt is not UTF-8")
    let check = try CompatibilityReport(of: source)
    #expect(
      check.conclusion(words) == "ML Kit refuses the model, and Fovea cannot detect or label with it.")
    #expect(check.rules.first { $0.number == "12" }?.verdict == .failed)
    let report = try #require(ModelReport(outlineOf: source, error: error, words: words))
    #expect(report.family == nil && report.reason == error.message && report.labels == nil)
    #expect(report.inputs.count == 1 && report.outputs.map(\.shape) == [[1, 3]])
    #expect(report.metadata?.name == "Colours" && report.operators?.isEmpty == false)

    // A label file without a label is ignored, except by Google's libraries.
    for (text, status, words) in [
      ("", SupportStatus.invalidArgument, "Expected non-empty labels file."),
      ("\n \n", .metadataInconsistency, nil),
    ] as [(String, SupportStatus, String?)] {
      let bytes = try MetadataWriter.write(
        metadata, files: [AssociatedFileContents(name: "labels.txt", contents: Array(text.utf8))],
        to: [UInt8](Data(contentsOf: fixture)))
      let blank = try CompatibilityReport(of: .memory(ModelBytes(bytes, name: "m")))
      let rule = try #require(blank.rules.first { $0.number == "12" })
      #expect(rule.verdict == .differs && rule.finding == "labels.txt has no labels")
      #expect(rule.status == status && rule.statusText == words)
      #expect(blank.family == "classifier" && blank.refusal == nil)
    }

    // A given empty label file is not a fault of the model.
    let folder = try TemporaryFolder()
    options.labelFile = try folder.write("given.txt", "\n")
    let refusal = #expect(throws: FoveaError.self) { try ModelReport(source, options: options, words: words) }
    let given = try #require(refusal)
    #expect(given.code.rawValue == "metadata-bad-labels")
    #expect(ModelReport(outlineOf: source, error: given, words: words) == nil)
  }
}
