// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaGeometry
import Testing

@testable import FoveaFormats

@Suite struct GapFillingTests {
  private static func record(_ number: Int, x: Double?, label: String = "cat") -> FrameRecord {
    var record = FrameRecord(source: "a.mp4", number: number, objects: [])
    if let x {
      var object = DetectedObject(
        box: BoundingBox(x: x, y: 0, width: 10, height: 10), score: 0.5,
        labels: [Label(text: label, index: 1, confidence: 0.5)])
      object.trackingID = 4
      record.objects = [object]
    }
    return record
  }

  @Test func `boxes between two detections lie on a line and have the label of the first`() {
    let gaps = GapFilling()
    for (number, x) in [(1, 0), (2, 10), (3, 20), (4, 30), (5, nil), (6, nil), (7, 60)] as [(Int, Double?)] {
      gaps.keep(Self.record(number, x: x, label: number == 7 ? "dog" : "cat"))
    }
    let filled = gaps.filled()
    #expect(filled.map(\.number) == Array(1...7))
    #expect(filled.map { $0.objects.first?.box.minX } == [0, 10, 20, 30, 40, 50, 60])
    #expect(
      filled.map { $0.objects.first?.labels.first?.text } == Array(repeating: "cat", count: 6) + ["dog"])
    #expect(filled.allSatisfy { $0.objects.map(\.trackingID) == [4] })
  }

  @Test func `a gap that is too short, too long or empty stays unchanged`() {
    for numbers in [[1, 2, 5], [1, 2, 3, 4, 5, 30], []] {
      let gaps = GapFilling()
      for number in 1...30 {
        gaps.keep(Self.record(number, x: numbers.contains(number) ? Double(number) : nil))
      }
      #expect(gaps.filled().filter { !$0.objects.isEmpty }.map(\.number) == numbers)
    }
    #expect(GapFilling().filled().isEmpty)
  }
}
