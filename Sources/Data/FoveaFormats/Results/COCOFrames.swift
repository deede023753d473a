// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry

/// The boxes of a COCO file, whose images become frames.
struct COCOFrames {
  private let name: String
  private var frames: [Int] = []
  private var annotations: [TrackAnnotation] = []
  private var labels = BoxLabels()
  private var warnings: [TrackFileWarning] = []
  private var flatCount = 0
  private var scorelessCount = 0
  /// The frame of the last listed image.
  private var lastFrame = 0
  private var imageNames: [(frame: Int, name: String)] = []

  private init(_ input: ResultInput) { name = input.name }

  /// Reads COCO results; the ids of the images are the frame numbers, from 0 or 1.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidDetections`.
  static func results(_ input: ResultInput) throws(EvaluationError) -> LabeledFrames {
    var found = COCOFrames(input)
    var countsFromZero = false
    do throws(JSONFailure) {
      var reader = try input.json()
      try reader.elements("detections") { (reader) throws(JSONFailure) in
        let element = try ElementJSON(&reader)
        guard let image = element.imageID, let box = element.box else {
          throw reader.mismatch("a detection has no \(element.imageID == nil ? "image_id" : "bbox")")
        }
        guard (0..<MOTReader.maximumFrame).contains(image) else {
          throw reader.mismatch("image_id is \(image)", "frame numbers start at 0 or 1")
        }
        // Boxes without an area count here, although they are left out.
        if image == 0 { countsFromZero = true }
        let label = element.categoryID.map { (name: String?.none, id: $0) }
        if let problem = found.add(box, frame: image, score: element.score, label) {
          throw reader.mismatch(problem)
        }
        return true
      }
    } catch {
      throw EvaluationError(error)
    }
    if countsFromZero { for index in found.frames.indices { found.frames[index] += 1 } }
    found.warn(
      "COCO results name images, not frames",
      countsFromZero
        ? "their ids start at 0 and become frame numbers from 1"
        : "their ids are used as frame numbers")
    return found.finish()
  }

  /// Reads a complete COCO file; its images are frames in the order of their ids.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidDetections`.
  static func dataset(_ input: ResultInput) throws(EvaluationError) -> LabeledFrames {
    let parts: InstancesParts
    do throws(JSONFailure) {
      var reader = try input.json()
      parts = try InstancesParts(&reader)
    } catch {
      throw EvaluationError(error)
    }
    guard !parts.images.isEmpty else { throw TrackFile.noFrames(input.path, .detections, "lists no images") }
    var found = COCOFrames(input)
    let numbers = COCOFrames.numbers(of: parts.images)
    found.lastFrame = numbers.values.max() ?? 0
    for image in parts.images {
      if let frame = numbers[image.id] { found.imageNames.append((frame: frame, name: image.fileName ?? "")) }
    }
    let categories = Dictionary(parts.categories.map { ($0.id, $0.name) }) { $1 }
    for (annotation, score) in zip(parts.annotations, parts.scores) where !annotation.isCrowd {
      guard let frame = numbers[annotation.imageID] else {
        throw EvaluationError(
          .invalidDetections,
          "\(parts.name): annotation \(annotation.id) is on the image \(annotation.imageID), "
            + "which is not listed",
          remedy: "List the image, or remove the annotation")
      }
      let label = (name: categories[annotation.categoryID], id: annotation.categoryID)
      if let problem = found.add(annotation.box, frame: frame, score: score, label) {
        throw EvaluationError(
          .invalidDetections, "\(parts.name), annotation \(annotation.id): \(problem)",
          remedy: "Correct the annotation, or the tool that wrote it")
      }
    }
    found.warn(
      "a COCO file has images, not frames", "they are used in the order of their ids", isOfOrder: true)
    let crowdCount = parts.annotations.count { $0.isCrowd }
    if crowdCount > 0 {
      found.warn("\(DecimalText.counted(crowdCount, "box is", "boxes are")) around a crowd", "left out")
    }
    if COCOFrames.isUnordered(parts.images) {
      found.warn(
        "the images are ordered differently by file name than by id", "the ids are used", isOfOrder: true)
    }
    return found.finish()
  }

