// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// ST's SSDs at 64 × 64 pixels: maps of 8, 4, 2, 1 and 1 cells, five anchors each.
@Suite struct EdgeSSDTests {
  static let anchors: [Float] = [8, 4, 2, 1, 1].enumerated().flatMap { level, cells -> [Float] in
    let sizes: [(Float, Float)] = [(1, 1), (1.4142, 0.7071), (0.7071, 1.4142), (0.5774, 1.7321), (1.3, 1.3)]
    let size = 0.26 + 0.16 * Float(level)
    return (0..<cells * cells).flatMap { cell -> [Float] in
      let (y, x) = cell.quotientAndRemainder(dividingBy: cells)
      let (middleX, middleY) = ((Float(x) + 0.5) / Float(cells), (Float(y) + 0.5) / Float(cells))
      return sizes.flatMap { shape in
        let (width, height) = (size * shape.0 / 2, size * shape.1 / 2)
        return [middleX - width, middleY - height, middleX + width, middleY + height]
      }
    }
  }
  static let rows = anchors.count / 4

  /// One object of the last class, with the edges of anchor 57 moved by 0.1, 0.2, −0.3 and 0.4 of its size.
  static func parts(classes: Int) -> [[Float]] {
    var scores: [Float] = []
    var offsets: [Float] = []
    for row in 0..<rows {
      scores += (0...classes).map { $0 == (row == 57 ? classes : 0) ? 0.9 : 0.1 / Float(classes) }
      offsets += row == 57 ? [0.1, 0.2, -0.3, 0.4] : [-0.1, 0.1, 0.1, -0.1]
    }
    return [scores, offsets, anchors]
  }

  static func joined(_ parts: [[Float]], classes: Int) -> [Float] {
    (0..<rows).flatMap { row in
      zip(parts, [classes + 1, 4, 4]).flatMap { part, count in part[row * count..<(row + 1) * count] }
    }
  }

  static func expectObject(_ found: [Detection], classIndex: Int) {
    #expect(found.count == 1 && found.first?.classIndex == classIndex)
    let edges = Array(anchors[57 * 4..<58 * 4])
    let (width, height) = (edges[2] - edges[0], edges[3] - edges[1])
    let truth = [
      edges[0] + 0.1 * width, edges[1] + 0.2 * height, edges[2] - 0.3 * width, edges[3] + 0.4 * height,
    ]
    guard let box = found.first?.box else { return }
    for (one, other) in zip([box.minX, box.minY, box.maxX, box.maxY], truth) {
      #expect(abs(one - Double(other)) < 1e-5)
    }
  }

