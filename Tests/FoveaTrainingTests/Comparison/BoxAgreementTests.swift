// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaGeometry
import FoveaTraining
import Testing

@Suite struct BoxAgreementTests {
  /// A square object of 10 pixels, moved to the right; without a class if `index` is nil.
  static func object(_ x: Double, score: Float = 0.9, class index: Int? = 0) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: x, y: 0, width: 10, height: 10), score: score,
      labels: index.map { [Label(text: nil, index: $0, confidence: score)] } ?? [])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var first: [DetectedObject]
    var second: [DetectedObject]
    var f1: Double?
    var overlap: Double?
  }

  @Test(arguments: [
    Row(testDescription: "no boxes", first: [], second: [], f1: nil),
    Row(testDescription: "equal boxes", first: [object(0)], second: [object(0)], f1: 1, overlap: 1),
    Row(testDescription: "only the first has a box", first: [object(0)], second: [], f1: 0),
    Row(testDescription: "only the second has boxes", first: [], second: [object(0), object(50)], f1: 0),
    Row(
      testDescription: "an overlap of 0.6", first: [object(0)], second: [object(2.5)], f1: 1, overlap: 0.6),
    Row(testDescription: "an overlap below 0.5", first: [object(0)], second: [object(3.4)], f1: 0),
    Row(testDescription: "other classes", first: [object(0)], second: [object(0, class: 1)], f1: 0),
    Row(
      testDescription: "objects without classes", first: [object(0, class: nil)],
      second: [object(0, class: nil)], f1: 1, overlap: 1),
    Row(
      testDescription: "a class matches no object without one", first: [object(0, class: nil)],
      second: [object(0)], f1: 0),
    Row(
      testDescription: "one box for two", first: [object(0)], second: [object(0), object(0, score: 0.5)],
      f1: 2.0 / 3, overlap: 1),
    Row(
      testDescription: "the better score chooses first", first: [object(2, score: 0.5), object(0)],
      second: [object(1)], f1: 2.0 / 3, overlap: 9.0 / 11),
    Row(
      testDescription: "equal scores keep their order", first: [object(0), object(2)], second: [object(2)],
      f1: 2.0 / 3, overlap: 8.0 / 12),
    Row(
      testDescription: "the largest overlap is taken", first: [object(0)], second: [object(2), object(1)],
      f1: 2.0 / 3, overlap: 9.0 / 11),
    Row(
      testDescription: "a box that is not a number matches nothing", first: [object(.nan)],
      second: [object(.nan)], f1: 0),
  ])
  func `boxes of one class match if they overlap`(_ row: Row) throws {
    let agreement = BoxAgreement(of: [row.first], and: [row.second])
    #expect(agreement.f1 == row.f1)
    #expect(agreement.firstCount == row.first.count && agreement.secondCount == row.second.count)
    guard let overlap = row.overlap else {
      #expect(agreement.meanOverlap == nil)
      return
    }
    #expect(abs(try #require(agreement.meanOverlap) - overlap) < 1e-12)
  }

  @Test func `boxes of different images never match, and counts add up`() {
    let agreement = BoxAgreement(
      of: [[Self.object(0)], [Self.object(0)], []], and: [[Self.object(0)], [], [Self.object(0)]])
    #expect(agreement.f1 == 0.5)
    #expect(agreement.matchedCount == 1)
  }

  @Test func `classes with the same name match whatever their positions`() throws {
    let pairing = try ClassPairing(["cat", "dog"], ["dog", "cat"])
    let (cat, dog) = (Self.object(0, class: 0), Self.object(0, class: 1))
    #expect(BoxAgreement(of: [[cat]], and: [[dog]], pairing).f1 == 1)
    #expect(BoxAgreement(of: [[cat]], and: [[cat]], pairing).f1 == 0)
  }
}
