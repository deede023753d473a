// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct EvaluateTrackingTests {
  /// Two objects in four frames; the second one changes its identity once.
  static let truth = """
    1,1,0,0,10,20,1,1,1
    1,2,50,0,10,20,1,1,1
    2,1,2,0,10,20,1,1,1
    2,2,52,0,10,20,1,1,1
    3,1,4,0,10,20,1,1,1
    3,2,54,0,10,20,1,1,1
    4,1,90,0,10,20,0,1,1

    """
  static let tracks = """
    1,5,0,0,10,20,0.9,-1,-1,-1
    1,6,50,0,10,20,0.9,-1,-1,-1
    2,5,2,0,10,20,0.9,-1,-1,-1
    2,6,52,0,10,20,0.9,-1,-1,-1
    3,5,4,0,10,20,0.9,-1,-1,-1
    3,7,54,0,10,20,0.9,-1,-1,-1

    """
  static let files = [
    "gt/A/gt/gt.txt": truth, "gt/A/seqinfo.ini": "[Sequence]\nseqLength=4\n", "gt/B/gt/gt.txt": truth,
    "out/A.txt": tracks, "out/B.txt": tracks,
  ]

  struct Outcome {
    var text: String
    var notes: [String]
    var failures: [String]
  }

  /// The output for a folder with `files`, changed by `changes` and without `removed`.
  static func run(
    _ options: [String] = [], changes: [String: String] = [:], removed: String? = nil, truth: String = "gt",
    results: String = "out"
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    for (name, text) in files.merging(changes, uniquingKeysWith: { $1 }) where name != removed {
      try folder.write(name, text)
    }
    let arguments = ["--ground-truth", folder[truth], "--results", folder[results]] + options
    let command = try #require(
      try FoveaCommand.parseAsRoot(["evaluate", "tracking"] + arguments) as? EvaluateTrackingCommand)
    func short(_ text: String) -> String { text.replacing(folder.path + "/", with: "") }
    do throws(FoveaError) {
      let run = try command.evaluate()
      return Outcome(
        text: short(command.text(of: run)), notes: run.notes.map(short),
        failures: run.failures.map { short(RecordSink.line($0.sequence, $0.error)) })
    } catch {
      var error = error
      error.message = short(error.message)
      throw error
    }
  }

  @Test func `the table has each sequence and all of them`() throws {
    let outcome = try Self.run()
    #expect(outcome.notes.isEmpty)
    #expect(outcome.failures.isEmpty)
    #expect(
      outcome.text == """
        2 sequences by the rules of MOT17, 12 boxes of 4 objects, 12 tracked boxes of 6 tracks, figures in %

        sequence   HOTA    DetA   AssA   DetRe   DetPr  AssRe   AssPr    LocA
        A         88.19  100.00  77.78  100.00  100.00  77.78  100.00  100.00
        B         88.19  100.00  77.78  100.00  100.00  77.78  100.00  100.00
        combined  88.19  100.00  77.78  100.00  100.00  77.78  100.00  100.00

        sequence   MOTA    MOTP   IDF1    IDR    IDP  IDSW  Frag  MT  PT  ML  FN  FP
        A         83.33  100.00  83.33  83.33  83.33     1     0   2   0   0   0   0
        B         83.33  100.00  83.33  83.33  83.33     1     0   2   0   0   0   0
        combined  83.33  100.00  83.33  83.33  83.33     2     0   4   0   0   0   0

        """)
  }

  @Test func `a single sequence has no combined line`() throws {
    for (truth, results) in [("gt/A", "out"), ("gt/A/gt/gt.txt", "out/A.txt"), ("gt/B", "out/A.txt")] {
      let text = try Self.run(truth: truth, results: results).text
      #expect(
        text.hasPrefix("1 sequence by the rules of MOT17, 6 boxes of 2 objects, 6 tracked boxes of 3 tracks"))
      #expect(!text.contains("combined"))
    }
    #expect(try Self.run(["--sequences", "B"]).text.contains("\nB         88.19"))
  }

  @Test func `the JSON has all figures`() throws {
    let text = try Self.run(["--json", "--sequences", "A"]).text
    #expect(text.hasPrefix(#"{"benchmark": "MOT17", "alphas": [0.05, 0.1, "#))
    #expect(text.contains(#""sequences": [{"name": "A", "metrics": {"HOTA": 0.88191710368819"#))
    #expect(
      text.contains(#""IDF1": 0.8333333333333334, "IDR": 0.8333333333333334, "IDP": 0.8333333333333334, "#))
    #expect(
      text.contains(
        #""CLR_TP": 6, "CLR_FN": 0, "CLR_FP": 0, "IDSW": 1, "MT": 2, "PT": 0, "ML": 0, "Frag": 0, "#))
    #expect(
      text.contains(#""IDTP": 5, "IDFN": 1, "IDFP": 1, "Dets": 6, "GT_Dets": 6, "IDs": 3, "GT_IDs": 2, "#))
    #expect(text.contains(#""HOTA_alpha": [0.88191710368819"#))
    #expect(text.hasSuffix("\"failed\": []}\n"))
  }

  /// Frames of boxes with these identities, in the form of `fovea track`.
  static func jsonLines(_ identities: [[Int?]]) -> String {
    identities.enumerated().map { index, identities in
      let objects = identities.enumerated().map { place, identity in
        #"{"box": {"x": \#(50 * place), "y": 0, "width": 10, "height": 20}, "score": 0.9, "#
          + #""trackingID": \#(identity.map(String.init) ?? "null"), "labels": []}"#
      }
      return #"{"frame": \#(index + 1), "objects": [\#(objects.joined(separator: ", "))]}"# + "\n"
    }.joined()
  }

  struct PartCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var options: [String] = []
    var changes: [String: String]
    var removed: String?
    var notes: [String] = []
    var failures: [String] = []
  }

  @Test(arguments: [
    PartCase(
      testDescription: "missing results", changes: [:], removed: "out/B.txt",
      notes: ["1 of 2 sequences failed, so there are no combined figures"],
      failures: [
        "B: there are no results of this sequence: 'out/B.txt' is missing. Write the file, or leave out the sequence with "
          + "--sequences."
      ]),
    PartCase(
      testDescription: "results without ground truth", changes: ["out/C.txt": "", "out/notes.md": ""],
      notes: ["results without ground truth are left out: C"]),
    PartCase(
      testDescription: "empty results", changes: ["out/B.txt": ""],
      notes: ["B: the results have no boxes, so nothing was found"]),
    PartCase(
      testDescription: "an empty truth", options: ["--benchmark", "MOT17"], changes: ["gt/B/gt/gt.txt": "\n"],
      notes: ["B: the ground truth has no boxes that count, so there is nothing to find"]),
    PartCase(
      testDescription: "frames beyond the end", changes: ["out/A.txt": tracks + "5,5,0,0,10,20,1\n"],
      notes: ["1 of 2 sequences failed, so there are no combined figures"],
      failures: [
        "A: 'out/A.txt': line 7 is in a frame after 4, the last one of the video; the last frame here is 5. Name the "
          + "results of this sequence, or correct seqLength in its seqinfo.ini."
      ]),
    PartCase(
      testDescription: "other frames", changes: ["out/B.txt": "10,1,0,0,5,5,1\n12,1,0,0,5,5,1\n"],
      notes: [
        "B: the results have frames 10 to 12, the ground truth 1 to 4: they have no frame in common"
      ]),
    PartCase(
      testDescription: "a duplicate identity", changes: ["out/A.txt": tracks + "3,7,0,0,10,20,1\n"],
      notes: ["1 of 2 sequences failed, so there are no combined figures"],
      failures: [
        "A: 'out/A.txt': identity 7 is twice in frame 3, in line 6 and line 7. Give each object of a frame its own "
          + "identity."
      ]),
    PartCase(
      testDescription: "an unreadable truth", changes: ["gt/A/gt/gt.txt": "1,1,0,0,x,20,1,1,1\n"],
      notes: ["1 of 2 sequences failed, so there are no combined figures"],
      failures: [
        "A: 'gt/A/gt/gt.txt' line 1: width is 'x', not a number. A line is "
          + "frame,identity,x,y,width,height,score and more columns; correct the line, or name the right file."
      ]),
    PartCase(
      testDescription: "an invalid seqinfo.ini",
      changes: ["gt/A/seqinfo.ini": "[Sequence]\nseqLength=no\n"],
      notes: ["1 of 2 sequences failed, so there are no combined figures"],
      failures: [
        "A: 'gt/A/seqinfo.ini' line 2: seqlength is 'no', not a whole number from 1 to 2147483647. Write lines such as "
          + "seqLength=600 below [Sequence]."
      ]),
    PartCase(
      testDescription: "other classes",
      changes: ["out/A.txt": tracks.replacing("1,6,50,0,10,20,0.9,-1", with: "1,6,50,0,10,20,0.9,3")],
      notes: [
        "A: 1 box of the results has a class other than 1 in the eighth column; it counts as a pedestrian"
      ]),
    PartCase(
      testDescription: "boxes without an identity",
      changes: ["out/B.jsonl": jsonLines([[5, nil], [nil, 5], [5]])], removed: "out/B.txt",
      notes: ["B: 'out/B.jsonl': 2 boxes have no identity, the first in frame 1; left out"]),
  ])
  func `failures and oddities are named, and the rest is evaluated`(_ test: PartCase) throws {
    let outcome = try Self.run(test.options, changes: test.changes, removed: test.removed)
    #expect(outcome.notes == test.notes)
    #expect(outcome.failures == test.failures)
    #expect(outcome.text.contains("\ncombined") == test.failures.isEmpty)
    let json = try Self.run(test.options + ["--json"], changes: test.changes, removed: test.removed).text
    #expect(json.contains("\"combined\": null") == !test.failures.isEmpty)
    #expect(json.contains("\"failed\": []") == test.failures.isEmpty)
  }

  struct ErrorCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var options: [String] = []
    var changes: [String: String] = [:]
    var truth = "gt"
    var results = "out"
    var code = "evaluation-sequence-mismatch"
    var message: String
  }

  @Test(arguments: [
    ErrorCase(
      testDescription: "no ground truth", truth: "none", code: "evaluation-unreadable",
      message: "'none' cannot be read: No such file or directory"),
    ErrorCase(
      testDescription: "no results", results: "none", code: "evaluation-unreadable",
      message: "'none' cannot be read: No such file or directory"),
    ErrorCase(
      testDescription: "a folder without sequences", changes: ["empty/x/y": ""], truth: "empty",
      message: "'empty' has no ground truth: neither SEQUENCE/gt/gt.txt nor SEQUENCE.txt"),
    ErrorCase(
      testDescription: "a folder of VOC as ground truth", changes: ["voc/1.xml": ""], truth: "voc",
      code: "evaluation-invalid-ground-truth",
      message: "'voc' is a folder in the form of Pascal VOC, whose boxes have no identity"),
    ErrorCase(
      testDescription: "a folder of YOLO as ground truth",
      changes: ["yolo/classes.txt": "a\n", "yolo/labels/1.txt": ""], truth: "yolo",
      code: "evaluation-invalid-ground-truth",
      message: "'yolo' is a folder in the form of YOLO, whose boxes have no identity"),
    ErrorCase(
      testDescription: "a folder of VOC as results", changes: ["voc/1.XML": ""], results: "voc",
      code: "evaluation-invalid-detections",
      message: "'voc' is a folder in the form of Pascal VOC, whose boxes have no identity"),
    ErrorCase(
      testDescription: "a folder of VOC with texts next to its files as ground truth",
      changes: [
        "voc/1.xml": "<annotation/>", "voc/readme.txt": "Photos of the yard, labelled in the year 2026\n",
        "voc/train.txt": "000001\n000002\n",
      ], truth: "voc", code: "evaluation-invalid-ground-truth",
      message: "'voc' is a folder in the form of Pascal VOC, whose boxes have no identity"),
    ErrorCase(
      testDescription: "a folder of YOLO as results",
      changes: ["yolo/classes.txt": "a\n", "yolo/labels/1.txt": ""], results: "yolo",
      code: "evaluation-invalid-detections",
      message: "'yolo' is a folder in the form of YOLO, whose boxes have no identity"),
    ErrorCase(
      testDescription: "one file for several sequences", results: "out/A.txt",
      message: "'out/A.txt' is one file of results, but 'gt' has 2 sequences"),
    ErrorCase(
      testDescription: "an unknown sequence", options: ["--sequences", "A,Z"],
      message: "'gt' has no sequence 'Z', only A, B"),
    ErrorCase(
      testDescription: "sequences of two benchmarks", changes: ["gt/B/gt/gt.txt": "1,1,0,0,9,9,1,-1,-1,-1\n"],
      code: "option-invalid", message: "'A' has the form of MOT17, 'B' the form of MOT15"),
  ])
  func `inputs that do not match are an error`(_ test: ErrorCase) {
    let error = #expect(throws: FoveaError.self) {
      try Self.run(test.options, changes: test.changes, truth: test.truth, results: test.results)
    }
    #expect(error?.code.rawValue == test.code)
    #expect(error?.message == test.message)
  }

  @Test(arguments: ["own/walk.xml", "own/annotations.XML"])
  func `files of other kinds next to the sequences are ignored`(_ other: String) throws {
    let line = "1,1,0,0,9,9,1,1,1\n"
    let text = try Self.run(
      changes: ["own/walk.txt": line, other: "<annotations/>", "found/walk.txt": line], truth: "own",
      results: "found"
    ).text
    #expect(text.hasPrefix("1 sequence by the rules of MOT17, 1 box"), "\(text)")
  }

  @Test(arguments: [
    ["--benchmark", "MOT99"], ["--benchmark", ""], ["--class", "car"], ["--sequences", ","],
    ["--benchmark", "kitti", "--class", "tree"], ["--benchmark", "mot17", "--class", "car"],
  ])
  func `impossible options are a usage error`(_ options: [String]) {
    #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(
        ["evaluate", "tracking", "--ground-truth", "a", "--results", "b"] + options)
    }
  }

  @Test func `KITTI's labels are evaluated one class at a time`() throws {
    let tail = " -1 -1 -1 -1000 -1000 -1000 -10"
    let labels =
      "0 0 Car 0 0 0 0 0 50 50\(tail)\n0 1 Pedestrian 0 0 0 100 0 130 60\(tail)\n1 0 Car 0 0 0 2 0 52 50\(tail)\n"
    let changes: [String: String] = ["kitti/0000.txt": labels, "found/0000.txt": labels]
    let cars = try Self.run(["--benchmark", "kitti"], changes: changes, truth: "kitti", results: "found")
    #expect(
      cars.text.hasPrefix(
        "1 sequence by the rules of KITTI Car, 2 boxes of 1 object, 2 tracked boxes of 1 track,"))
    let people = try Self.run(
      ["--benchmark", "KITTI", "--class", "Pedestrian"], changes: changes, truth: "kitti", results: "found")
    #expect(
      people.text.hasPrefix(
        "1 sequence by the rules of KITTI Pedestrian, 1 box of 1 object, 1 tracked box of 1"))
  }

  @Test(arguments: [
    ("MOT20-01", "1,1,0,0,9,9,1,1,1", "MOT20"), ("MOT16-02", "1,1,0,0,9,9,1,1,1", "MOT16"),
    ("walk", "1,1,0,0,9,9,1,1,1", "MOT17"), ("walk", "1,1,0,0,9,9,1,-3.2,16.3,0.5", "MOT15"),
    ("walk", "1,1,0,0,9,9,1", "MOT15"), ("walk", "1,1,0,0,9,9,0.5", "plain"),
    ("walk", "1,1,0,0,9,9", "MOT15"),
  ])
  func `the rules follow from names and columns`(_ name: String, _ line: String, _ benchmark: String) throws {
    let text = try Self.run(
      changes: ["own/\(name).txt": line + "\n", "found/\(name).txt": "1,1,0,0,9,9,1\n"], truth: "own",
      results: "found"
    ).text
    #expect(text.hasPrefix("1 sequence by the rules of \(benchmark), 1 box"), "\(text)")
  }
}
