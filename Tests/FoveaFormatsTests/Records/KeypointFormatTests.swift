// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry
import Testing

@testable import FoveaFormats

/// Keypoints with scores in the formats of results.
@Suite struct KeypointFormatTests {
  /// A person whose first three points are visible, hidden and not labelled.
  static func person(_ count: Int = 17, scores: [Float] = [0.5, 0.05, 0.049]) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: 1, y: 2, width: 30, height: 40), score: 0.75,
      labels: [Label(text: "person", index: 0, confidence: 0.75)],
      keypoints: (0..<count).map { PixelPoint(x: Double($0) + 0.25, y: 5) },
      keypointScores: scores.isEmpty ? [] : (0..<count).map { $0 < scores.count ? scores[$0] : 1 })
  }

  @Test func `JSON has a score for each keypoint, and reads it back`() throws {
    let record = Sample.record("a.jpg", [Self.person(2)])
    let text = RecordJSON.line(for: record)
    #expect(
      text.contains(#""keypoints": [{"x": 0.25, "y": 5, "score": 0.5}, {"x": 1.25, "y": 5, "score": 0.05}]"#))
    for scores in [[0.5, 0.25], []] as [[Float]] {
      let written = Sample.record("a.jpg", [Self.person(2, scores: scores)])
      var read: [DetectionRecord] = []
      try JSONRecordReader().read(json: Array(RecordJSON.line(for: written).utf8)) { read.append($0) }
      #expect(read.first?.findings?.objects.first?.keypointScores == scores)
      #expect(read.first?.findings?.objects.first?.keypoints == written.findings?.objects.first?.keypoints)
    }
  }

  @Test func `a complete COCO file has visibilities, and the names in the category`() throws {
    var writer = COCODatasetWriter(classNames: ["person", "dog"])
    var text = writer.header()
    text += writer.text(for: Sample.record("a.jpg", [Self.person(), Self.person(scores: [])]))
    text += writer.footer()
    #expect(text.contains(#""keypoints": [0.25, 5, 2, 1.25, 5, 1, 0, 0, 0, 3.25, 5, 2, "#))
    #expect(text.contains(#""num_keypoints": 16, "iscrowd": 0"#))
    #expect(text.contains(#""num_keypoints": 17, "iscrowd": 0"#))
    #expect(
      text.contains(
        #"{"id": 1, "name": "person", "supercategory": "", "keypoints": ["nose", "left_eye", "right_eye", "#))
    #expect(text.contains(#""skeleton": [[16, 14], [14, 12], [17, 15], [15, 13], [12, 13], [6, 12], "#))
    #expect(text.contains(#"{"id": 2, "name": "dog", "supercategory": ""}"#))
    let truth = try COCOGroundTruth(json: Array(text.utf8))
    #expect(truth.annotations.map { $0.keypoints.filter(\.isLabelled).count } == [16, 17])
  }

  @Test(arguments: [(nil, 2), (0.5, 2), (0.51, 1)] as [(Float?, Int)])
  func `a point of COCO is visible from the threshold on`(_ threshold: Float?, _ flag: Int) {
    var writer = COCODatasetWriter(classNames: ["person"])
    if let threshold { writer.keypointThreshold = threshold }
    let text = writer.text(for: Sample.record("a.jpg", [Self.person()]))
    #expect(text.contains("\"keypoints\": [0.25, 5, \(flag), 1.25, 5, 1, 0, 0, 0, "))
  }

  @Test func `points of an unknown set are numbered`() {
    var writer = COCODatasetWriter(classNames: ["person"])
    _ = writer.text(for: Sample.record("a.jpg", [Self.person(3)]))
    #expect(writer.footer().contains(#""keypoints": ["point_1", "point_2", "point_3"], "skeleton": []"#))
  }

  @Test func `COCO results have the scores of the points`() throws {
    let index = try COCOIndex(
      instances: Array(
        #"{"images": [{"id": 7, "file_name": "a.jpg"}], "categories": [{"id": 1, "name": "person"}]}"#.utf8),
      name: "i.json")
    var writer = COCOWriter(index: index)
    let text = writer.text(for: Sample.record("a.jpg", [Self.person(2)]))
    #expect(text.contains(#""keypoints": [0.25, 5, 0.5, 1.25, 5, 0.05]"#))
  }

  @Test func `other formats note that they leave keypoints out`() {
    var csv = ShapeNotes(DetectionFormat.csv)
    #expect(csv.notes(for: [Self.person()]) == ["keypoints are not in csv: use json, jsonl, coco or yolo"])
    for format in [DetectionFormat.json, .yolo] {
      var notes = ShapeNotes(format)
      #expect(notes.notes(for: [Self.person()]).isEmpty, "\(format.name)")
    }
  }

  @Test(
    arguments: [
      (0.3, "--keypoint-threshold 0.3 has no effect: no object has keypoints"),
      (0, "--keypoint-threshold 0.0 has no effect: no object has keypoints"), (nil, nil),
    ] as [(Float?, String?)])
  func `a threshold of keypoints without keypoints has no effect`(_ threshold: Float?, _ note: String?) {
    let box = DetectedObject(box: BoundingBox(x: 0, y: 0, width: 1, height: 1), score: 1)
    for var notes in [
      ShapeNotes(DetectionFormat.json, keypointThreshold: threshold),
      ShapeNotes(FrameFormat.jsonl, keypointThreshold: threshold),
    ] {
      #expect(notes.notes(for: []).isEmpty && notes.unused.isEmpty)
      #expect(notes.notes(for: [box]).isEmpty && notes.unused == [note].compactMap(\.self))
      #expect(notes.notes(for: [box, Self.person()]).isEmpty && notes.unused.isEmpty)
      #expect(notes.notes(for: [box]).isEmpty && notes.unused.isEmpty)
    }
    var both = ShapeNotes(DetectionFormat.json, masks: .rle, keypointThreshold: threshold)
    #expect(both.notes(for: [box]).isEmpty && both.unused.count == (note == nil ? 1 : 2))
  }

  @Test func `text counts the points`() {
    var writer = TextWriter()
    #expect(writer.text(for: Sample.record("a.jpg", [Self.person()])).contains("size 30.0 × 40.0  17 points"))
  }
}
