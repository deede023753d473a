// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// Masks, points and angles after the classes.
@Suite struct YOLOTaskTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var outputs: [[Int]]
    var task: String?
    var labels: Int?
    var asked: DetectorFamily?
    var family: DetectorFamily?
    var classes: Int?
    var testDescription: String { "\(outputs) for \(task ?? "nothing"), \(labels ?? 0) labels" }

    var model: DetectorRecognizer {
      var model = FamilyReference.model(input: [1, 640, 640, 3], outputs)
      model.hints.task = task
      model.labelCount = labels
      return model
    }
  }

  static let cases = [
    Case(outputs: [[1, 116, 8400], [1, 160, 160, 32]], family: .yolov8, classes: 80),
    Case(
      outputs: [[1, 116, 8400], [1, 160, 160, 32]], task: "segment", labels: 80, family: .yolov8, classes: 80),
    Case(outputs: [[1, 116, 8400], [1, 160, 160, 32]], asked: .yolov8, family: .yolov8, classes: 80),
    Case(outputs: [[1, 8400, 37], [1, 160, 160, 32]], family: .yolov8, classes: 1),
    Case(outputs: [[1, 116, 8400]], task: "segment", labels: 80, family: .yolov8, classes: 80),
    Case(outputs: [[1, 25_200, 117], [1, 160, 160, 32]], family: .yolov5, classes: 80),
    Case(outputs: [[1, 300, 38], [1, 160, 160, 32]], task: "segment", labels: 80, family: .yolov10),
    Case(outputs: [[1, 56, 8400]], task: "pose", labels: 1, family: .yolov8Pose, classes: 1),
    Case(outputs: [[1, 56, 8400]], task: "pose", labels: 1, asked: .yolov8, family: .yolov8Pose, classes: 1),
    Case(outputs: [[1, 8400, 13]], task: "pose", labels: 3, family: .yolov8Pose, classes: 3),
    Case(outputs: [[1, 56, 8400]], labels: 1, family: .yolov8Pose, classes: 1),
    Case(outputs: [[1, 56, 8400]], labels: 52, family: .yolov8, classes: 52),
    Case(outputs: [[1, 56, 8400]], asked: .yolov8Pose, family: .yolov8Pose, classes: 1),
    Case(outputs: [[1, 56, 8400]], task: "detect", labels: 52, family: .yolov8, classes: 52),
    Case(outputs: [[1, 56, 8400]]),
    Case(outputs: [[1, 9, 8400]], task: "pose", labels: 5),
    Case(outputs: [[1, 300, 57]], task: "pose", labels: 1, family: .yolov10),
    Case(outputs: [[1, 20, 8400]], task: "obb", labels: 15, family: .yolov8OBB, classes: 15),
    Case(outputs: [[1, 20, 8400]], asked: .yolov8OBB, family: .yolov8OBB, classes: 15),
    Case(outputs: [[1, 20, 8400]], family: .yolov8, classes: 16),
    Case(outputs: [[1, 300, 7]], task: "obb", labels: 15, family: .yolov10),
    // A hand's 21 points of 3, a tiger's 12 of 2, and 17 of 3 of people and hands, without a description.
    Case(outputs: [[1, 68, 8400]], labels: 1, family: .yolov8Pose, classes: 1),
    Case(outputs: [[1, 68, 8400]], asked: .yolov8Pose, family: .yolov8Pose, classes: 1),
    Case(outputs: [[1, 29, 8400]], labels: 1, family: .yolov8Pose, classes: 1),
    Case(outputs: [[1, 57, 8400]], labels: 2, family: .yolov8Pose, classes: 2),
    Case(outputs: [[1, 57, 8400]], labels: 2, asked: .yolov8Pose, family: .yolov8Pose, classes: 2),
    Case(outputs: [[1, 68, 8400]], family: .yolov8, classes: 64),
    // A label file of another model.
    Case(outputs: [[1, 84, 8400]], labels: 2, family: .yolov8, classes: 80),
    Case(outputs: [[1, 13, 8400]], labels: 1, family: .yolov8, classes: 9),
    Case(outputs: [[1, 68, 8400]], task: "detect", labels: 1, family: .yolov8, classes: 64),
    Case(outputs: [[1, 8400, 30]], labels: 2),
    // A label file with a part missing, and one for 17 points of 3 on five kinds of objects.
    Case(outputs: [[1, 24, 8400]], labels: 10, family: .yolov8, classes: 20),
    Case(outputs: [[1, 34, 8400]], labels: 20, family: .yolov8, classes: 30),
    Case(outputs: [[1, 34, 8400]], labels: 10, family: .yolov8, classes: 30),
    Case(outputs: [[1, 104, 8400]], labels: 90, family: .yolov8, classes: 100),
    Case(outputs: [[1, 369, 8400]], labels: 80, family: .yolov8, classes: 365),
    Case(outputs: [[1, 60, 8400]], labels: 5, family: .yolov8Pose, classes: 5),
    // End to end, without a description.
    Case(outputs: [[1, 300, 57]], family: .yolov10),
    Case(outputs: [[1, 300, 57]], asked: .yolov8Pose, family: .yolov10),
    Case(outputs: [[1, 300, 69]], asked: .yolov10, family: .yolov10),
    Case(outputs: [[1, 300, 69]]),
    Case(outputs: [[1, 300, 7]]),
    Case(outputs: [[1, 300, 7]], asked: .yolov10, family: .yolov10),
    Case(outputs: [[1, 300, 7]], asked: .yolov8OBB, family: .yolov10),
    Case(outputs: [[1, 1001, 7]], asked: .yolov8OBB, family: .yolov10),
    Case(outputs: [[1, 8400, 7]], asked: .yolov8OBB, family: .yolov8OBB, classes: 2),
    Case(outputs: [[1, 300, 7]], asked: .yoloxSuppressed, family: .yoloxSuppressed),
  ]

  @Test(arguments: cases)
  func `prototypes, the description and labels show what follows the classes`(_ test: Case) {
    let decoder = try? test.model.decoder(family: test.asked)
    #expect(decoder?.family == test.family)
    #expect(decoder?.classCount == test.classes)
    let isMore =
      test.outputs.count == 2 || ![nil, "detect"].contains(test.task) || test.family == .yolov8Pose
      || test.family == .yolov8OBB || test.family == .yolov10
    #expect(
      (decoder?.assumptions.isEmpty == false || decoder?.detail != nil) == (isMore && test.family != nil))
  }

  @Test func `one class with 17 points or 52 classes is an error that names both`() {
    let error = #expect(throws: DetectionError.self) {
      try Case(outputs: [[1, 56, 8400]]).model.decoder()
    }
    #expect(error?.code == .ambiguousFamily)
    #expect(
      error?.message.contains(
        "can be of several families: yolov8 with 52 classes, or yolov8-pose with 1 class.")
        == true, "\(error?.message ?? "")")
    #expect(error?.remedy.description.hasPrefix("Name the family, yolov8 or yolov8-pose") == true)
  }

  @Test(
    arguments: [
      (nil, "points or masks on each object as well, which are not read: its boxes are"),
      (
        "pose",
        "60 numbers of points on each object as well, which are not read, as nothing shows how many each point"
          + " has: its boxes are"
      ),
    ] as [(String?, String)])
  func `one class is assumed with a note if nothing shows the number`(
    _ task: String?, _ answered: String
  ) throws {
    let model = Case(outputs: [[1, 65, 8400]], task: task).model
    let notes = try model.decoder(family: .yolov8Pose).assumptions
    #expect(notes.count == 2)
    #expect(notes.first?.description == "'m.tflite' outputs \(answered)")
    #expect(
      notes.last?.description
        == "'m.tflite' is read with one class, as nothing shows how many it has. If there are more, give their names (Options.labelFile)"
    )
    for labels in [1, 2] {
      let known = try Case(outputs: [[1, 64 + labels, 8400]], labels: labels).model.decoder(
        family: .yolov8Pose)
      #expect(known.assumptions.count == 1)
    }
  }

  @Test(arguments: [(57, 2, 1), (68, 1, 1), (68, 1, 64)])
  func `undescribed points are read where they are, and scores are not points`(
    _ columns: Int, _ labels: Int, _ scores: Int
  ) throws {
    let decoder = try Case(outputs: [[1, columns, 8400]], labels: labels).model.decoder()
    #expect(decoder.family == .yolov8Pose)
    var values = Self.points(columns: columns, unit: 1)
    for column in 4..<(4 + max(labels, scores)) {
      for row in 0..<8400 { values[column * 8400 + row] = row == 40 && column == 4 ? 0.9 : 0.01 }
    }
    // The third number of a point is the probability that it is visible.
    for column in stride(from: 6 + labels, to: columns, by: 3) { values[column * 8400 + 40] = 0.5 }
    guard scores > labels else {
      #expect(try decoder.decode([values], threshold: 0.3, limit: 9).map(\.classIndex) == [0])
      return
    }
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([values], threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains("these seem to be scores of more classes, not points") == true)
  }

  @Test func `rows of seven for 300 objects are suppressed boxes or rotated ones`() throws {
    let model = Case(outputs: [[1, 300, 7]]).model
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(error?.code == .ambiguousFamily)
    #expect(
      error?.message.hasPrefix(
        "'m.tflite' can be of several families: yolox-nms, or yolov10 with rotated boxes (-obb). It has ")
        == true)
    // A 90° rotation: centre, size, score, class, angle.
    let row: [Float] = [320, 160, 200, 100, 0.9, 3, .pi / 2]
    let others = (1..<300).flatMap { (index: Int) -> [Float] in [Float(index), 50, 9, 9, 0.01, 0, 0.3] }
    let values = row + others
    for family in [DetectorFamily.yolov10, .yolov8OBB] {
      let found = try model.decoder(family: family).decode([values], threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == [3])
      let box = try #require(found.first?.box.pixels(in: PixelSize(width: 640, height: 640)))
      #expect(abs(box.width - 100) < 0.01 && abs(box.height - 200) < 0.01 && abs(box.midX - 320) < 0.01)
    }
    let wrong = #expect(throws: DetectionError.self) {
      try model.decoder(family: .yoloxSuppressed).decode([values], threshold: 0.3, limit: 9)
    }
    #expect(
      wrong?.message
        == "'m.tflite' of the family 'yolox-nms' returned rotated boxes (-obb): centre, size, score, class and angle"
    )
  }

  @Test(arguments: [
    ([1, 300, 7], true), ([1, 100, 7], true), ([1, 8, 7], true), ([1, 1001, 7], true), ([1, 2001, 7], true),
    ([1, 7, 7], false), ([100, 7], false),
  ])
  func `the error of suppressed rows names the rotated family`(_ shape: [Int], _ isNamed: Bool) throws {
    let model = Case(outputs: [shape]).model
    let rest = (1..<shape[shape.count - 2]).flatMap { (index: Int) -> [Float] in
      [Float(index), 50, 9, 9, 0.01, 0, 0.3]
    }
    let first: [Float] = [320, 160, 200, 100, 0.9, 3, .pi / 2]
    let values = first + rest
    let error = #expect(throws: DetectionError.self) {
      try model.decoder(family: .yoloxSuppressed).decode([values], threshold: 0.3, limit: 9)
    }
    let remedy = try #require(error?.remedy.description)
    #expect(remedy.hasPrefix("Name the family, ") == isNamed && remedy.hasPrefix("Export it ") != isNamed)
    let words = remedy.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    let named = DetectorFamily.all.filter { words.contains($0.name) }
    #expect(named == [.yolov8OBB])
    for family in named where isNamed {
      let found = try model.decoder(family: family).decode([values], threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == [3])
      #expect(found.map(\.score) == [0.9])
      let box = try #require(found.first?.box.pixels(in: PixelSize(width: 640, height: 640)))
      #expect(abs(box.width - 100) < 0.01 && abs(box.height - 200) < 0.01)
    }
  }

  /// Points of a -pose model without a description, for an input of 640 × 640, in one output row after
  /// another.
  static func points(columns: Int, unit: Float) -> [Float] {
    let cells = YOLOGrid(width: 640, height: 640, strides: [8, 16, 32]).cells
    let rows = cells.map { cell -> [Float] in
      let (x, y) = ((cell.x + 0.5) * cell.stride * unit, (cell.y + 0.5) * cell.stride * unit)
      let below = min(y + 60 * unit, 640 * unit)
      var row = [x, y, 8 * unit, 8 * unit, 0.01]
      for column in 5..<columns { row.append(column.isMultiple(of: 2) ? below : x) }
      return row
    }
    return (0..<columns).flatMap { column in rows.map { $0[column] } }
  }

  @Test(arguments: [7, 39, 57, 84], [1, Float(1) / 640])
  func `points mistaken for classes are an error that names them`(_ columns: Int, _ unit: Float) throws {
    let decoder = try Case(outputs: [[1, columns, 8400]]).model.decoder()
    #expect(decoder.family == .yolov8)
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([Self.points(columns: columns, unit: unit)], threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains("these seem to be points (-pose) or masks (-seg)") == true)
    #expect(error?.remedy.description.contains("DetectorFamily(\"yolov8-pose\")") == true)
  }

  @Test(arguments: [2, 3], [1, Float(1) / 640])
  func `points that too many labels mistake for classes are an error that names them`(
    _ labels: Int, _ unit: Float
  ) throws {
    let columns = 55 + labels
    let decoder = try Case(outputs: [[1, columns, 8400]], labels: labels).model.decoder()
    #expect(decoder.family == .yolov8Pose && decoder.classCount == labels)
    // One class; the columns of the others hold the first point.
    let values = Self.points(columns: columns, unit: unit)
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([values], threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains("these seem to be points (-pose) or masks (-seg)") == true)
  }

  @Test func `objects in many rows are not points`() throws {
    // A crowd: two rows in three are confident.
    let rows = 8400
    var values = Self.points(columns: 8, unit: 1)
    for row in 0..<rows {
      for column in 4..<8 { values[column * rows + row] = row % 3 == 0 || column > 4 ? 0.01 : 0.9 }
    }
    let decoder = try Case(outputs: [[1, 8, rows]], labels: 4).model.decoder()
    #expect(try decoder.decode([values], threshold: 0.3, limit: 9).count == 9)
  }

  @Test func `numbers after the classes are not scores, and the angle rotates the box`() throws {
    // Cells of 640 × 640; the object in row 40: 200 × 100 pixels, rotated by 90°.
    let rows = 8400
    func output(_ extra: Float, count: Int) -> [Float] {
      let cells = YOLOGrid(width: 640, height: 640, strides: [8, 16, 32]).cells
      let columns = cells.enumerated().map { index, cell -> [Float] in
        (index == 40
          ? [320, 160, 200, 100, 0.9]
          : [(cell.x + 0.5) * cell.stride, (cell.y + 0.5) * cell.stride, 8, 8, 0.01])
          + (0..<count).map { count > 1 && $0 % 3 == 2 ? 0.5 : extra }
      }
      return (0..<5 + count).flatMap { column in columns.map { $0[column] } }
    }
    let pose = try Case(outputs: [[1, 56, rows]], task: "pose", labels: 1).model.decoder()
    #expect(try pose.decode([output(300, count: 51)], threshold: 0.3, limit: 9).count == 1)
    let turned = try Case(outputs: [[1, 6, rows]], task: "obb", labels: 1).model.decoder()
    for (angle, width, height) in [
      (Float(0), 200.0, 100.0), (.pi / 2, 100, 200), (.pi / 4, 212.132, 212.132),
      (-.pi / 4, 212.132, 212.132),
    ] {
      let box = try #require(
        try turned.decode([output(angle, count: 1)], threshold: 0.3, limit: 9).first?.box.pixels(
          in: PixelSize(width: 640, height: 640)))
      #expect(abs(box.width - width) < 0.01 && abs(box.height - height) < 0.01, "\(angle)")
      #expect(abs(box.midX - 320) < 0.01)
    }
  }
}
