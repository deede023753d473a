// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import Testing

@testable import FoveaDecoding

@Suite struct CenterNetTests {
  /// A model of 80 × 48 pixels, so with maps of 20 × 12 cells, and the channels of its outputs.
  static func model(
    _ channels: [Int] = [3, 2, 2], names: [String] = ["hm", "wh", "reg"], activation: OutputActivation? = nil
  ) -> DetectorRecognizer {
    FamilyReference.model(
      input: [1, 48, 80, 3], channels.map { [1, 12, 20, $0] }, names: names, activation: activation)
  }

  static let heat = FamilyReference.numbers(seed: 33, count: 12 * 20 * 3, -9, 1)
  static let sizes = FamilyReference.numbers(seed: 34, count: 12 * 20 * 2, 1, 9)
  static let offsets = FamilyReference.numbers(seed: 35, count: 12 * 20 * 2, 0, 1)

  @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0]], [false, true])
  func `peaks have the boxes of the published formulas, in any order of the outputs`(
    _ order: [Int], _ isNamed: Bool
  ) throws {
    var model = Self.model(
      order.map { [3, 2, 2][$0] }, names: isNamed ? order.map { ["hm", "wh", "reg"][$0] } : [])
    model.suppression.crossClassIoU = 1
    let decoder = try model.decoder()
    #expect(decoder.family == .centerNet && decoder.classCount == 3 && decoder.maximumDetections == 100)
    for heat in [Self.heat, Self.heat.map(sigmoid)] {
      let values = [heat, Self.sizes, Self.offsets]
      let found = try decoder.decode(order.map { values[$0] }, threshold: 0.6, limit: 100)
      try FamilyReference.expect(found, "centernet")
      #expect(try found.count == FamilyReference.answers.get()["centernet"]?.count)
    }
  }

  /// Maps without objects, and objects at (column, row) with a score; sizes are 4 × 3 cells.
  static func maps(
    _ objects: [(x: Int, y: Int, score: Float)], classCount: Int = 3, size: [Float] = [4, 3],
    offset: [Float] = [0.25, 0.5]
  ) -> [[Float]] {
    var heat = [Float](repeating: 0.01, count: 12 * 20 * classCount)
    for object in objects { heat[(object.y * 20 + object.x) * classCount] = object.score }
    return [heat] + [size, offset].map { numbers in (0..<(12 * 20)).flatMap { _ in numbers } }
  }

  @Test func `of equal neighbours one is a peak, and cells at an edge have fewer neighbours`() throws {
    let decoder = try Self.model().decoder()
    func places(_ objects: [(x: Int, y: Int, score: Float)]) throws -> [Double] {
      let found = try decoder.decode(Self.maps(objects), threshold: 0.3, limit: 9)
      // Offsets are a quarter of a cell.
      return found.map { (($0.box.minX + $0.box.maxX) * 10 - 0.25).rounded() }
    }
    #expect(try places([(5, 5, 0.5), (6, 5, 0.5), (6, 6, 0.5)]) == [5])
    #expect(try places([(6, 5, 0.5), (5, 6, 0.5)]) == [6])
    #expect(try places([(5, 5, 0.5), (6, 6, 0.6)]) == [6])
    #expect(try places([(5, 5, 0.5), (7, 5, 0.6)]) == [7, 5])
    // The last cell of a row and the first of the next are not neighbours.
    #expect(try places([(19, 0, 0.5), (0, 1, 0.6), (19, 11, 0.4)]) == [0, 19, 19])
  }

  @Test(arguments: [1, 2, 3]) func `a box begins at its centre less half of its size`(_ classCount: Int)
    throws
  {
    let names = ["StatefulPartitionedCall/heat_map", "a/size/BiasAdd", "b/offset"]
    let found = try Self.model([classCount, 2, 2], names: names).decoder().decode(
      Self.maps([(10, 6, 0.9)], classCount: classCount), threshold: 0.3, limit: 9)
    #expect(found.map(\.classIndex) == [0])
    let box = try #require(found.first).box.pixels(in: PixelSize(width: 80, height: 48))
    #expect([box.minX, box.minY, box.maxX, box.maxY].map { ($0 * 1e4).rounded() / 1e4 } == [33, 20, 49, 32])
  }

  @Test(arguments: [Float.nan, 0.01, -6]) func `a map of background has no objects`(_ value: Float) throws {
    for names in [[], ["hm", "wh", "reg"]] {
      let decoder = try Self.model(names: names).decoder()
      var maps = Self.maps([])
      maps[0] = maps[0].map { _ in value }
      if value.isNaN {
        let error = #expect(throws: DetectionError.self) {
          try decoder.decode(maps, threshold: 0.3, limit: 9)
        }
        #expect(error?.message == "'m.tflite' returned no number at all (NaN)")
      } else {
        #expect(try decoder.decode(maps, threshold: 0.3, limit: 9).isEmpty)
      }
    }
  }

  @Test func `numbers that are missing or too large`() throws {
    let decoder = try Self.model().decoder()
    var maps = Self.maps([(10, 6, 0.9), (3, 3, 0.8)])
    let heat = maps[0]
    for (value, text) in [
      (.nan, "a score of row 131 that is not a number"),
      (-.infinity, "a score of row 131 that is not a number"),
      (.infinity, "inf as a class's score; it must be 0…1"),
    ] as [(Float, String)] {
      maps[0][(6 * 20 + 11) * 3] = value
      let wrong = #expect(throws: DetectionError.self) {
        try decoder.decode(maps, threshold: 0.3, limit: 9)
      }
      #expect(wrong?.message.hasSuffix("returned \(text)") == true)
    }
    maps[0] = heat
    #expect(try decoder.decode(maps, threshold: 0.3, limit: 9).count == 2)
    maps[1][2 * (6 * 20 + 10)] = .nan
    #expect(try decoder.decode(maps, threshold: 0.3, limit: 9).count == 1)
    maps[2][2 * (3 * 20 + 3)] = .infinity
    #expect(try decoder.decode(maps, threshold: 0.3, limit: 9).isEmpty)
    for heat in [maps[0].map { _ in Float(0.5) }, maps[0].map { $0 + 1 }] {
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode([heat, maps[1], maps[2]], threshold: 0.3, limit: 9)
      }
      #expect(error?.code == .invalidOutput)
    }
    for wrong in [[], [[]], [maps[0], maps[1]], [maps[0], maps[1], [1]]] {
      #expect(throws: DetectionError.self) { try decoder.decode(wrong, threshold: 0.3, limit: 9) }
    }
  }

  @Test func `sizes that can be offsets are an error unless names, values or the family decide`() throws {
    let tiny = Self.maps([(10, 6, 0.9)], size: [0.75, 0.5])
    #expect(try Self.model().decoder().decode(tiny, threshold: 0.3, limit: 9).count == 1)
    let error = #expect(throws: DetectionError.self) {
      try Self.model(names: []).decoder().decode(tiny, threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .ambiguousModel)
    #expect(
      error?.message
        == "'m.tflite' of the family 'centernet' can be read in two ways: sizes in output 1 and offsets in"
        + " output 2, or the reverse, as all are 0 to 1")
    #expect(
      error?.remedy.description
        == "Give the outputs the names 'heatmap', 'size' and 'offset' in the model's metadata, or name the"
        + " family (Options.family = DetectorFamily(\"centernet\")) if they are in this order")
    let named = try Self.model(names: []).decoder(family: .centerNet)
    let box = try #require(try named.decode(tiny, threshold: 0.3, limit: 9).first).box
    #expect(abs(box.maxX - box.minX - 0.75 / 20) < 1e-6)
    // Values decide against the order, too.
    let large = Self.maps([(10, 6, 0.9)])
    let other = try #require(
      try named.decode([large[0], large[2], large[1]], threshold: 0.3, limit: 9).first
    ).box
    #expect(abs(other.maxX - other.minX - 4 / 20) < 1e-6)
    let neither = Self.maps([(10, 6, 0.9)], offset: [7, 8])
    let wrong = #expect(throws: DetectionError.self) { try named.decode(neither, threshold: 0.3, limit: 9) }
    #expect(wrong?.code == .invalidOutput)
  }

  @Test func `three maps alike need names, a sigmoid or the family`() throws {
    let model = Self.model([2, 2, 2], names: [])
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(error?.code == .ambiguousModel)
    #expect(
      error?.message.hasPrefix(
        "'m.tflite' can be centernet with 2 classes, but any of its maps can be that of the scores: it has 1"
      ) == true, "\(error?.message ?? "")")
    let maps = Self.maps([(10, 6, 0.9)], classCount: 2)
    #expect(try model.decoder(family: .centerNet).decode(maps, threshold: 0.3, limit: 9).count == 1)
    for model in [
      Self.model([2, 2, 2], names: ["out0", "b", "c"], activation: .sigmoid),
      Self.model([2, 2, 2], names: ["out0", "wh", "offset"]),
      Self.model([2, 2, 2], names: ["heat", "b", "c"]),
    ] {
      #expect(try model.decoder().decode(maps, threshold: 0.3, limit: 9).count == 1)
    }
  }

  @Test func `names in the metadata decide`() throws {
    var model = Self.model([2, 2, 2], names: [])
    var graph = ModelMetadata.Subgraph()
    graph.outputs = ["offset", "Size", "heatmap"].map { TensorMetadata(name: $0) }
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    model.metadata = metadata
    let maps = Self.maps([(10, 6, 0.9)], classCount: 2, size: [0.75, 0.5])
    let box = try #require(try model.decoder().decode(maps.reversed(), threshold: 0.3, limit: 9).first).box
    #expect(abs(box.maxX - box.minX - 0.75 / 20) < 1e-6)
  }

  @Test(arguments: [
    ([[1, 8, 8, 80], [1, 8, 8, 2], [1, 8, 8, 2]], true),
    ([[2, 16, 16, 80], [2, 16, 16, 2], [2, 16, 16, 2]], true), ([[1, 16, 16, 80], [1, 16, 16, 2]], true),
    ([[1, 16, 16, 80], [1, 16, 16, 2], [1, 8, 8, 2]], false),
    ([[1, 16, 16, 80], [1, 16, 16, 4], [1, 16, 16, 2]], false),
  ])
  func `near misses are refused`(_ outputs: [[Int]], _ isNearest: Bool) {
    let model = FamilyReference.model(input: [1, 64, 64, 3], outputs)
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(error?.code == .unknownFamily)
    #expect(error?.message.contains("The nearest is 'centernet', which has three") == isNearest)
  }
}
