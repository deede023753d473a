// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaMetadata
import FoveaRuntime
import FoveaTesting
import Testing

@testable import FoveaDecoding

/// Shapes that satisfy a family's rule, and shapes that break one part of it.
@Suite struct FamilyRuleTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var input: [Int]
    var outputs: [[Int]]
    var family: DetectorFamily?
    var type = ElementType.float32
    var quantization = Quantization.none
    var activation: OutputActivation?
    var testDescription: String { "\(input) → \(outputs) \(type)" }
    var model: DetectorRecognizer {
      FamilyReference.model(
        input: input, outputs, type: type, quantization: quantization, activation: activation)
    }
  }

  static let shapes = [
    Shape(input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896, 1]], family: .mediaPipeFace),
    Shape(input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896]], family: .mediaPipeFace),
    Shape(input: [1, 128, 128, 3], outputs: [[1, 895, 16], [1, 895, 1]]),
    Shape(input: [1, 128, 128, 3], outputs: [[1, 896, 18], [1, 896, 1]]),
    Shape(input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896, 2]]),
    Shape(input: [1, 160, 160, 3], outputs: [[1, 896, 16], [1, 896, 1]]),
    Shape(input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896, 1]], type: .int32),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 2016, 18], [1, 2016, 1]], family: .mediaPipePalm),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 2304, 18], [1, 2304, 1]]),
    Shape(input: [1, 192, 128, 3], outputs: [[1, 2016, 18], [1, 2016, 1]]),
    Shape(input: [1, 224, 224, 3], outputs: [[1, 2254, 12], [1, 2254, 1]], family: .mediaPipePose),
    Shape(input: [1, 128, 128, 3], outputs: [[1, 896, 1], [1, 896, 12]], family: .mediaPipePose),
    Shape(input: [1, 224, 224, 3], outputs: [[1, 2253, 12], [1, 2253, 1]]),
    Shape(input: [1, 256, 256, 3], outputs: [[1, 2254, 12], [1, 2254, 1]]),

    Shape(input: [1, 192, 192, 3], outputs: [[1, 1, 17, 3]], family: .movenet),
    Shape(
      input: [1, 3, 256, 256], outputs: [[1, 1, 17, 3]], family: .movenet, type: .uint8,
      quantization: .perTensor(scale: 1 / 255, zeroPoint: 0)),
    Shape(input: [1, 256, 256, 3], outputs: [[1, 6, 56]], family: .movenetMulti),
    Shape(input: [1, 160, 256, 3], outputs: [[1, 6, 56]], family: .movenetMulti, type: .float16),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 1, 17, 2]]),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 1, 21, 3]]),
    Shape(input: [1, 192, 192, 3], outputs: [[2, 1, 17, 3]]),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 2, 17, 3]]),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 1, 17, 3], [1, 1]]),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 1, 17, 3]], type: .int32),
    Shape(input: [1, 256, 256, 3], outputs: [[1, 6, 55]]),
    Shape(input: [1, 256, 256, 3], outputs: [[1, 7, 56]]),
    Shape(input: [1, 256, 256, 3], outputs: [[1, 56, 6]], family: .yolov10),

    Shape(
      input: [1, 96, 96, 3], outputs: [[1, 12, 12, 2]], family: .fomo, type: .int8,
      quantization: .perTensor(scale: 1 / 256, zeroPoint: -128)),
    Shape(input: [1, 96, 96, 1], outputs: [[1, 12, 12, 2]], family: .fomo, activation: .softmax),
    Shape(input: [1, 96, 96], outputs: [[1, 12, 12, 2]], family: .fomo, activation: .softmax),
    Shape(input: [1, 96, 160, 3], outputs: [[1, 24, 40, 9]], family: .fomo, activation: .softmax),
    Shape(input: [1, 96, 96, 3], outputs: [[1, 12, 12, 2]], activation: .other),
    Shape(input: [1, 96, 96, 3], outputs: [[1, 12, 12, 2]]),
    Shape(input: [1, 96, 96, 3], outputs: [[1, 12, 12, 1]], activation: .softmax),
    Shape(input: [1, 96, 96, 3], outputs: [[1, 12, 11, 2]], activation: .softmax),
    Shape(input: [1, 96, 96, 3], outputs: [[1, 96, 96, 2]], activation: .softmax),
    Shape(input: [1, 96, 96, 3], outputs: [[2, 12, 12, 2]], activation: .softmax),
    Shape(
      input: [1, 96, 96, 3], outputs: [[1, 12, 12, 2]], type: .int8,
      quantization: .perTensor(scale: 1, zeroPoint: .min)),

    Shape(
      input: [1, 512, 512, 3], outputs: [[1, 128, 128, 80], [1, 128, 128, 2], [1, 128, 128, 2]],
      family: .centerNet),
    Shape(
      input: [1, 3, 96, 64], outputs: [[1, 2, 24, 16], [1, 2, 24, 16], [1, 1, 24, 16]], family: .centerNet),
    Shape(
      input: [1, 66, 63, 3], outputs: [[1, 2, 17, 16], [1, 17, 16, 5], [1, 17, 16, 2]], family: .centerNet,
      type: .int8, quantization: .perTensor(scale: 1, zeroPoint: 0)),
    Shape(input: [1, 96, 64, 3], outputs: [[1, 24, 16, 2], [1, 24, 16, 2], [1, 24, 16, 2]]),
    Shape(input: [1, 96, 64, 3], outputs: [[1, 24, 16, 3], [1, 24, 16, 2], [1, 16, 24, 2]]),
    Shape(
      input: [1, 96, 64, 3], outputs: [[1, 24, 16, 3], [1, 24, 16, 2], [1, 24, 16, 2]], type: .int32),
    Shape(
      input: [1, 96, 64, 3], outputs: [[1, 24, 16, 3], [1, 24, 16, 2], [1, 24, 16, 2], [1, 24, 16, 1]]),

    Shape(input: [1, 416, 416, 3], outputs: [[1, 13, 13, 125]], family: .yolov2),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 13, 13, 425]], family: .yolov2),
    Shape(input: [1, 224, 320, 3], outputs: [[1, 7, 10, 30]], family: .yolov2),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 13, 13, 255]]),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 13, 13, 126]]),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 13, 13, 25]]),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 14, 14, 125]]),
    Shape(input: [1, 400, 400, 3], outputs: [[1, 12, 12, 125]]),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 13, 13, 125], [1, 26, 26, 125]]),

    Shape(
      input: [1, 320, 320, 3],
      outputs: [1600, 400, 100, 25].map { [1, $0, 80] } + [1600, 400, 100, 25].map { [1, $0, 32] },
      family: .picodet),
    Shape(
      input: [1, 320, 320, 3],
      outputs: [1600, 400, 100].map { [1, $0, 80] } + [1600, 400, 100].map { [1, $0, 44] }, family: .nanodet),
    Shape(
      input: [1, 320, 320, 3],
      outputs: [1600, 400, 100, 25].map { [1, $0, 80] } + [1600, 400, 100, 25].map { [1, $0, 33] }),
    Shape(
      input: [1, 320, 320, 3],
      outputs: [1600, 400, 100, 26].map { [1, $0, 80] } + [1600, 400, 100, 26].map { [1, $0, 32] }),
    Shape(
      input: [1, 320, 320, 3],
      outputs: [[1, 1600, 80], [1, 400, 80], [1, 100, 81]] + [1600, 400, 100].map { [1, $0, 32] }),
    Shape(input: [1, 320, 320, 3], outputs: [[1, 2125, 80], [1, 2124, 32]]),

    Shape(input: [1, 416, 416, 3], outputs: [[1, 10_647, 4], [1, 10_647, 80]], family: .yolov4),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 2], [1, 2535, 4]], family: .yolov4),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 4], [1, 2535, 4]], family: .yolov4),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 4], [1, 2535, 1]], family: .yolov4),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 4], [1, 2535]], family: .yolov4),
    Shape(input: [1, 3, 320, 512], outputs: [[1, 10_080, 1, 4], [1, 10_080, 3]], family: .yolov4),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 4], [1, 2535, 2]], family: .yolov4, type: .int8),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 4], [1, 2535, 2]], type: .int32),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2534, 4], [1, 2534, 2]]),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 4], [1, 2534, 2]]),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 5], [1, 2535, 2]]),
    Shape(input: [1, 416, 416, 3], outputs: [[1, 2535, 4], [1, 2535, 2], [1, 2535, 1]]),

    Shape(
      input: [1, 192, 192, 3], outputs: [[1, 3830, 2], [1, 3830, 4], [1, 3830, 4]], family: .edgeSSD),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 3830, 10]], family: .edgeSSD),
    Shape(
      input: [1, 224, 224, 3], outputs: [[1, 6825, 21], [1, 6825, 4], [1, 6825, 4]], family: .edgeSSD),
    Shape(input: [1, 256, 256, 3], outputs: [[1, 6820, 88]], family: .edgeSSD, type: .int8),
    Shape(
      input: [1, 320, 320, 3], outputs: [[1, 10_670, 4], [1, 10_670, 4], [1, 10_670, 4]], family: .edgeSSD),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 3835, 9]]),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 3829, 10]]),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 3830, 2], [1, 3830, 4], [1, 3829, 4]]),
    Shape(input: [1, 192, 192, 3], outputs: [[1, 3830, 2], [1, 3830, 4], [1, 3830, 3]]),

    Shape(input: [1, 320, 320, 3], outputs: [[1, 116, 2100], [1, 80, 80, 32]], family: .yolov8),
    Shape(input: [1, 3, 320, 320], outputs: [[1, 32, 80, 80], [1, 116, 2100]], family: .yolov8),
    Shape(input: [1, 320, 320, 3], outputs: [[1, 6300, 117], [1, 80, 80, 32]], family: .yolov5),
    Shape(input: [1, 320, 320, 3], outputs: [[1, 300, 38], [1, 80, 80, 32]], family: .yolov10),
    Shape(input: [1, 320, 320, 3], outputs: [[1, 36, 2100], [1, 80, 80, 32]]),
    Shape(input: [1, 320, 320, 3], outputs: [[1, 116, 2100], [1, 80, 40, 32]]),

    Shape(input: [1, 0, 0, 3], outputs: [[1, 0, 0, 2]], activation: .softmax),
    Shape(input: [1, 0, 0, 3], outputs: [[0, 7]]),
    Shape(input: [1, .max, .max, 3], outputs: [[1, .max, .max, .max]], activation: .softmax),
    Shape(input: [1, 64, 64, 3], outputs: [[1, .max, 16]]),
    Shape(input: [1, 64, 64, 3], outputs: [[.max, 7]]),
    Shape(input: [1, 64, 64, 3], outputs: [[-1, 7]]),
    Shape(input: [], outputs: [[1, 896, 16], [1, 896, 1]]),
    Shape(input: [1, 64, 64, 3], outputs: [[], [], []]),
    Shape(input: [1, 64, 64, 3], outputs: [[4], [4], [4]]),
  ]

  @Test(arguments: shapes)
  func `a model belongs to the family whose rule it keeps, and to none if it breaks it`(_ test: Shape) {
    let decoder = try? test.model.decoder()
    #expect(decoder?.family == test.family)
    guard let family = test.family else { return }
    #expect((try? test.model.decoder(family: family))?.family == family)
  }

  @Test(arguments: shapes)
  func `no family requested by name crashes`(_ test: Shape) {
    for family in DetectorFamily.all {
      guard let decoder = try? test.model.decoder(family: family) else { continue }
      // Hostile sizes end here; other decoders must handle an output that is empty or too short.
      for outputs in [
        [], [[]], test.outputs.map { _ in [Float.nan] }, test.outputs.map { _ in [0, 1, 2, 3] },
      ] {
        _ = try? decoder.decode(outputs, threshold: 0.3, limit: 10)
      }
    }
  }

  @Test func `each declared family is in the list, and in the documentation`() throws {
    let root = URL(fileURLWithPath: PackageRoot.path)
    let files = try #require(
      FileManager.default.enumerator(atPath: root.path + "/Sources/Engine/FoveaDecoding/Detection")?
        .allObjects as? [String])
    let names = try files.filter { $0.contains("/DetectorFamily+") }.flatMap { file in
      try String(
        contentsOf: root.appending(path: "Sources/Engine/FoveaDecoding/Detection/" + file), encoding: .utf8
      )
      .matches(of: /: DetectorFamily = \.init\(\s*name: "([^"]+)"/).map { String($0.1) }
    }
    #expect(
      names.sorted() == DetectorFamily.all.map(\.name).sorted(),
      "DetectorFamily.all is every family that a DetectorFamily+….swift declares")
    let page = try String(contentsOf: root.appending(path: "docs/reference/models.md"), encoding: .utf8)
    for family in DetectorFamily.all {
      let hasRow = page.contains("\n| `\(family)` |")
      let hasRule = page.contains("\n    the outputs of \(family): \(family.rule); or\n")
      #expect(hasRow, "docs/reference/models.md has no row '| `\(family)` |' in a table of families")
      #expect(hasRule, "the example of 'fovea model inspect' there lacks the rule of \(family), as it is now")
    }
  }

  @Test func `the table of families has each family in the order of recognition, with its IoU`() throws {
    let url = URL(fileURLWithPath: PackageRoot.path).appending(path: "docs/reference/models.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let section = page.components(separatedBy: "\n## Detector families\n").last ?? ""
    let table = section.components(separatedBy: "\n#").first ?? ""
    let rows: [[String]] = table.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    let names = DetectorFamily.all.map(\.name) + ["classifier"]
    #expect(rows.map { $0.first ?? "" } == names.map { "`\($0)`" })
    for (family, row) in zip(DetectorFamily.all, rows) where !family.forms.isEmpty || family.iou != nil {
      // Further values depend on the model.
      let usual = row.last?.components(separatedBy: ";").first
      #expect(usual == family.iou.map { "\($0)" } ?? "none", "\(family)")
    }
  }

  @Test func `each family has a name, a rule and an input`() {
    #expect(Set(DetectorFamily.all.map(\.rule)).count == DetectorFamily.all.count)
    #expect(DetectorFamily(name: "blazeface") == .mediaPipeFace)
    #expect(DetectorFamily(name: "nanodet-plus") == .nanodet)
    #expect(DetectorFamily(name: "d-fine") == .rtDETR && DetectorFamily(name: "rf-detr") == .detr)
    for family in DetectorFamily.all where DetectorFamily(name: family.name) != family {
      Issue.record("\(family)")
    }
    #expect(DetectorFamily.nanodet.input.isBGR && !DetectorFamily.picodet.input.isBGR)
    #expect(
      DetectorFamily.nanodet.input.normalization?.mean.reversed()
        == DetectorFamily.picodet.input.normalization?.mean)
  }
}
