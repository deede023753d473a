// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import Testing

/// The roles of a post-processed SSD's outputs: names, metadata, ranges, values; and impossible results.
@Suite struct SSDRoleTests {
  struct Named: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Names by role, in the order of the outputs: "b" boxes, "c" classes, "s" scores, "n" count.
    var order: String
    var names: [Character: String]
    var metadata: [Character: String] = [:]
  }

  static let values: [Character: [Float]] = [
    "b": [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.9, 0.9], "c": [2, 0], "s": [0.93, 0.81], "n": [2],
  ]
  static let shapes: [Character: [Int]] = ["b": [1, 2, 4], "c": [1, 2], "s": [1, 2], "n": [1]]
  static let detection: [Character: String] = [
    "b": "detection_boxes", "c": "detection_classes", "s": "detection_scores", "n": "num_detections",
  ]
  static let automatic: [Character: String] = [
    "b": "bounding_boxes", "c": "class_labels", "s": "class_confidences", "n": "num_of_boxes",
  ]
  static let described: [Character: String] = [
    "b": "location", "c": "category", "s": "score", "n": "number of detections",
  ]
  static let unnamed: [Character: String] = [
    "b": "Identity", "c": "Identity_1", "s": "Identity_2", "n": "Identity_3",
  ]

  static func decoder(
    _ row: Named, change: (Int, inout TensorDescription) -> Void = { _, _ in }
  ) throws(DetectionError) -> any DetectionDecoder {
    var outputs = row.order.map { role in
      TensorDescription(name: row.names[role] ?? "", elementType: .float32, shape: shapes[role] ?? [])
    }
    for index in outputs.indices { change(index, &outputs[index]) }
    let image = TensorDescription(name: "image", elementType: .uint8, shape: [1, 300, 300, 3])
    var metadata: ModelMetadata?
    if !row.metadata.isEmpty {
      var graph = ModelMetadata.Subgraph()
      graph.outputs = row.order.map { TensorMetadata(name: row.metadata[$0]) }
      metadata = ModelMetadata()
      metadata?.subgraphs = [graph]
    }
    return try DetectorRecognizer(
      modelName: "m", signature: ModelSignature(key: nil, inputs: [image], outputs: outputs),
      metadata: metadata
    ).decoder()
  }

  static func answers(_ order: String) -> [[Float]] { order.map { values[$0] ?? [] } }

  static let orders = ["bcsn", "bscn", "sbnc", "cnsb", "nscb"]

  @Test(arguments: orders)
  func `outputs in any order are found by their names, by the metadata, and by their values`(_ order: String)
    throws
  {
    for row in [
      Named(testDescription: "names", order: order, names: Self.detection),
      Named(testDescription: "AutoML's names", order: order, names: Self.automatic),
      Named(testDescription: "metadata", order: order, names: Self.unnamed, metadata: Self.described),
      Named(testDescription: "values", order: order, names: Self.unnamed),
    ] {
      let found = try Self.decoder(row).decode(Self.answers(order), threshold: 0, limit: 10)
      #expect(found.map(\.classIndex) == [2, 0], "\(row)")
      #expect(found.map(\.score) == [0.93, 0.81], "\(row)")
    }
  }

  /// Two scores of 0 and the classes 1 and 0, of an image without objects.
  static let blank: [Character: [Float]] = ["b": values["b"] ?? [], "c": [1, 0], "s": [0, 0], "n": [2]]

  @Test(arguments: orders, ["s", "c", "sc", "bs", "nc"])
  func `existing names decide, and then shapes`(_ order: String, _ named: String) throws {
    var names = Self.unnamed
    for role in named { names[role] = Self.detection[role] }
    let decoder = try Self.decoder(Named(testDescription: "", order: order, names: names))
    let found = try decoder.decode(Self.answers(order), threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [2, 0] && found.map(\.score) == [0.93, 0.81])
    let nothing = order.map { Self.blank[$0] ?? [] }
    #expect(try decoder.decode(nothing, threshold: 0.5, limit: 10).isEmpty)
  }

  @Test func `tensor names take precedence over the metadata`() throws {
    var wrong = Self.described
    (wrong["c"], wrong["s"]) = (wrong["s"], wrong["c"])
    let row = Named(testDescription: "", order: "bscn", names: Self.detection, metadata: wrong)
    let found = try Self.decoder(row).decode(Self.answers("bscn"), threshold: 0, limit: 10)
    #expect(found.map(\.score) == [0.93, 0.81])
  }

  @Test func `the operator's outputs take precedence over all names`() throws {
    let names: [Character: String] = ["b": "scores", "c": "boxes", "s": "classes", "n": "count"]
    let outputs = "nscb".map { role in
      TensorDescription(name: names[role] ?? "", elementType: .float32, shape: Self.shapes[role] ?? [])
    }
    let image = TensorDescription(name: "image", elementType: .uint8, shape: [1, 300, 300, 3])
    var recognizer = DetectorRecognizer(
      modelName: "m", signature: ModelSignature(key: nil, inputs: [image], outputs: outputs), metadata: nil)
    recognizer.hints.postProcess = PostProcessOptions()
    recognizer.hints.postProcess?.outputs = ["scores", "boxes", "classes", "count"]
    let found = try recognizer.decoder().decode(Self.answers("nscb"), threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [2, 0])
  }

  @Test func `quantised scores are read, and their scale marks them as scores`() throws {
    let row = Named(testDescription: "", order: "bscn", names: Self.unnamed)
    let decoder = try Self.decoder(row) { index, tensor in
      tensor.elementType = .uint8
      tensor.quantization = .perTensor(scale: index == 2 ? 1 : 1 / 256, zeroPoint: 0)
    }
    #expect(decoder.family == .ssdPostProcess)
    let found = try decoder.decode(Self.answers("bscn"), threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [2, 0])
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var classes: [Float] = [2, 0]
    var scores: [Float] = [0.93, 0.81]
    var message: String
  }

  static let broken = [
    Broken(
      testDescription: "a score above 1", scores: [2, 0],
      message: "'m' returned 2.0 as the score of detection 0, expected 0 to 1"),
    Broken(
      testDescription: "a score below 0", scores: [0.9, -3],
      message: "'m' returned -3.0 as the score of detection 1, expected 0 to 1"),
    Broken(
      testDescription: "a fractional class", classes: [2, 0.5],
      message: "'m' returned 0.5 as the class of detection 1, expected a whole number from 0"),
    Broken(
      testDescription: "a fractional class below the threshold", classes: [0.93, 0.81],
      scores: [0, 0],
      message: "'m' returned 0.93 as the class of detection 0, expected a whole number from 0"),
    Broken(
      testDescription: "a detection without a class", classes: [-1, 0],
      message: "'m' returned -1.0 as the class of detection 0, expected a whole number from 0"),
  ]

  @Test(arguments: broken) func `an impossible score or class is an error`(_ row: Broken) throws {
    let decoder = try Self.decoder(Named(testDescription: "", order: "bcsn", names: Self.detection))
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode(
        [Self.values["b"] ?? [], row.classes, row.scores, [2]], threshold: 0.3, limit: 10)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message == row.message)
    #expect(
      error?.remedy
        == "Check the model with the tool that exported it; its outputs may be in another order")
  }

  @Test func `unused rows may have the class −1, and scores may be rounded`() throws {
    let decoder = try Self.decoder(Named(testDescription: "", order: "bcsn", names: Self.detection))
    let found = try decoder.decode(
      [Self.values["b"] ?? [], [1, -1], [1.004, 0], [2]], threshold: 0.3, limit: 10)
    #expect(found.map(\.score) == [1])
    #expect(found.map(\.classIndex) == [1])
  }
}
