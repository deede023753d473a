// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaTraining

@Suite struct ObjectExclusionTests {
  static let set = ObjectSet(
    classes: ["cup"],
    images: ["a", "b"].map { name in
      ObjectSet.Image(
        path: "photos/\(name)", name: name,
        objects: [
          .init(id: 1, label: 0, box: ObjectJudgeTests.box(0)),
          .init(id: 2, label: 0, box: ObjectJudgeTests.box(50)),
        ],
        crowds: [])
    }, source: "instances.json", notes: [])

  static func boxed(_ names: Set<String>) -> [BoxedImage] {
    set.without(names).images.map { image in
      BoxedImage(
        image,
        FoundBoxes(
          size: PixelSize(width: 100, height: 100),
          boxes: [
            .init(box: ObjectJudgeTests.box(0), score: 0.9), .init(box: ObjectJudgeTests.box(50), score: 0.8),
          ]))
    }
  }

  /// The exclusions, and the resulting objects and boxes of the images.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var names: Set<String>
    var objects: [[Int]]
    var contents: [[BoxedImage.Content]]
    var testDescription: String { name }
  }

  static let both: [BoxedImage.Content] = [.object(0), .object(1)]
  static let rows = [
    Row(name: "nothing", names: [], objects: [[1, 2], [1, 2]], contents: [both, both]),
    Row(name: "an image", names: ["a"], objects: [[1, 2]], contents: [both]),
    Row(name: "an image by its path", names: ["photos/b"], objects: [[1, 2]], contents: [both]),
    Row(
      name: "an annotation", names: ["a#1"], objects: [[2], [1, 2]],
      contents: [[.unclear, .object(0)], both]),
    Row(
      name: "a box", names: ["b@2"], objects: [[1, 2], [1, 2]], contents: [both, [.object(0), .unclear]]),
    Row(
      name: "what is not there", names: ["c", "a#7", "b@9", "a@x", "#1", ""], objects: [[1, 2], [1, 2]],
      contents: [both, both]),
  ]

  @Test(arguments: rows) func `excluded objects are neither learned, nor counted as background`(_ row: Row) {
    let images = Self.boxed(row.names)
    #expect(images.map { $0.objects.map(\.id) } == row.objects)
    #expect(images.map { $0.boxes.map(\.content) } == row.contents)
  }

  @Test func `names without a match are noted`() {
    #expect(Self.set.without(["a", "b#1", "b@1"]).notes.isEmpty)
    #expect(
      Self.set.without(["a@1", "a#7", "c"]).notes == [
        "2 names to leave out match no image, annotation or box: 'a#7', 'c'"
      ])
  }

  @Test func `an excluded annotation does not count as missed`() throws {
    let images = Self.boxed(["a#1", "b#2"])
    let answered = images.map { ObjectJudge.Answered(image: $0, probabilities: [[1], [1]]) }
    let figures = try ObjectJudge(answered: answered, classCount: 1).figures()
    #expect(figures.objectCount == 2 && figures.boxRecall == 1 && figures.averagePrecision50 == 1)
  }
}
