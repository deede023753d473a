// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaGeometry

/// The boxes of frames while they are read.
struct FrameBoxes {
  private(set) var frames: [Int] = []
  private var annotations: [TrackAnnotation] = []
  private var labels = BoxLabels()
  let content: MOTReader.Content
  /// The warnings about single lines.
  var warnings: TrackFileWarnings
  /// The last frame, which may have no boxes.
  private var lastFrame = 0
  /// Whether there are any boxes, with or without an identity.
  private(set) var hasBoxes = false
  /// The number of boxes left out because they have no identity.
  private var unidentifiedCount = 0
  /// The number of boxes whose file has no score for them.
  private var unscoredCount = 0
  /// The first frame with a box without an identity.
  private var firstUnidentified = 0
  /// The number of detections left out because they have no area.
  private var flatCount = 0
  /// The error of the first record with a box that is not one.
  private var failure: EvaluationError?
  /// The number of the last record if records have no frame.
  private var number = 0
  /// The frame of each record, with the name of its image.
  private var images: [(frame: Int, name: String)] = []
  /// The targets of links, by the names of their records.
  private var originals: [String: String] = [:]
  /// The shapes of objects besides boxes.
  private var shapes: Set<ObjectShape> = []
  /// Whether a record has a frame, so that its image is the video.
  private var hasNumbers = false

  init(_ content: MOTReader.Content, name: String) {
    self.content = content
    warnings = TrackFileWarnings(file: name)
  }

  /// The scores that are accepted in records of images; metrics of tracks use only their order.
  var scoreRule: ScoreRule { content == .detections ? .probability : .optional }

  // MARK: Adding

  mutating func add(_ record: DetectionRecord) {
    number += 1
    lastFrame = number
    images.append((frame: number, name: record.image))
    if let original = record.original { originals[record.image] = original }
    unscoredCount += record.unscoredCount
    guard failure == nil, let findings = record.findings else { return }
    if let problem = findings.objects.lazy.compactMap({ COCOBox($0.box).problem }).first {
      failure = EvaluationError(
        .invalidDetections, "\(warnings.file), image '\(record.image.printable)': \(problem)",
        remedy: COCODetections.boxRemedy)
      return
    }
    add(findings, frame: number)
  }

  /// Adds the frame of a JSON object whose end `reader` has reached.
  mutating func add(_ frame: FrameJSON, _ reader: inout JSONReader) throws(JSONFailure) {
    number += 1
    let place = frame.number ?? number
    guard (1...MOTReader.maximumFrame).contains(place) else {
      throw reader.mismatch("the frame is \(place)", "frames count from 1")
    }
    if let odd = frame.oddScore {
      // Tracks of detections with other scores, such as those of MOTChallenge, have their scores.
      guard frame.number != nil else { throw odd.failure }
      warnings.addScore(odd.score, line: reader.mark().line)
    }
    lastFrame = max(lastFrame, place)
    if frame.number != nil { hasNumbers = true }
    images.append((frame: place, name: frame.image ?? ""))
    shapes.formUnion(frame.shapes)
    add(frame.findings, frame: place)
  }

  /// Adds the row of a frame, whose number is a valid one; `findings` is nil for a frame without objects.
  mutating func add(row frame: Int, _ findings: DetectionRecord.Findings?) {
    lastFrame = max(lastFrame, frame)
    if let findings { add(findings, frame: frame) }
  }

  /// Adds the objects of a frame; detections in the upright image are mapped to the stored one, as frames
  /// are.
  private mutating func add(_ findings: DetectionRecord.Findings, frame: Int) {
    let findings = content == .detections ? findings.stored() : findings
    for object in findings.objects { add(object, frame: frame) }
  }

  private mutating func add(_ object: DetectedObject, frame: Int) {
    hasBoxes = true
    if content != .detections, object.trackingID == nil {
      if unidentifiedCount == 0 { firstUnidentified = frame }
      unidentifiedCount += 1
      return
    }
    if content == .detections, object.box.isEmpty {
      flatCount += 1
      return
    }
    frames.append(frame)
    var annotation = TrackAnnotation(
      identity: content == .detections ? -1 : object.trackingID ?? -1, box: object.box,
      score: content == .groundTruth ? 1 : Double(object.score))
    if content == .detections { annotation.labelPosition = labels.add(object.labels) }
    annotations.append(annotation)
  }

  // MARK: Results

  /// Returns the boxes and their labels, with warnings about the file as a whole and its lines.
  /// - Throws: `invalidDetections` for a box that is not one.
  func labeledFrames(_ fileWarnings: [TrackFileWarning]) throws(EvaluationError) -> LabeledFrames {
    if let failure { throw failure }
    var all = fileWarnings + warnings.list
    if flatCount > 0 { all.append(.flat(flatCount, file: warnings.file)) }
    return LabeledFrames(
      frames: TrackFrames(
        name: warnings.file, frames: frames, annotations: annotations, lines: [], warnings: all,
        lastListedFrame: lastFrame, imageNames: imageNames, originals: originals),
      labels: labels)
  }

  /// The images that are the frames; empty if frames have their own numbers, or an image has no name.
  private var imageNames: [(frame: Int, name: String)] {
    hasNumbers || images.contains { $0.name.isEmpty } ? [] : images
  }

  /// Returns the warnings about frames that are the images of a folder.
  func warnings(ofFolder path: String) -> [TrackFileWarning] {
    var warnings = [
      TrackFileWarning(
        file: "'\(path)'", line: 0, reason: "a folder has images, not frames",
        action: "they are used in the order of their names", isOfOrder: true)
    ]
    warnings += orderWarnings("'\(path)'")
    if unscoredCount > 0 { warnings.append(.unscored(unscoredCount, file: "'\(path)'")) }
    return warnings
  }

  /// Returns the warning about images whose names contradict their order.
  func orderWarnings(_ file: String) -> [TrackFileWarning] {
    ImageOrder.warning(imageNames.map(\.name), file: file).map { [$0] } ?? []
  }

  /// Returns the warning about shapes, which trackers do not follow.
  func shapeWarnings(_ file: String) -> [TrackFileWarning] {
    guard !shapes.isEmpty else { return [] }
    let names = ShapeNotes.list(ObjectShape.allCases.filter(shapes.contains).map(\.rawValue), "and")
    return [
      TrackFileWarning(
        file: file, line: 0, reason: "objects have \(names)", action: "only their boxes are followed")
    ]
  }

  /// Returns the warning about boxes left out because they have no identity although others have one.
  func identityWarnings(_ file: String) -> [TrackFileWarning] {
    guard unidentifiedCount > 0 else { return [] }
    let lack = "\(DecimalText.counted(unidentifiedCount, "box has", "boxes have")) no identity"
    let place = "\(unidentifiedCount == 1 ? "in" : "the first in") frame \(firstUnidentified)"
    return [TrackFileWarning(file: file, line: 0, reason: "\(lack), \(place)", action: "left out")]
  }
}
