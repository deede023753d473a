// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import FoveaTesting

@testable import FoveaMetadata

/// Damaged input of each parser of this module, without the runtime: a value or an error, and nothing else.
struct MetadataFuzz {
  enum Kind: String, Codable, CaseIterable, Sendable {
    /// A model with all kinds of metadata, and an archive.
    case metadata
    /// Whole models, for code that reads graphs.
    case graph
    /// A uint8 model, which is rewritten.
    case rewrite
    /// Classifiers, which are cut and get another head.
    case head
    case flexOptions, labels, calibration, exporterNames, manifest, detectionManifest

    var isText: Bool { ![.metadata, .graph, .rewrite, .head, .flexOptions].contains(self) }
  }

  private let kind: Kind
  private let corpus: [[UInt8]]

  private init(_ kind: Kind) throws {
    self.kind = kind
    corpus = try Self.corpus(kind)
  }

  /// Runs a batch in this process and prints the outcomes.
  static func run(_ kind: Kind, _ batch: FuzzBatch) async {
    do {
      let fuzz = try MetadataFuzz(kind)
      await batch.run(kind.rawValue) { seed in
        var mutator = ByteMutator(seed: seed)
        var text = TextMutator(seed: seed)
        let bytes =
          kind.isText
          ? text.mutated(fuzz.corpus[mutator.below(fuzz.corpus.count)])
          : kind == .head ? try damagedGraph(fuzz.corpus, seed) : mutator.mutated(fuzz.corpus)
        if let keep = FuzzBatch.keep {
          try Data(bytes).write(to: URL(fileURLWithPath: "\(keep)/\(kind)-\(seed)"))
        }
        return try fuzz.read(bytes)
      }
    } catch {
      print("failed \(error)")
    }
  }

  /// Damages important parts, since the check finds nearly all other damage.
  private static func damagedGraph(_ corpus: [[UInt8]], _ seed: UInt64) throws -> [UInt8] {
    var mutator = ModelMutator(seed: seed)
    let model = corpus[mutator.below(corpus.count)]
    return mutator.mutated(model, try ModelSites(model))
  }

  private static func corpus(_ kind: Kind) throws -> [[UInt8]] {
    func texts(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }
    let fixtures = PackageRoot.path + "/Tests/Fixtures/models/"
    func fixture(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixtures + name + ".tflite")))
    }
    switch kind {
    case .metadata: return [try SyntheticModel.rich()]
    case .graph: return try ["classifier_uint8", "lstm_ssd", "ssd_postprocess", "yolov10"].map(fixture)
    case .head:
      return [HeadFixture.floats().bytes()]
        + (try ["classifier_uint8", "logits", "colors_rescaled"].map(fixture))
    case .rewrite: return [TestModel.quantized().bytes(), try fixture("classifier_uint8")]
    case .flexOptions:
      return try ModelGraphSummary.read(fixture("ssd_postprocess")).customOperators.map(\.options)
    case .labels:
      return texts(
        "cat\ndog\n", "\u{FEFF}???\r\ncat\r\n", "0 background\n1  Haus\n2: grün\n", "a",
        #"item { id: 1 name: "caf\303\251" 'b\x41' display_name: '\u00e9' list: ["c", 2] }"#)
    case .calibration:
      return texts("1,2,3\n\n0.5,1.5,-2,0.25\n", "1e-3, -0.5, 3E4\r\n", "inf,nan,0,0\n")
    case .exporterNames:
      return texts(
        "{'description': 'Ultralytics (\"x\")', 'stride': 32, 'task': 'detect', 'names': {0: 'person', 1: \"o'k\"}}",
        #"{"names": {"0": "person", "1": "b\u00e9b\u00e9"}, "imgsz": [640, 640]}"#,
        "{'names': ['a', 'b\\'c']}")
    case .manifest:
      return texts(
        #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING",}"#)
    case .detectionManifest: return texts(ModelBundleTests.detectionManifest)
    }
  }

  /// The outcome: the codes of the errors, or "ok".
  private func read(_ bytes: [UInt8]) throws -> String {
    var codes: Set<String> = []
    var failure: FuzzFailure?
    func attempt(_ body: () throws(MetadataError) -> Void) {
      do throws(MetadataError) {
        try body()
      } catch {
        codes.insert(error.code.description)
        if error.message.isEmpty || error.remedy.description.isEmpty {
          failure = FuzzFailure("an error without reason or remedy: \(error)")
        }
      }
    }
    switch kind {
    case .metadata, .graph:
      if CorruptionTests.readAll(bytes) > 0 { codes.insert("errors") }
      attempt { () throws(MetadataError) in try ModelGraphCheck.check(bytes.span) }
      attempt { () throws(MetadataError) in _ = try OutputActivation.read(bytes.span) }
      attempt { () throws(MetadataError) in _ = try PostProcessOptions.read(bytes.span) }
      attempt { () throws(MetadataError) in
        if let metadata = try ModelMetadata.read(bytes) { _ = try AnchorMetadata.read(metadata) }
      }
    case .rewrite:
      attempt { () throws(MetadataError) in
        if let result = try Int8Rewrite.rewrite(bytes) { try ModelGraphCheck.check(result.span) }
      }
    case .head:
      for layer in [EmbeddingLayer.pool, .last, .tensor("logits")] {
        attempt { () throws(MetadataError) in
          let graph = try EmbeddingGraph(model: bytes, name: "damaged", layer: layer)
          try ModelGraphCheck.check(graph.bytes().span)
          let head = LinearHead(
            weights: [Float](repeating: 0.5, count: 2 * graph.count), bias: [1, -1], logitRange: -2...2)
          let model = try graph.classifier(head, ClassifierDescription(labels: ["a", "b"]))
          try ModelGraphCheck.check(model.span)
        }
      }
    case .flexOptions: codes.insert(FlexMap(bytes)?.isPlain.description ?? "nil")
    case .labels: attempt { () throws(MetadataError) in _ = try LabelMap(parsing: bytes, source: "labels") }
    case .calibration:
      attempt { () throws(MetadataError) in
        let calibration = try ScoreCalibration(
          parsing: bytes, source: "calibration", classCount: 3, options: ScoreCalibrationOptions())
        for score in [-1, 0, 0.5, 1, .nan, .infinity] as [Float] {
          for index in 0..<3 {
            let result = calibration.apply(score, classIndex: index)
            if score.isFinite, result.isNaN {
              failure = FuzzFailure("\(score) of class \(index) becomes NaN")
            }
          }
        }
      }
    case .exporterNames: codes.insert(ExporterDescription.parse(bytes) == nil ? "nil" : "names")
    case .manifest, .detectionManifest:
      do throws(JSONFailure) {
        _ = try Manifest(bytes, name: "manifest")
      } catch {
        codes.insert(error.kind == .mismatch ? "mismatch" : "not-json")
        if error.reason.isEmpty { failure = FuzzFailure("an error without a reason") }
      }
    }
    if let failure { throw failure }
    return codes.isEmpty ? "ok" : codes.sorted().joined(separator: "+")
  }
}
