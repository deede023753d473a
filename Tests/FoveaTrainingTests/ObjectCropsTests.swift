// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaTraining

@Suite struct ObjectCropsTests {
  static let set = ObjectSet(classes: ["cup", "plate"], images: [], source: "instances.json", notes: [])

  static func image(_ name: String, objects: Int, nothing: Int, isTest: Bool = false) -> BoxedImage {
    let objects = (0..<objects).map { (label: $0 % 2, box: ObjectJudgeTests.box(12 * Double($0 % 8))) }
    let found = (0..<nothing).map { (box: ObjectJudgeTests.box(12 * Double($0 % 8), 50), score: Float(0.5)) }
    return ObjectJudgeTests.image(objects, found, named: name, isTest: isTest)
  }

  @Test func `background crops are at most as many as the largest class`() {
    let crops = ObjectCrops(
      [Self.image("a", objects: 4, nothing: 8), Self.image("b", objects: 2, nothing: 8)], of: Self.set,
      seed: 0)
    #expect(crops.set.classes == ["cup", "plate", "None_of_the_above"])
    #expect(crops.set.counts == [3, 3, 3] && crops.set.otherClass == 2)
    // Each box is requested later.
    #expect(crops.photos.count == 6 + 16 && crops.boxRows.map(\.count) == [8, 8])
  }

  @Test func `a detector without detections leaves the annotated boxes`() {
    let crops = ObjectCrops(
      [Self.image("a", objects: 4, nothing: 0), Self.image("b", objects: 2, nothing: 0)], of: Self.set,
      seed: 0)
    #expect(crops.set.classes == ["cup", "plate"] && crops.set.otherClass == nil)
    #expect(crops.set.counts == [3, 3] && crops.boxRows == [[], []])
  }

  @Test func `background crops of a single image are not a class, as it could not be evaluated`() {
    let crops = ObjectCrops(
      [Self.image("a", objects: 2, nothing: 3), Self.image("b", objects: 2, nothing: 0)], of: Self.set,
      seed: 0)
    #expect(crops.set.classes == ["cup", "plate"])
  }

  @Test func `at most 400 crops of a class are learned, the same in every run`() {
    let images = (0..<101).map { Self.image("\($0)", objects: 8, nothing: 8) }
    let crops = ObjectCrops(images, of: Self.set, seed: 1)
    #expect(crops.set.counts == [400, 400, 400])
    #expect(crops.set.photos == ObjectCrops(images, of: Self.set, seed: 1).set.photos)
    #expect(crops.set.photos != ObjectCrops(images, of: Self.set, seed: 2).set.photos)
  }

  @Test func `crops have a margin, 16 pixels at least, and end with their image`() {
    let set = ObjectSet(classes: ["cup"], images: [], source: "", notes: [])
    let image = ObjectJudgeTests.image(
      [
        (0, BoundingBox(x: 20, y: 30, width: 50, height: 25)),
        (0, BoundingBox(x: 50, y: 50, width: 2, height: 4)),
        (0, BoundingBox(x: 99, y: 0, width: 50, height: 100)),
      ], [])
    let crops = ObjectCrops([image], of: set, seed: 0)
    #expect(
      crops.photos.map(\.crop) == [
        BoundingBox(x: 16, y: 28, width: 58, height: 29), BoundingBox(x: 43, y: 44, width: 16, height: 16),
        BoundingBox(minX: 91.5, minY: 0, maxX: 100, maxY: 100),
      ])
    #expect(crops.photos.map(\.name) == ["a#1", "a#2", "a#3"])
  }
}
