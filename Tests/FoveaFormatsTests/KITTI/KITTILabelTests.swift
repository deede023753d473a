// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import Testing

@Suite struct KITTILabelTests {
  static let tail = " -1 -1 -1 -1000 -1000 -1000 -10"

  static func read(_ text: String) throws(EvaluationError) -> TrackFrames {
    try KITTIReader().read(text: Array(text.utf8), name: "'0000.txt'")
  }

  @Test func `a label has type, box and visibility`() throws {
    let found = try Self.read(
      "0 -1 DontCare -1 -1 -10 219.31 188.49 245.5 218.56\(Self.tail)\r\n"
        + "0 0 Van 0 2 -1.79 296.5 161.75 455 292.25\(Self.tail)\n\n"
        + "3 2 pedestrian 1 3 0.5 1 2 3 4\(Self.tail) 0.75\n")
    #expect(found.frames == [0, 3])
    #expect(found.annotations.map(\.identity) == [-1, 0, 2])
    #expect(found.annotations.map(\.classID) == [9, 2, 4])
    #expect(found.annotations.map(\.truncation) == [-1, 0, 1])
    #expect(found.annotations.map(\.occlusion) == [-1, 2, 3])
    #expect(found.annotations.map(\.score) == [1, 1, 0.75])
    try #require(found.annotations.count > 1)
    #expect(found.annotations[1].box == BoundingBox(minX: 296.5, minY: 161.75, maxX: 455, maxY: 292.25))
  }

  @Test(arguments: [
    (
      "1 1 Car 0 0 0 1 2 3",
      "9 columns; 10 are needed: frame, identity, type, truncation, occlusion, angle, left, "
        + "top, right, bottom"
    ),
    ("-1 1 Car 0 0 0 1 2 3 4", "frame is '-1', not a whole number from 0 to 2147483647"),
    ("1 x Car 0 0 0 1 2 3 4", "identity is 'x', not a finite number"),
    (
      "1 1 Tree 0 0 0 1 2 3 4",
      "type is 'Tree', not one of Car, Van, Truck, Pedestrian, Person, Cyclist, Tram, Misc, DontCare"
    ),
    ("1 1 Car 0 0 0 nan 2 3 4", "left is 'nan', not a finite number"),
    ("1 1 Car 0 0 0 5 2 3 4", "the box has the size -2.0 by 2.0"),
    ("1 1 Car nan 0 0 1 2 3 4", "truncation is 'nan', not a finite number"),
  ])
  func `an unreadable line is an error with its number`(_ line: String, _ reason: String) {
    let error = #expect(throws: EvaluationError.self) { try Self.read("\n" + line + "\n") }
    #expect(error?.code == .invalidLine)
    #expect(error?.message == "'0000.txt' line 2: \(reason)")
  }

  @Test func `an empty file is reported as empty`() throws {
    #expect(
      try Self.read("").warnings.map(\.description) == [
        "'0000.txt': the file has no boxes; nothing was read"
      ])
  }

  @Test func `a written label reads back`() throws {
    let boxes = KITTIClass.allCases.map { kind in
      TrackAnnotation(
        identity: kind == .dontCare ? -1 : kind.rawValue,
        box: BoundingBox(minX: -1.5, minY: 2.125, maxX: 30.25, maxY: 44), classID: kind.rawValue,
        occlusion: 2,
        truncation: 1)
    }
    let tracks = TrackFrames([boxes, [], boxes], firstFrame: 0)
    let again = try Self.read(KITTIWriter.groundTruth(tracks))
    #expect(again.annotations == tracks.annotations)
    #expect(again.frames == [0, 2])
    let line = KITTIWriter.line(frame: 4, identity: 2, kind: .car, box: boxes[0].box, score: 0.5, places: 2)
    #expect(line == "4 2 Car -1 -1 -10 -1.50 2.13 30.25 44.00\(Self.tail) 0.500000\n")
  }

  @Test func `types are known in any case`() {
    for kind in KITTIClass.allCases {
      #expect(KITTIClass(type: kind.description.uppercased()) == kind)
    }
    #expect(KITTIClass(type: "Person_sitting") == .sittingPerson)
    #expect(KITTIClass(type: "") == nil)
  }
}
