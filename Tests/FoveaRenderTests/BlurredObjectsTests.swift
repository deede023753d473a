// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaGeometry
import Testing

@testable import FoveaRender

@Suite struct BlurredObjectsTests {
  /// An object whose box is 10 × 20 at x.
  private static func object(_ x: Double, _ labels: [String?], identity: Int? = 1) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: x, y: 50, width: 10, height: 20), score: 0.9,
      labels: labels.map { Label(text: $0, index: 0, confidence: 0.9) }, trackingID: identity)
  }

  private static func grown(_ x: Double) -> BoundingBox {
    BoundingBox(minX: x - 1, minY: 48, maxX: x + 11, maxY: 72)
  }

  @Test func `a lost object stays blurred for a second`() {
    var blurred = BlurredObjects(labels: ["face"])
    #expect(blurred.update([], seconds: 5) == [] && !blurred.hasSeenObject)
    #expect(blurred.update([Self.object(30, ["face"])], seconds: 6) == [Self.grown(30)])
    #expect(blurred.update([Self.object(33, ["face"])], seconds: 6.25) == [Self.grown(33)])
    #expect(blurred.update([], seconds: 7.25) == [Self.grown(33)])
    #expect(blurred.update([], seconds: 7.5) == [])
    #expect(blurred.hasSeenObject)
  }

  @Test func `an object whose label changes is blurred where it is`() {
    var blurred = BlurredObjects(labels: ["face"])
    _ = blurred.update([Self.object(30, ["face"])], seconds: 0)
    #expect(blurred.update([Self.object(40, ["person"])], seconds: 1) == [Self.grown(40)])
    #expect(blurred.update([Self.object(50, ["person"])], seconds: 1.5) == [])
  }

  @Test(
    arguments: [
      (["person", "face"], true), (["person"], false), ([nil], false), ([], false), (["Face"], false),
    ] as [([String?], Bool)])
  func `any label counts`(_ labels: [String?], _ isBlurred: Bool) {
    var blurred = BlurredObjects(labels: ["face", "plate"])
    #expect(blurred.update([Self.object(30, labels)], seconds: 0).isEmpty != isBlurred)
    #expect(blurred.hasSeenObject == isBlurred)
  }

  @Test func `objects without an identity are blurred for a second, too, and times may step back`() {
    var blurred = BlurredObjects(labels: ["face"])
    let objects = [Self.object(90, ["face"], identity: 2), Self.object(30, ["face"], identity: nil)]
    let both = [Self.grown(30), Self.grown(90)]
    #expect(blurred.update(objects, seconds: 9) == both)
    #expect(blurred.update([], seconds: 1) == both)
    #expect(blurred.update([], seconds: .nan) == both)
    #expect(blurred.update([], seconds: 2.5) == [])
  }

  /// Detections and followed objects of a second frame after a face was found at 30, and the blurred places.
  @Test(
    arguments: [
      ([], [], [30]), ([object(30, ["face"], identity: nil)], [], [30]),
      ([object(33, ["face"], identity: nil)], [], [33]),
      ([object(60, ["face"], identity: nil)], [], [30, 60]),
      ([object(60, ["dog"], identity: nil)], [], [30]),
      ([object(33, ["face"], identity: nil)], [object(33, ["face"])], [33]),
      ([object(33, ["face"], identity: nil)], [object(33.5, ["face"])], [33.5]),
      ([object(33, ["face"], identity: nil)], [object(36, ["face"])], [33, 36]),
      ([object(33, ["face"], identity: nil)], [object(33, ["dog"])], [33]),
      ([object(33, ["dog"], identity: nil)], [object(33, ["face"])], [33]),
    ] as [([DetectedObject], [DetectedObject], [Double])])
  func `a detection is blurred before the tracker reports its object`(
    _ found: [DetectedObject], _ objects: [DetectedObject], _ places: [Double]
  ) {
    var blurred = BlurredObjects(labels: ["face"])
    #expect(
      blurred.update([], found: [Self.object(30, ["face"], identity: nil)], seconds: 0) == [Self.grown(30)])
    #expect(blurred.hasSeenObject)
    #expect(blurred.update(objects, found: found, seconds: 0.1) == places.map { Self.grown($0) })
  }

  @Test(arguments: [(0.9, 1), (0.91, 0), (0, 1), (1, 0)])
  func `a detection with a low score is not blurred`(_ least: Double, _ count: Int) {
    var blurred = BlurredObjects(labels: ["face"], score: least)
    let found = [Self.object(30, ["face"], identity: nil)]
    #expect(blurred.update([], found: found, seconds: 0).count == count)
  }
}
