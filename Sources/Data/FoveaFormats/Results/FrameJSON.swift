// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaGeometry

/// One object of a JSON file of frames: a frame of `fovea track`, or a record of `fovea detect`, whose image
/// is a frame.
struct FrameJSON {
  enum Kind {
    case frame
    /// The labels of a whole image.
    case labels
    /// The start of a file in one of COCO's forms; the object is not read to its end.
    case results, dataset
    case other
  }

  private(set) var kind = Kind.other
  /// The number of the frame; nil for the record of an image.
  private(set) var number: Int?
  private(set) var image: String?
  private(set) var findings = DetectionRecord.Findings(
    size: PixelSize(width: 0, height: 0), orientation: .up, content: .objects([]))
  /// The shapes of objects besides boxes.
  private(set) var shapes: Set<ObjectShape> = []
  /// The first score that the rule refuses, and the error at its place.
  private(set) var oddScore: (score: Double, failure: JSONFailure)?

  private static let image = JSONKey("image")
  private static let frame = JSONKey("frame")
  private static let objects = JSONKey("objects")
  private static let labels = JSONKey("labels")
  private static let error = JSONKey("error")
  private static let imageID = JSONKey("image_id")
  private static let dataset = DatasetMembers.List.allCases.map { JSONKey($0.rawValue) }

  /// Reads an object whose opening brace is consumed already.
  init(_ reader: inout JSONReader, scores rule: ScoreRule) throws(JSONFailure) {
    var found: [DetectedObject]?
    var hasImage = false
    var hasLabels = false
    var hasError = false
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      if try Self.isDatasetList(key, &reader) {
        kind = .dataset
        return
      }
      switch key {
      case Self.imageID:
        kind = .results
        return
      case Self.image:
        try reader.refuse(twin: hasImage, "image")
        hasImage = true
        image = try reader.optionalString()
      case Self.labels:
        try reader.refuse(twin: hasLabels, "labels")
        hasLabels = true
        try reader.skip()
      case Self.error:
        hasError = true
        try reader.skip()
      case Self.frame:
        try reader.refuse(twin: number != nil, "frame")
        number = try reader.identifier("frame")
      case Self.objects:
        try reader.refuse(twin: found != nil, "objects")
        found = try readObjects(&reader, rule)
      default: try findings.readPixels(key, &reader)
      }
    }
    findings.content = .objects(found ?? [])
    // A failed image is a frame without boxes; one with other results, such as classes or an event, is not.
    if found != nil || hasImage && hasError {
      kind = .frame
    } else if hasLabels {
      kind = .labels
    }
  }

  /// Whether the member whose key was read last is a list of a COCO file, even if its name is misspelt.
  private static func isDatasetList(
    _ key: JSONKey, _ reader: inout JSONReader
  ) throws(JSONFailure) -> Bool {
    if key == objects || key == labels { return false }
    if dataset.contains(key) { return true }
    return try reader.beginsDatasetList()
  }

  /// Reads the objects of a frame, and remembers their shapes and the first odd score.
  private mutating func readObjects(
    _ reader: inout JSONReader, _ rule: ScoreRule
  ) throws(JSONFailure) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    try reader.objects("objects") { (reader) throws(JSONFailure) in
      let object = try ObjectJSON(&reader)
      if let problem = object.box.problem ?? ScoreRule.optional.problem(object.score) {
        throw reader.mismatch(problem)
      }
      if oddScore == nil, let problem = rule.problem(object.score) {
        oddScore = (object.score, reader.mismatch(problem))
      }
      if object.hasMask { shapes.insert(.mask) }
      if object.orientedBox != nil { shapes.insert(.orientedBox) }
      if !object.keypoints.isEmpty { shapes.insert(.keypoints) }
      objects.append(object.object)
    }
    return objects
  }
}

extension FrameBoxes {
  /// The content of JSON: frames, or detections in one of COCO's forms.
  enum JSONKind { case frames, results, dataset }

  /// Reads the frames of a file, if it has frames.
  mutating func readJSON(_ input: ResultInput) throws(EvaluationError) -> JSONKind {
    var kind: FrameJSON.Kind?
    do throws(JSONFailure) {
      var reader = try input.json()
      try reader.elements("frames") { (reader) throws(JSONFailure) in
        let element = try FrameJSON(&reader, scores: scoreRule)
        kind = element.kind
        guard element.kind == .frame else { return false }
        try add(element, &reader)
        return true
      }
    } catch {
      throw EvaluationError(error)
    }
    switch kind {
    case .frame: return .frames
    case .results, .dataset:
      guard content == .detections else {
        let lack = COCOFrames.hasTrackIDs(input) ? "'track_id' is not read" : "boxes have no identity"
        throw TrackFile.noFrames(input.path, content, "is a COCO file, whose \(lack)")
      }
      return kind == .results ? .results : .dataset
    case .labels: throw TrackFile.noFrames(input.path, content, TrackFile.labels)
    case .other: throw TrackFile.noFrames(input.path, content, "has an object that is not a frame")
    case nil: throw TrackFile.noFrames(input.path, content, "has no frames")
    }
  }
}