  @Test(arguments: [1, 3, 20])
  func `three outputs in any order are read, and a single one`(_ classes: Int) throws {
    let parts = Self.parts(classes: classes)
    let shapes = [classes + 1, 4, 4].map { [1, Self.rows, $0] }
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let decoder = try FamilyReference.model(input: [1, 64, 64, 3], order.map { shapes[$0] }).decoder()
      #expect(decoder.family == .edgeSSD && decoder.classCount == classes)
      Self.expectObject(
        try decoder.decode(order.map { parts[$0] }, threshold: 0.5, limit: 9), classIndex: classes - 1)
    }
    let decoder = try FamilyReference.model(input: [1, 64, 64, 3], [[1, Self.rows, classes + 9]]).decoder()
    #expect(decoder.family == .edgeSSD && decoder.classCount == classes)
    Self.expectObject(
      try decoder.decode([Self.joined(parts, classes: classes)], threshold: 0.5, limit: 9),
      classIndex: classes - 1)
  }

  /// Scores of a softmax in bytes without detections: 80 classes of at most half a step are 0 each.
  @Test(
    arguments: [
      (.uint8, .perTensor(scale: 1 / 256, zeroPoint: 0)),
      (.int8, .perTensor(scale: 1 / 256, zeroPoint: -128)), (.float32, .none),
    ] as [(ElementType, Quantization)])
  func `many classes that bytes round to 0 leave readable scores`(
    _ type: ElementType, _ quantization: Quantization
  ) throws {
    var parts = Self.parts(classes: 80)
    for row in 0..<Self.rows where row != 57 {
      for column in 0...80 { parts[0][row * 81 + column] = column == 0 ? 220 / 256 : 0 }
    }
    let shapes = [[1, Self.rows, 81], [1, Self.rows, 4], [1, Self.rows, 4]]
    let decoder = try FamilyReference.model(
      input: [1, 64, 64, 3], shapes, type: type, quantization: quantization
    ).decoder()
    #expect(decoder.family == .edgeSSD)
    Self.expectObject(try decoder.decode(parts, threshold: 0.5, limit: 9), classIndex: 79)
  }

  @Test func `another exporter's data in such tensors is an error`() throws {
    let model = FamilyReference.model(
      input: [1, 64, 64, 3], [[1, Self.rows, 2], [1, Self.rows, 4], [1, Self.rows, 4]])
    let decoder = try model.decoder()
    let parts = Self.parts(classes: 1)
    func message(_ change: (inout [[Float]]) -> Void) -> String? {
      var parts = parts
      change(&parts)
      return #expect(throws: DetectionError.self) { try decoder.decode(parts, threshold: 0.5, limit: 9) }?
        .message
    }
    let text =
      "that are not 430 rows of 2 scores that add up to 1, four offsets, and four edges of anchors"
    // Anchors as centre and size, whose offsets are decoded like those of other SSDs.
    let centers = (0..<Self.rows).flatMap { row -> [Float] in
      let edges = Self.anchors[row * 4..<row * 4 + 4].map { $0 }
      return [(edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2, edges[2] - edges[0], edges[3] - edges[1]]
    }
    #expect(message { $0[2] = centers }?.hasSuffix(text) == true)
    // Anchors with y first.
    let turned = (0..<Self.rows).flatMap { row in [1, 0, 3, 2].map { Self.anchors[row * 4 + $0] } }
    #expect(message { $0[2] = turned }?.hasSuffix(text) == true)
    #expect(message { $0[2] = $0[1] }?.hasSuffix(text) == true)
    #expect(message { $0[1] = $0[2] }?.hasSuffix(text) == true)
    #expect(message { $0[0] = $0[0].map { $0 * 4 } }?.hasSuffix(text) == true)
    #expect(message { $0[0][4] = .nan }?.hasSuffix(text) == true)
    #expect(message { $0[2][9] = .infinity }?.hasSuffix(text) == true)
    #expect(message { $0[1].removeLast() }?.hasSuffix(text) == true)
  }

  @Test func `another number of anchors needs the family's name`() throws {
    let other = FamilyReference.model(input: [1, 100, 100, 3], [[1, Self.rows, 11]])
    #expect(throws: DetectionError.self) { try other.decoder() }
    let decoder = try other.decoder(family: .edgeSSD)
    Self.expectObject(
      try decoder.decode([Self.joined(Self.parts(classes: 2), classes: 2)], threshold: 0.5, limit: 9),
      classIndex: 1)
  }

  @Test func `rows read as Keras' are an error that names the family`() throws {
    let model = FamilyReference.model(input: [1, 64, 64, 3], [[1, Self.rows, 11]])
    let error = #expect(throws: DetectionError.self) {
      try model.decoder(family: .priorSSD).decode(
        [Self.joined(Self.parts(classes: 2), classes: 2)], threshold: 0.5, limit: 9)
    }
    #expect(
      error?.description
        == "'m.tflite' of the family 'ssd-priors' returned anchors as edges without variances, as ST's SSDs do. Name the"
        + " family 'st-ssd' (Options.family = DetectorFamily(\"st-ssd\")) if it is one, or export the model with its"
        + " variances.")
  }
}
