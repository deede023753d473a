// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
package import FoveaEvaluation
import FoveaGeometry

/// Reads boxes by frame: MOTChallenge's lines, and the JSON lines and CSV of `fovea track`.
///
/// Also reads the records of `fovea detect`: each image is a frame. As detections, it also reads COCO files
/// and folders in the form of Pascal VOC or YOLO.
package enum TrackFile {
  /// Reads a file of any of these forms, detected by its first bytes.
  /// - Parameters:
  ///   - path: The file or pipe; a folder only for detections.
  ///   - content: The content of the file; in results and ground truth, only objects with an identity are
  ///     used.
  ///   - minimumColumns: The minimum number of columns in a line of MOTChallenge.
  /// - Returns: The boxes by frame.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON`, `invalidLine`, `invalidDetections` or
  ///   `duplicateIdentity`.
  package static func read(
    path: String, _ content: MOTReader.Content, minimumColumns: Int = 6
  ) throws(EvaluationError) -> TrackFrames {
    try readLabeled(path: path, content, minimumColumns: minimumColumns).frames
  }

  /// Reads a file as ``read(path:_:minimumColumns:)`` does, with the labels of detections.
  /// - Throws: The same errors.
  static func readLabeled(
    path: String, _ content: MOTReader.Content, minimumColumns: Int = 6
  ) throws(EvaluationError) -> LabeledFrames {
    var boxes = FrameBoxes(content)
    if FileStatus(FilePath(path))?.kind == .folder {
      guard content == .detections else {
        throw noFrames(path, content, "is a folder, but boxes of frames are lines of one file")
      }
      try RecordFile.read(path: path, scores: .probability, includesUnlabeled: true) { boxes.add($0) }
      return boxes.labeledFrames("'\(path)'", boxes.warnings(ofFolder: path))
    }
    let input = try ResultInput(path: path)
    switch input.kind {
    case .json:
      switch try boxes.readJSON(input) {
      case .frames: break
      case .results: return try COCOFrames.results(input)
      case .dataset: return try COCOFrames.dataset(input)
      }
    case .frameCSV: try boxes.readRows(input)
    case .csv:
      for record in try CSVReader().read(text: input.text(), name: input.name, scores: boxes.scoreRule) {
        boxes.add(record)
      }
    case .voc, .yolo, .other:
      return try LabeledFrames(frames: MOTReader(content, minimumColumns: minimumColumns).read(input.lines()))
    }
    if boxes.frames.isEmpty, boxes.hasBoxes {
      throw noFrames(path, content, "holds detections, whose boxes have no identity")
    }
    let read = boxes.labeledFrames(
      input.name,
      content == .detections
        ? boxes.orderWarnings(input.name) + boxes.shapeWarnings(input.name)
        : boxes.identityWarnings(input.name))
    if content != .detections { try read.frames.checkIdentities() }
    return read
  }

  /// Returns the error of a file or folder without frames; `what` describes what it is instead.
  static func noFrames(_ path: String, _ content: MOTReader.Content, _ what: String) -> EvaluationError {
    EvaluationError(
      content == .groundTruth ? .invalidGroundTruth : .invalidDetections, "'\(path)' \(what)",
      remedy: content == .detections
        ? "Name lines of MOTChallenge such as det.txt, or results of Fovea in any format except text"
        : """
        Name lines of MOTChallenge such as gt.txt, or a file of \(command: "track") in the format mot, jsonl \
        or csv
        """
    )
  }
}

/// The boxes of frames while they are read.
private struct FrameBoxes {
  private(set) var frames: [Int] = []
  private var annotations: [TrackAnnotation] = []
  private var labels = BoxLabels()
  private let content: MOTReader.Content
  /// The scores that are accepted; metrics of tracks use only their order.
  var scoreRule: ScoreRule { content == .detections ? .probability : .optional }
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

  private static let image = JSONKey("image")
  private static let frame = JSONKey("frame")
  private static let objects = JSONKey("objects")
  private static let labels = JSONKey("labels")
  private static let imageID = JSONKey("image_id")
  private static let dataset = DatasetMembers.List.allCases.map { JSONKey($0.rawValue) }

  init(_ content: MOTReader.Content) { self.content = content }

  mutating func add(_ record: DetectionRecord) {
    number += 1
    lastFrame = number
    images.append((frame: number, name: record.image))
    if let original = record.original { originals[record.image] = original }
    unscoredCount += record.unscoredCount
    if let findings = record.findings { add(findings, frame: number) }
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
    frames.append(frame)
    var annotation = TrackAnnotation(
      identity: content == .detections ? -1 : object.trackingID ?? -1, box: object.box,
      score: content == .groundTruth ? 1 : Double(object.score))
    if content == .detections { annotation.labelPosition = labels.add(object.labels) }
    annotations.append(annotation)
  }

  /// Adds the frame of a JSON object whose end `reader` has reached; `number` is its own number, if it has one.
  private mutating func add(
    _ findings: DetectionRecord.Findings, number frame: Int?, image: String?,
    _ reader: borrowing JSONReader
  ) throws(JSONFailure) {
    number += 1
    let place = frame ?? number
    guard (1...MOTReader.maximumFrame).contains(place) else {
      throw reader.mismatch("the frame is \(place)", "frames count from 1")
    }
    lastFrame = max(lastFrame, place)
    if frame != nil { hasNumbers = true }
    images.append((frame: place, name: image ?? ""))
    add(findings, frame: place)
  }