  /// Whether boxes have the identities of COCO-VID or CVAT, which are not read; ignores unreadable parts.
  static func hasTrackIDs(_ input: ResultInput) -> Bool {
    let annotations = JSONKey("annotations")
    var hasOne = false
    do throws(JSONFailure) {
      var reader = try input.json()
      try reader.elements("detections") { (reader) throws(JSONFailure) in
        var isFirst = true
        while let key = try reader.nextKey(&isFirst) {
          if key == annotations {
            try reader.objects("annotations") { (reader) throws(JSONFailure) in
              var isFirst = true
              while let key = try reader.nextKey(&isFirst) {
                if try isTrackID(key, &reader) { hasOne = true }
              }
            }
          } else if try isTrackID(key, &reader) {
            hasOne = true
          }
        }
        return !hasOne
      }
    } catch {
      // If the rest is unreadable, the part read so far decides.
    }
    return hasOne
  }

  private static let trackID = JSONKey("track_id")
  private static let attributes = JSONKey("attributes")

  /// Whether a member of a box is its identity, or CVAT's attributes with the identity; skips the value.
  private static func isTrackID(_ key: JSONKey, _ reader: inout JSONReader) throws(JSONFailure) -> Bool {
    guard key == attributes, try reader.take(UInt8(ascii: "{")) else {
      try reader.skip()
      return key == trackID
    }
    var hasOne = false
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      if key == trackID { hasOne = true }
      try reader.skip()
    }
    return hasOne
  }

  /// Returns the frame of each image: its id if ids start at 0 or 1 with few gaps, otherwise its rank.
  private static func numbers(of images: [COCOGroundTruth.Image]) -> [Int: Int] {
    let ids = Set(images.map(\.id)).sorted()
    // A failed image leaves a gap, which is an empty frame.
    let areFrames = ids[0] >= 0 && ids[ids.count - 1] <= 2 * ids.count
    var numbers: [Int: Int] = [:]
    for (index, id) in ids.enumerated() {
      numbers[id] = areFrames ? (ids[0] == 0 ? id + 1 : id) : index + 1
    }
    return numbers
  }

  /// Whether file names in natural order contradict the order of the ids.
  private static func isUnordered(_ images: [COCOGroundTruth.Image]) -> Bool {
    let names = images.sorted { $0.id < $1.id }.compactMap(\.fileName).map { Array($0.utf8) }
    return zip(names, names.dropFirst()).contains { NaturalOrder.precedes($1[...], $0[...]) }
  }

  /// Adds a box with the name and the id of its category.
  /// - Returns: The problem with the box; nil if there is none.
  private mutating func add(
    _ box: COCOBox, frame: Int, score: Double?, _ category: (name: String?, id: Int)?
  ) -> String? {
    if let problem = box.problem ?? score.flatMap({ ScoreRule.probability.problem($0) }) { return problem }
    guard box.area > 0 else {
      flatCount += 1
      return nil
    }
    if score == nil { scorelessCount += 1 }
    frames.append(frame)
    var annotation = TrackAnnotation(
      identity: -1, box: BoundingBox(x: box.x, y: box.y, width: box.width, height: box.height),
      score: score ?? 1)
    if let category {
      let label = Label(text: category.name, index: category.id, confidence: Float(score ?? 1))
      annotation.labelPosition = labels.add([label])
    }
    annotations.append(annotation)
    return nil
  }

  private mutating func warn(_ reason: String, _ action: String, isOfOrder: Bool = false) {
    warnings.append(
      TrackFileWarning(file: name, line: 0, reason: reason, action: action, isOfOrder: isOfOrder))
  }

  private consuming func finish() -> LabeledFrames {
    if scorelessCount > 0 {
      warnings.append(.unscored(scorelessCount, file: name))
    }
    if flatCount > 0 { warnings.append(.flat(flatCount, file: name)) }
    return LabeledFrames(
      frames: TrackFrames(
        name: name, frames: frames, annotations: annotations, lines: [], warnings: warnings,
        lastListedFrame: lastFrame, imageNames: imageNames),
      labels: labels)
  }
}
