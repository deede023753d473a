// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaFormats

/// `fovea evaluate detection`: computes COCO's figures for a file of detections.
struct EvaluateDetectionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detection",
    abstract: "Compute COCO AP and AR.",
    usage: "fovea evaluate detection --ground-truth <json> --detections <json> …",
    discussion: """
      Example: fovea evaluate detection --ground-truth gt.json --detections dets.json
      Prints the twelve figures of pycocotools, overall and per category.
      """)

  @Option(help: ArgumentHelp("COCO instances: images, categories, annotations.", valueName: "json"))
  var groundTruth: String

  @Option(help: ArgumentHelp("COCO results, or any format of fovea detect.", valueName: "json"))
  var detections: String

  @Flag(help: "Ignore categories: treat all objects as one class.")
  var classAgnostic = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Shape: boxes, masks or keypoints, and thresholds (default: boxes, 0.5 to 0.95 by 0.05).",
      valueName: "x,y,…"))
  var iou: String?

  @Flag(inversion: .prefixedNo, help: "Print a line for each category.")
  var perClass = true

  @Flag(help: "Ignore detections on images or of categories that the ground truth does not list.")
  var ignoreUnknown = false

  @Flag(help: "Print one line of JSON, with all figures.")
  var json = false

  @Flag(name: .shortAndLong, help: "Do not print notes.")
  var quiet = false

  func validate() throws {
    let numbers = thresholds ?? [1]
    guard (1...32).contains(numbers.count), numbers.allSatisfy({ $0 > 0 && $0 <= 1 }),
      zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw ValidationError(
        "--iou needs boxes, masks, keypoints, or 1 to 32 increasing numbers above 0 and up to 1, such as "
          + "0.5,0.75 or masks,0.5; got '\(iou ?? "")'.")
    }
    if groundTruth == "-" || detections == "-" {
      throw ValidationError("evaluate reads files, not standard input; use /dev/stdin.")
    }
  }

  func run() async throws {
    ProcessSignals.ignorePipes()
    let (report, notes) = try CommandFailure.exit { () throws(FoveaError) in try evaluate() }
    let console = Console(descriptor: STDERR_FILENO, isQuiet: quiet, now: { .zero })
    for note in notes { console.note(note) }
    try CommandFailure.print(text(of: report))
  }

  /// Returns the figures, and the notes to print with them.
  func evaluate() throws(FoveaError) -> (report: DetectionReport, notes: [String]) {
    do throws(EvaluationError) {
      let truth = try COCOGroundTruth(path: groundTruth, readsMasks: shape == .masks)
      var found = COCODetections(groundTruth: truth)
      found.takesAnyLabel = classAgnostic
      found.readsMasks = shape == .masks
      try found.read(path: detections)
      var options = DetectionEvaluator.Options()
      options.isClassAgnostic = classAgnostic
      options.unknownIDs = ignoreUnknown ? .leaveOut : .refuse
      options.shape = shape
      if let thresholds { options.iouThresholds = thresholds }
      let report = try DetectionEvaluator(groundTruth: truth, options: options).evaluate(found)
      return (report, EvaluationNotes.notes(of: truth, found, report))
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the printed report.
  func text(of report: DetectionReport) -> String {
    json ? EvaluationJSON.line(of: report) + "\n" : EvaluationTable.text(of: report, perClass: perClass)
  }

  /// The shape with which `--iou` begins; boxes by default.
  private var shape: DetectionEvaluator.Shape { overlap.shape ?? .boxes }

  /// The thresholds of `--iou`; nil if it has none.
  private var thresholds: [Double]? { overlap.thresholds }

  /// The two parts of `--iou`.
  private var overlap: (shape: DetectionEvaluator.Shape?, thresholds: [Double]?) {
    guard let iou else { return (nil, nil) }
    var parts = iou.split(separator: ",", omittingEmptySubsequences: false)[...]
    let shape = parts.first.flatMap { DetectionEvaluator.Shape(rawValue: String($0)) }
    if shape != nil { parts.removeFirst() }
    return (shape, parts.isEmpty ? nil : parts.map { Double($0) ?? .nan })
  }
}
