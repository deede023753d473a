// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
package import FoveaEvaluation
import FoveaGeometry
import FoveaImage

/// Reads the results of `fovea detect` and `fovea label` in every format except text and COCO.
package enum RecordFile {
  /// Reads a file, or a folder with one file per image.
  /// - Parameters:
  ///   - path: JSON, JSON lines, CSV, or a folder in the form of Pascal VOC or YOLO; a pipe with one of the
  ///     first three.
  ///   - rule: The scores of boxes that are accepted; by default any finite number, and 1 for boxes of VOC
  ///     and YOLO without a score.
  ///   - includesUnlabeled: Whether YOLO images without a label file are records without objects; false by
  ///     default.
  ///   - body: Called with each record.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON`, `invalidLine` or `invalidDetections`.
  package static func read(
    path: String, scores rule: ScoreRule = .optional, includesUnlabeled: Bool = false,
    _ body: (DetectionRecord) -> Void
  ) throws(EvaluationError) {
    try read(ResultInput(path: path), scores: rule, includesUnlabeled: includesUnlabeled, body)
  }

  /// Reads an input whose kind is known already; masks only of folders of YOLO, and if `readsMasks` is true.
  static func read(
    _ input: ResultInput, scores rule: ScoreRule = .optional, includesUnlabeled: Bool = false,
    readsMasks: Bool = false, _ body: (DetectionRecord) -> Void
  ) throws(EvaluationError) {
    switch input.kind {
    case .csv:
      for record in try CSVReader().read(text: input.text(), name: input.name, scores: rule) { body(record) }
    case .frameCSV:
      throw EvaluationError(
        .invalidDetections, "\(input.name) has frames of tracks, not images",
        remedy: "Name a file of \(command: "detect") or \(command: "label")")
    case .voc: try voc(input.path, rule, body)
    case .yolo: try yolo(input.path, rule, includesUnlabeled, readsMasks, body)
    case .json, .other: try JSONRecordReader().read(input, body)
    }
  }

  private static func voc(
    _ folder: String, _ rule: ScoreRule, _ body: (DetectionRecord) -> Void
  ) throws(EvaluationError) {
    let files = try files(below: folder, ending: ".xml")
    guard !files.isEmpty else {
      throw EvaluationError(
        .invalidDetections,
        "The folder '\(folder)' has no results: neither .xml files nor labels and classes.txt",
        remedy:
          "Name a file of results, or a folder that \(command: "detect --format voc") or 'yolo' has written")
    }
    for file in files {
      let path = FilePath.joined(folder, file)
      body(try VOCReader().read(text: bytes(path), name: "'\(path)'", scores: rule))
    }
  }

  /// Reads a YOLO folder, whose boxes are fractions of their images' sides, so that the images must exist.
  ///
  /// The sides are those of the upright image, as in YOLO's tools, unless the folder declares stored pixels.
  private static func yolo(
    _ folder: String, _ rule: ScoreRule, _ includesUnlabeled: Bool, _ readsMasks: Bool,
    _ body: (DetectionRecord) -> Void
  ) throws(EvaluationError) {
    let classes = try YOLOLines.classes(path: FilePath.joined(folder, "classes.txt"))
    let file = FilePath.joined(folder, "data.yaml")
    let declared: YOLODeclaration
    do throws(SystemError) { declared = try YOLODeclaration(folder: folder) } catch {
      throw EvaluationError(JSONFailure("'\(file)'", error))
    }
    if let problem = declared.problem {
      throw EvaluationError(
        .invalidLine, problem.message(file), remedy: YOLODeclaration.Problem.remedy)
    }
    let isStored = declared.hasStoredBoxes
    let shape = declared.keypoints != nil ? .keypoints : readsMasks ? declared.shape ?? .outline : .box
    let labels = FilePath.joined(folder, "labels")
    var images: [String: String] = [:]
    for image in try files(below: FilePath.joined(folder, "images"), ending: "") {
      // Other files, such as metadata in XMP, may have the name of an image.
      let stem = ResultFile.stem(image)
      guard images[stem] == nil || ImageFileName.imageExtension(image.utf8) != nil else { continue }
      images[stem] = image
    }
    let originals = originals(of: images.values, in: FilePath.joined(folder, "images"))
    let labeled = try files(below: labels, ending: ".txt")
    for file in includesUnlabeled ? all(labeled, images.values) : labeled {
      let path = FilePath.joined(labels, file)
      if includesUnlabeled, FileStatus(FilePath(path)) == nil, let image = images[ResultFile.stem(file)] {
        let findings = DetectionRecord.Findings(
          size: PixelSize(width: 0, height: 0), orientation: .up, content: .objects([]))
        var record = DetectionRecord(image: image, result: .success(findings))
        record.original = originals[image]
        body(record)
        continue
      }
      guard let image = images[ResultFile.stem(file)] else {
        throw EvaluationError(
          .invalidDetections,
          "'\(path)' has no image in '\(folder)/images', and its boxes need the image's size",
          remedy: "Add the image or a link to it")
      }
      let photo = try photo(FilePath.joined(folder, "images/" + image))
      let text = try bytes(path)
      let unscoredCount = unscoredCount(text, declared.keypoints)
      guard unscoredCount == 0 || rule != .needed else {
        throw EvaluationError(
          .invalidDetections, "'\(path)' has boxes without scores",
          remedy: "Detect again with \(flag: "yolo-scores", "scores"), or with another format")
      }
      let size = isStored ? photo.size : photo.uprightSize
      let objects = try YOLOLines.read(
        LineReader(bytes: text, name: "'\(path)'"), shape, declared.keypoints, size, classes, rule)
      let findings = DetectionRecord.Findings(
        size: size, orientation: photo.orientation,
        space: isStored || photo.orientation == .up ? .stored : .upright, content: .objects(objects))
      var record = DetectionRecord(image: image, result: .success(findings))
      record.original = originals[image]
      record.unscoredCount = unscoredCount
      body(record)
    }
  }

  private static func photo(_ path: String) throws(EvaluationError) -> EncodedImage {
    do throws(ImageError) { return try EncodedImage(path: path) } catch {
      throw EvaluationError(.unreadable, error.message, remedy: error.remedy)
    }
  }

  /// Returns the targets of links, by link, if one has a number because another image has its name.
  private static func originals(of images: some Collection<String>, in folder: String) -> [String: String] {
    var originals: [String: String] = [:]
    var hasNumbers = false
    for image in images {
      guard let target = SymbolicLink.target(of: FilePath.joined(folder, image)) else { continue }
      let isNumbered = ResultFile.isNumbered(image, from: target)
      guard isNumbered || FilePath(image).lastComponent == FilePath(target).lastComponent else { continue }
      originals[image] = target
      if isNumbered { hasNumbers = true }
    }
    return hasNumbers ? originals : [:]
  }

  /// Returns the label files that exist, and those that images without one would have.
  private static func all(_ labeled: [String], _ images: some Collection<String>) -> [String] {
    let known = Set(labeled.lazy.map(ResultFile.stem))
    let unlabeled = images.filter {
      ImageFileName.imageExtension($0.utf8) != nil && !known.contains(ResultFile.stem($0))
    }
    return sorted(labeled + unlabeled.map { ResultFile.stem($0) + ".txt" })
  }

  /// Returns the number of lines of YOLO that are complete but for the score.
  private static func unscoredCount(_ text: [UInt8], _ keypoints: YOLOLines.KeypointShape?) -> Int {
    text.split(separator: UInt8(ascii: "\n")).count {
      YOLOLines.lacksScore(fields: $0.split { $0 <= 0x20 }.count, keypoints: keypoints)
    }
  }

  static func bytes(_ path: String) throws(EvaluationError) -> [UInt8] {
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: ResultKind.limit) } catch {
      throw EvaluationError(JSONFailure("'\(path)'", error))
    }
  }

  /// Returns the files below a folder whose names end with `ending`, by relative path, in natural order.
  private static func files(below folder: String, ending: String) throws(EvaluationError) -> [String] {
    var files: [String] = []
    var folders = [""]
    while let place = folders.popLast() {
      let names: [String]
      do throws(SystemError) {
        names = try Folder.names(in: place.isEmpty ? folder : FilePath.joined(folder, place))
      } catch {
        throw EvaluationError(JSONFailure("'\(folder)'", error))
      }
      for name in names {
        let path = place.isEmpty ? name : place + "/" + name
        let full = FilePath(FilePath.joined(folder, path))
        // A link to a folder may lead back here.
        let isLink = SymbolicLink.isLink(full.text) == true
        switch FileStatus(full)?.kind {
        case .folder? where !isLink && path.split(separator: "/").count < 64: folders.append(path)
        case .file? where ending.isEmpty || path.lowercased().hasSuffix(ending): files.append(path)
        default: break
        }
      }
    }
    return sorted(files)
  }

  private static func sorted(_ files: [String]) -> [String] {
    files.sorted { NaturalOrder.precedes(Array($0.utf8)[...], Array($1.utf8)[...]) }
  }
}