  /// Returns the boxes and their labels; `name` is the file's name in messages.
  func labeledFrames(_ name: String, _ warnings: [TrackFileWarning]) -> LabeledFrames {
    LabeledFrames(
      frames: TrackFrames(
        name: name, frames: frames, annotations: annotations, lines: [], warnings: warnings,
        lastListedFrame: lastFrame, imageNames: imageNames, originals: originals),
      labels: labels)
  }

  /// The content of JSON: frames, or detections in one of COCO's forms.
  enum JSONKind { case frames, results, dataset }

  /// Reads the frames of a file, if it has frames.
  mutating func readJSON(_ input: ResultInput) throws(EvaluationError) -> JSONKind {
    // The description of a file without frames.
    var problem: String? = "has no frames"
    var kind = JSONKind.frames
    do throws(JSONFailure) {
      var reader = try input.json()
      try reader.elements("frames") { (reader) throws(JSONFailure) in
        var frame: Int?
        var image: String?
        var found: [DetectedObject]?
        var findings = DetectionRecord.Findings(
          size: PixelSize(width: 0, height: 0), orientation: .up, content: .objects([]))
        var isFirst = true
        var isFrame = false
        var hasLabels = false
        while let key = try reader.nextKey(&isFirst) {
          if try Self.isDatasetList(key, &reader) {
            kind = .dataset
            return false
          }
          switch key {
          case Self.imageID:
            kind = .results
            return false
          case Self.image:
            isFrame = true
            image = try reader.optionalString()
          case Self.labels:
            hasLabels = true
            try reader.skip()
          case Self.frame:
            frame = try reader.identifier("frame")
            isFrame = true
          case Self.objects:
            guard found == nil else { throw reader.mismatch("the member 'objects' occurs twice") }
            found = try readObjects(&reader)
          default: try findings.readPixels(key, &reader)
          }
        }
        guard found != nil || isFrame && !hasLabels else {
          problem = hasLabels ? "has labels of whole images, not boxes" : "has an object that is not a frame"
          return false
        }
        problem = nil
        findings.content = .objects(found ?? [])
        try add(findings, number: frame, image: image, reader)
        return true
      }
    } catch {
      throw EvaluationError(error)
    }
    if kind != .frames {
      guard content == .detections else {
        let lack = COCOFrames.hasTrackIDs(input) ? "'track_id' is not read" : "boxes have no identity"
        throw TrackFile.noFrames(input.path, content, "is a COCO file, whose \(lack)")
      }
      return kind
    }
    if let problem { throw TrackFile.noFrames(input.path, content, problem) }
    return kind
  }

  /// Whether the member whose key was read last is a list of a COCO file, even if its name is misspelt.
  private static func isDatasetList(
    _ key: JSONKey, _ reader: inout JSONReader
  ) throws(JSONFailure) -> Bool {
    if key == objects || key == labels { return false }
    if dataset.contains(key) { return true }
    return try reader.beginsDatasetList()
  }

  /// Reads the objects of a frame, and remembers what they have besides boxes.
  private mutating func readObjects(_ reader: inout JSONReader) throws(JSONFailure) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    try reader.objects("objects") { (reader) throws(JSONFailure) in
      let object = try ObjectJSON(&reader)
      if let problem = object.box.problem ?? scoreRule.problem(object.score) {
        throw reader.mismatch(problem)
      }
      if object.hasMask { shapes.insert(.mask) }
      if object.orientedBox != nil { shapes.insert(.orientedBox) }
      if !object.keypoints.isEmpty { shapes.insert(.keypoints) }
      objects.append(object.object)
    }
    return objects
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

  /// The images that are the frames; empty if frames have their own numbers, or an image has no name.
  var imageNames: [(frame: Int, name: String)] {
    hasNumbers || images.contains { $0.name.isEmpty } ? [] : images
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

  mutating func readRows(_ input: ResultInput) throws(EvaluationError) {
    var line = 0
    for row in CSVLines(try input.text()) {
      line += 1
      if line == 1 { continue }
      let fields = CSVFields.split(row)
      guard fields.count == FrameCSVWriter.columns.count, let frame = Int(fields[1]),
        (1...MOTReader.maximumFrame).contains(frame), let count = Int(fields[8])
      else { throw Self.invalid(input, line) }
      lastFrame = max(lastFrame, frame)
      guard count > 0 else { continue }
      let numbers = fields[10...14].compactMap(Double.init)
      guard numbers.count == 5, numbers.allSatisfy(\.isFinite), numbers[2] >= 0, numbers[3] >= 0 else {
        throw Self.invalid(input, line)
      }
      if let problem = scoreRule.problem(numbers[4]) { throw Self.invalid(input, line, problem) }
      let label = CSVReader.label(fields[15...])
      guard label != nil || fields[16].isEmpty else { throw Self.invalid(input, line) }
      let object = DetectedObject(
        box: .init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
        score: Float(numbers[4]), labels: label.map { [$0] } ?? [], trackingID: Int(fields[9]))
      add(
        DetectionRecord.Findings(
          size: PixelSize(width: Int(fields[3]) ?? 0, height: Int(fields[4]) ?? 0),
          orientation: Orientation(name: fields[5]) ?? .up,
          space: DetectionRecord.Findings.Space(rawValue: fields[6]) ?? .stored, content: .objects([object])),
        frame: frame)
    }
  }

  private static func invalid(
    _ input: ResultInput, _ line: Int, _ problem: String = "not a row of fovea's results"
  ) -> EvaluationError {
    EvaluationError(
      .invalidLine, "\(input.name) line \(line): \(problem)",
      remedy: "Name a file that fovea has written as csv")
  }
}
