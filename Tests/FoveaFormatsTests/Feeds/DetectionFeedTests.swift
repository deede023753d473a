// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaTesting
import FoveaTracking
import Testing

@testable import FoveaFormats

@Suite struct DetectionFeedTests {
  /// Reads a `det.txt` to its end.
  private static func frames(
    _ text: String, info: String? = nil, in place: String = "det/", frameRate: Double? = nil,
    tracker: Tracker = .fovea(.detector(threshold: 0.5))
  ) async throws -> (records: [FrameRecord], warnings: [String], state: SourceState) {
    let folder = try TemporaryFolder()
    try folder.write("walk/det/det.txt", text)
    if let info { try folder.write("walk/\(place)seqinfo.ini", info) }
    let table = try DetectionTable(path: folder["walk/det/det.txt"])
    var options = ObjectTracker.Options()
    options.tracker = tracker
    var feed = try DetectionFeed(
      table, name: "det.txt", frameRate: frameRate, options: options, rateHint: " (--rate)")
    var records: [FrameRecord] = []
    while let frame = try await feed.next() { records.append(frame.record) }
    let warnings = feed.state.warnings.map { $0.replacing(folder.path + "/", with: "") }
    return (records, warnings, feed.state)
  }

  private static let assumed = "the frame rate is unknown; 30 is assumed (--rate)"

  @Test func `frames are returned in order, including those without boxes`() async throws {
    let found = try await Self.frames(WalkingBox.text([1, 2, 3, 6]))
    #expect(found.records.map(\.number) == Array(1...6))
    #expect(found.records.map { $0.objects.map(\.trackingID) } == [[1], [1], [1], [], [], [1]])
    #expect(found.records.allSatisfy { $0.seconds == nil && $0.size == nil })
    #expect(found.warnings == [Self.assumed])
    #expect(found.state.expectedFrames == 6)
    #expect(found.state.frameRate == nil)
  }

  @Test func `lines may be in any order`() async throws {
    let lines = WalkingBox.text(1...9).split(separator: "\n")
    let shuffled = [4, 0, 8, 2, 6, 1, 7, 3, 5].map { lines[$0] + "\n" }.joined()
    let (sorted, mixed) = (try await Self.frames(WalkingBox.text(1...9)), try await Self.frames(shuffled))
    #expect(sorted.records.map(\.objects) == mixed.records.map(\.objects))
    #expect(mixed.warnings.count == 2, "\(mixed.warnings)")
  }

  @Test(arguments: TrackerKind.allCases)
  func `boxes beyond the limit of the tracker in use are reported`(_ kind: TrackerKind) async throws {
    var tracker = Tracker(kind)
    try tracker.read(json: Array(#"{"detectionLimit": 1}"#.utf8))
    let text = "1,-1,10,10,40,40,0.9\n1,-1,200,10,40,40,0.8\n"
    let found = try await Self.frames(text, frameRate: 30, tracker: tracker)
    #expect(
      found.warnings == [
        "1 box is beyond the 1 highest-scoring of a frame, first in frame 1; left out (detectionLimit)"
      ])
  }

  struct InfoCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var info: String
    var place = ""
    var frameRate: Double?
    var rate: Double?
    var frames = 3
    var size: PixelSize?
    var warnings: [String] = []
  }

  @Test(arguments: [
    InfoCase(
      testDescription: "above the folder",
      info: "[Sequence]\nframeRate=25\nseqLength=5\nimWidth=640\nimHeight=480\n", rate: 25, frames: 5,
      size: PixelSize(width: 640, height: 480)),
    InfoCase(
      testDescription: "next to the file", info: "[Sequence]\nframeRate=14\n", place: "det/", rate: 14),
    InfoCase(
      testDescription: "an option overrides it", info: "[Sequence]\nframeRate=14\n", frameRate: 60, rate: 60),
    InfoCase(
      testDescription: "a length that is too short", info: "[Sequence]\nframeRate=25\nseqLength=2\n",
      rate: 25,
      warnings: [
        "there are boxes up to frame 3, but seqinfo.ini declares 2 frames; "
          + "all boxes are followed"
      ]),
    InfoCase(
      testDescription: "an impossible length", info: "[Sequence]\nframeRate=25\nseqLength=2147483647\n",
      rate: 25, warnings: ["frames 4 to 2147483647 have no boxes; they are left out"]),
    InfoCase(
      testDescription: "not as it should be", info: "[Sequence]\nseqLength=no\n",
      warnings: [
        "'walk/det/../seqinfo.ini' line 2: seqlength is 'no', not a whole number from 1 to 2147483647; "
          + "it is ignored", assumed,
      ]),
  ])
  func `seqinfo.ini has rate, length and size`(_ test: InfoCase) async throws {
    let found = try await Self.frames(
      WalkingBox.text(1...3), info: test.info, in: test.place, frameRate: test.frameRate)
    #expect(found.state.frameRate == test.rate)
    #expect(found.records.count == test.frames)
    #expect(found.records.first?.size == test.size)
    #expect(found.records.last?.seconds == test.rate.map { Double(test.frames - 1) / $0 })
    #expect(found.warnings == test.warnings)
  }

  @Test func `long gaps are left out, and the first ten are reported`() async throws {
    let numbers = (0..<15).map { 1 + 200_000 * $0 }
    let found = try await Self.frames(WalkingBox.text(numbers), frameRate: 25)
    #expect(found.records.map(\.number) == numbers)
    #expect(found.warnings.count == 11)
    #expect(found.warnings.first == "frames 2 to 200000 have no boxes; they are left out")
    #expect(found.warnings.last == "more long gaps are left out too")
  }

  @Test func `an empty file gives no frames`() async throws {
    let found = try await Self.frames("", frameRate: 25)
    #expect(found.records.isEmpty)
    #expect(found.warnings.count == 1)
  }

  @Test func `objects have the labels of the file, those of the class of most boxes`() async throws {
    let folder = try TemporaryFolder()
    let lines = (1...5).map { frame in
      let label = frame == 4 ? #"{"text": "cat", "index": 1}"# : #"{"text": "dog", "index": 0}"#
      return
        #"{"frame": \#(frame), "objects": [{"box": {"x": \#(frame), "y": 9, "width": 40, "height": 40}, "#
        + #""score": 0.9, "labels": [\#(label)]}]}"#
    }
    let table = try DetectionTable(path: folder.write("x.jsonl", lines.joined(separator: "\n")))
    var options = ObjectTracker.Options()
    options.tracker = .fovea(.detector(threshold: 0.5))
    var feed = try DetectionFeed(table, name: "x.jsonl", frameRate: 25, options: options)
    var labels: [[String?]] = []
    while let frame = try await feed.next() {
      labels.append(frame.record.objects.flatMap(\.labels).map(\.text))
    }
    #expect(labels == [[String?]](repeating: ["dog"], count: 5))
  }

  @Test func `a box below the threshold starts no identity and extends one`() async throws {
    let weak = try await Self.frames(WalkingBox.text(1...9, score: 0.3), frameRate: 25)
    #expect(weak.records.allSatisfy { $0.objects.isEmpty })
    let fading = try await Self.frames(
      WalkingBox.text(1...5) + WalkingBox.text(6...9, score: 0.3), frameRate: 25)
    #expect(fading.records.map { $0.objects.map(\.trackingID) } == Array(repeating: [1], count: 9))
  }
}
