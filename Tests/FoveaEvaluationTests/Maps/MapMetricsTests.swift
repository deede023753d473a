// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import Testing

/// Figures of class maps, compared with figures computed with NumPy 2.4.6.
///
///     keep = t < 255
///     n = numpy.bincount(t[keep] * 256 + p[keep], minlength=65536).reshape(256, 256)
///     d, ti, mi = numpy.diag(n)[:255], n.sum(1)[:255], n.sum(0)[:255]
///     u = ti + mi - d
///     k = u > 0
///     mean_iou, accuracy = (d[k] / u[k]).mean(), d.sum() / ti.sum()
///     mean_accuracy = (d[ti > 0] / ti[ti > 0]).mean()
///     weighted = (ti[k] * d[k] / u[k]).sum() / ti.sum()
@Suite struct MapMetricsTests {
  struct Figures: Sendable {
    var meanIoU: Double
    var pixelAccuracy: Double
    var meanAccuracy: Double
    var frequencyWeightedIoU: Double
  }

  struct MapCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var truth: [UInt8]
    var map: [UInt8]
    /// The number, the pixels in the truth and in the map, the intersection and the union of each class.
    var classes: [[Int]]
    var void = 0
    var unclassified = 0
    /// The means; nil without counted pixels.
    var figures: Figures?
  }

  static func isEqual(_ figure: Double?, _ expected: Double?) -> Bool {
    guard let figure, let expected else { return figure == nil && expected == nil }
    return abs(figure - expected) <= 1e-12
  }

  /// Pixels in a pattern in which classes 0, 1, 2 and 4 occur, and each eleventh is void.
  static let truth = (0..<10_000).map { $0 % 11 == 0 ? 255 : UInt8($0 * $0 % 7) }
  /// Pixels in a pattern of classes 0 to 4, of which each thirteenth has no class.
  static let map = (0..<10_000).map { $0 % 13 == 0 ? 255 : UInt8($0 * 3 % 5) }

  @Test(arguments: [
    MapCase(
      testDescription: "equal", truth: [0, 0, 1, 1], map: [0, 0, 1, 1],
      classes: [[0, 2, 2, 2, 2], [1, 2, 2, 2, 2]],
      figures: Figures(meanIoU: 1, pixelAccuracy: 1, meanAccuracy: 1, frequencyWeightedIoU: 1)),
    MapCase(
      testDescription: "one pixel", truth: [7], map: [7], classes: [[7, 1, 1, 1, 1]],
      figures: Figures(meanIoU: 1, pixelAccuracy: 1, meanAccuracy: 1, frequencyWeightedIoU: 1)),
    MapCase(
      testDescription: "two classes", truth: [0, 0, 0, 0, 1, 1], map: [0, 0, 0, 1, 1, 0],
      classes: [[0, 4, 4, 3, 5], [1, 2, 2, 1, 3]],
      figures: Figures(
        meanIoU: 0.4666666666666667, pixelAccuracy: 0.6666666666666666, meanAccuracy: 0.625,
        frequencyWeightedIoU: 0.5111111111111111)),
    MapCase(
      testDescription: "all wrong", truth: [0, 0], map: [1, 1],
      classes: [[0, 2, 0, 0, 2], [1, 0, 2, 0, 2]],
      figures: Figures(meanIoU: 0, pixelAccuracy: 0, meanAccuracy: 0, frequencyWeightedIoU: 0)),
    MapCase(
      testDescription: "void pixels, and one without a class", truth: [0, 1, 255, 255, 1, 0],
      map: [0, 1, 1, 0, 0, 255], classes: [[0, 2, 2, 1, 3], [1, 2, 1, 1, 2]], void: 2, unclassified: 1,
      figures: Figures(
        meanIoU: 0.41666666666666663, pixelAccuracy: 0.5, meanAccuracy: 0.5,
        frequencyWeightedIoU: 0.41666666666666663)),
    MapCase(
      testDescription: "a class that only the map has", truth: [0, 0, 0, 2], map: [0, 0, 2, 3],
      classes: [[0, 3, 2, 2, 3], [2, 1, 1, 0, 2], [3, 0, 1, 0, 1]],
      figures: Figures(
        meanIoU: 0.2222222222222222, pixelAccuracy: 0.5, meanAccuracy: 0.3333333333333333,
        frequencyWeightedIoU: 0.5)),
    MapCase(
      testDescription: "class 254 is not void", truth: [254, 254, 0, 255], map: [254, 0, 0, 254],
      classes: [[0, 1, 2, 1, 2], [254, 2, 1, 1, 2]], void: 1,
      figures: Figures(
        meanIoU: 0.5, pixelAccuracy: 0.6666666666666666, meanAccuracy: 0.75, frequencyWeightedIoU: 0.5)),
    MapCase(
      testDescription: "a map without classes", truth: [1, 1, 1], map: [255, 255, 255],
      classes: [[1, 3, 0, 0, 3]], unclassified: 3,
      figures: Figures(meanIoU: 0, pixelAccuracy: 0, meanAccuracy: 0, frequencyWeightedIoU: 0)),
    MapCase(testDescription: "only void", truth: [255, 255, 255], map: [0, 1, 255], classes: [], void: 3),
    MapCase(testDescription: "no pixels", truth: [], map: [], classes: []),
    MapCase(
      testDescription: "10,000 pixels", truth: truth, map: map,
      classes: [
        [0, 1299, 1678, 240, 2737], [1, 2597, 1678, 479, 3796], [2, 2597, 1678, 480, 3795],
        [3, 0, 1678, 0, 1678], [4, 2597, 1678, 479, 3796],
      ], void: 910, unclassified: 700,
      figures: Figures(
        meanIoU: 0.09330807580115642, pixelAccuracy: 0.1845984598459846,
        meanAccuracy: 0.18461833293167368, frequencyWeightedIoU: 0.12076868155327858)),
  ])
  func `the figures are those of NumPy`(_ test: MapCase) {
    var tally = MapTally()
    tally.add(test.map, groundTruth: test.truth)
    let metrics = MapMetrics(tally)
    let classes = metrics.classes.map {
      [$0.classIndex, $0.truthCount, $0.mapCount, $0.intersection, $0.union]
    }
    #expect(classes == test.classes)
    #expect(metrics.voidCount == test.void && metrics.unclassifiedCount == test.unclassified)
    #expect(metrics.pixelCount == test.truth.count { $0 != 255 })
    #expect(Self.isEqual(metrics.meanIoU, test.figures?.meanIoU))
    #expect(Self.isEqual(metrics.pixelAccuracy, test.figures?.pixelAccuracy))
    #expect(Self.isEqual(metrics.meanAccuracy, test.figures?.meanAccuracy))
    #expect(Self.isEqual(metrics.frequencyWeightedIoU, test.figures?.frequencyWeightedIoU))
  }

  @Test func `images add up to one matrix, in any order and grouping`() {
    var whole = MapTally()
    whole.add(Self.map, groundTruth: Self.truth)
    let parts = [0..<1, 1..<4_000, 4_000..<10_000].map { range in
      var part = MapTally()
      part.add(Array(Self.map[range]), groundTruth: Array(Self.truth[range]))
      return part
    }
    for order in [parts, parts.reversed()] {
      var sum = MapTally()
      for part in order { sum.add(part) }
      #expect(sum == whole)
    }
    var one = MapTally()
    for range in [0..<5_000, 5_000..<10_000] {
      one.add(Array(Self.map[range]), groundTruth: Array(Self.truth[range]))
    }
    #expect(one == whole && MapMetrics(one) == MapMetrics(whole))
  }

  @Test func `a class has an IoU without pixels in the truth, but no accuracy`() {
    var tally = MapTally()
    tally.add([0, 1], groundTruth: [0, 0])
    let metrics = MapMetrics(tally)
    #expect(metrics.classes.map(\.iou) == [0.5, 0])
    #expect(metrics.classes.map(\.accuracy) == [0.5, nil])
    #expect(metrics.confusion[0, 1] == 1 && metrics.confusion[1, 0] == 0)
  }
}
