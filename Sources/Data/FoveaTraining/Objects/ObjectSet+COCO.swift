// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaFormats
import FoveaGeometry

extension ObjectSet {
  /// Reads a COCO instances file: images, categories, and a box for each object, in pixels of the unrotated
  /// image.
  ///
  /// Images that are not at their paths, for example because the file was written on another machine, are
  /// found by name below the folder. Crowds are not used for training. Categories without a box and boxes
  /// without an area are left out; categories with the same name become one class. Boxes of categories named
  /// "other", "background" or "None_of_the_above", in any case, do not belong to a class.
  /// - Parameters:
  ///   - path: The file.
  ///   - folder: The folder that the image paths are relative to.
  /// - Throws: `evaluation-…` if the file is not JSON or has invalid boxes; `training-set-invalid` for
  ///   unknown image or category ids, images that are missing, listed twice or outside the folder, invalid
  ///   label names, and a file without boxes; `training-set-unreadable`.
  ///
  /// **Source:** cocodataset.org, "Data format", object detection.
  public init(instances path: String, images folder: String) throws(FoveaError) {
    let truth: COCOGroundTruth
    do throws(EvaluationError) { truth = try COCOGroundTruth(path: path) } catch { throw FoveaError(error) }
    do throws(TrainingError) {
      self = try InstancesReader(truth: truth, source: path, folder: folder).set()
    } catch {
      throw FoveaError(error)
    }
  }
}

/// Converts the lists of an instances file to images with their objects.
struct InstancesReader {
  let truth: COCOGroundTruth
  let source: String
  let folder: String

  private static let shownProblems = 10

  func set() throws(TrainingError) -> ObjectSet {
    guard let status = FileStatus(FilePath(folder)) else { throw .unreadable(folder, SystemError(errno)) }
    guard status.kind == .folder else {
      throw .invalidSet(
        "it is not a folder", source: folder, remedy: "Name the folder with the file's images")
    }
    try check(truth.annotations.compactMap(problem))
    let boxes = truth.annotations.filter { !$0.isCrowd && $0.box.area > 0 && name(of: $0) != nil }
    guard !boxes.isEmpty else {
      throw .invalidSet(
        "it has no boxes", source: source,
        remedy: "Name a COCO instances file with a bbox for each object of a class")
    }
    let names = try ClassNames.distinct(boxes.lazy.compactMap(name), source: source)
    let classes = names.sorted(by: ClassNames.precedes)
    try ClassNames.check(classes, source: source)
    let (files, movedCount) = try self.files()
    var notes = self.notes(boxes, classes)
    if let note = NamedFiles.note(movedCount: movedCount) { notes.append(note) }
    return ObjectSet(classes: classes, images: images(boxes, classes, files), source: source, notes: notes)
  }

  /// Returns the class of an object; nil if it does not belong to a class.
  private func name(of annotation: COCOGroundTruth.Annotation) -> String? {
    guard let index = truth.categoryIndexes[annotation.categoryID] else { return nil }
    let name = truth.categories[index].name
    return ClassNames.meansOther(name) ? nil : name
  }

  private func problem(_ annotation: COCOGroundTruth.Annotation) -> String? {
    if truth.categoryIndexes[annotation.categoryID] == nil {
      return "annotation \(annotation.id) has the category \(annotation.categoryID), which is not listed"
    }
    if truth.imageIndexes[annotation.imageID] == nil {
      return "annotation \(annotation.id) is on the image \(annotation.imageID), which is not listed"
    }
    return nil
  }

  private func check(
    _ problems: [String],
    remedy: Advice = "Name a COCO instances file whose annotations refer to its own images and categories"
  ) throws(TrainingError) {
    guard !problems.isEmpty else { return }
    var text = problems.prefix(InstancesReader.shownProblems).joined(separator: "; ")
    let rest = problems.count - InstancesReader.shownProblems
    if rest > 0 { text += "; and \(rest) more" }
    throw .invalidSet(text, source: source, remedy: remedy)
  }

  // MARK: Images

  private func images(
    _ boxes: [COCOGroundTruth.Annotation], _ classes: [String], _ files: [String]
  ) -> [ObjectSet.Image] {
    let labels = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, $0) })
    var objects: [Int: [ObjectSet.Object]] = [:]
    for each in boxes {
      guard let label = name(of: each).flatMap({ labels[$0] }) else { continue }
      objects[each.imageID, default: []].append(
        ObjectSet.Object(id: each.id, label: label, box: each.box.bounds))
    }
    var crowds: [Int: [BoundingBox]] = [:]
    for each in truth.annotations where each.isCrowd {
      crowds[each.imageID, default: []].append(each.box.bounds)
    }
    return zip(truth.images, files).map { image, name in
      ObjectSet.Image(
        path: FilePath.joined(folder, name), name: name, objects: objects[image.id] ?? [],
        crowds: crowds[image.id] ?? [])
    }.sorted { ClassNames.precedes($0.name, $1.name) }
  }

  /// Returns the paths of the images' files below the folder, and the number of images found elsewhere.
  private func files() throws(TrainingError) -> (paths: [String], movedCount: Int) {
    var problems: [String] = []
    var files: [String] = []
    var seen: [String: (id: Int, name: String)] = [:]
    var named: NamedFiles?
    var movedCount = 0
    var (missingCount, ambiguousCount) = (0, 0)
    for image in truth.images {
      guard let name = image.fileName, !name.isEmpty else {
        problems.append("image \(image.id) has no file_name")
        continue
      }
      var file = below(name)
      if name.unicodeScalars.contains(where: { $0.value < 0x20 }) {
        problems.append("image \(image.id) is '\(name.printable)', which is not a path below a folder")
      } else if InstancesReader.leadsOut(name) || !isFile(file) {
        let all = if let named { named } else { try NamedFiles(below: folder) }
        named = all
        switch all.file(of: file) {
        case .one(let place):
          if !all.isSame(name, as: place) { movedCount += 1 }
          file = place
        case .several(let places):
          problems.append(NamedFiles.ambiguity(of: name, among: places, below: folder))
          ambiguousCount += 1
        case .none:
          problems.append(missing(name, image.id))
          missingCount += 1
        }
      }
      if let other = seen.updateValue((id: image.id, name: name), forKey: file) {
        problems.append(
          other.name == name
            ? "'\(file.printable)' is listed twice, as image \(other.id) and \(image.id)"
            : "image \(other.id), '\(other.name.printable)', and image \(image.id), "
              + "'\(name.printable)', are the same file, '\(file.printable)'")
      }
      files.append(file)
    }
    try check(
      problems,
      remedy: NamedFiles.remedy(
        all: problems.count, missing: missingCount, ambiguous: ambiguousCount, field: "file_name"))
    return (files, movedCount)
  }

  private func missing(_ name: String, _ id: Int) -> String {
    name.hasPrefix("/") || InstancesReader.leadsOut(name)
      ? "image \(id) is '\(name.printable)', which is not a path below a folder, and no file below "
        + "'\(folder.printable)' has its name"
      : "there is no file '\(FilePath.joined(folder, name).printable)', "
        + "and no other file in the folder has its name"
  }

  /// Returns the path below the folder, for a name that may include the folder.
  private func below(_ name: String) -> String {
    name.hasPrefix("/") ? InstancesReader.part(of: name, below: folder) ?? name : name
  }

  /// Returns the rest of a path after a folder that it starts with; nil if it does not start with it.
  static func part(of path: String, below folder: String) -> String? {
    let start = FilePath.joined(folder, "")
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
  }

  /// Whether a path below the folder is that of a file; absolute paths are not.
  private func isFile(_ path: String) -> Bool {
    !path.hasPrefix("/") && FileStatus(FilePath(FilePath.joined(folder, path)))?.kind == .file
  }

  /// Whether a name may lead out of the folder; untrusted files may have any name.
  private static func leadsOut(_ name: String) -> Bool {
    name.split(separator: "/", omittingEmptySubsequences: false).contains("..")
  }

  private func notes(_ boxes: [COCOGroundTruth.Annotation], _ classes: [String]) -> [String] {
    var notes: [String] = []
    let crowds = truth.annotations.count { $0.isCrowd }
    if crowds > 0 {
      notes.append(
        crowds == 1
          ? "1 box around a crowd is left out"
          : "\(DecimalText.grouped(crowds)) boxes around crowds are left out")
    }
    let flat = truth.annotations.count { !$0.isCrowd && $0.box.area == 0 }
    if let note = ObjectSet.note(flatCount: flat) { notes.append(note) }
    let known = Set(classes)
    let empty = truth.categories.filter { !known.contains($0.name) && !ClassNames.meansOther($0.name) }
    if !empty.isEmpty {
      notes.append(
        empty.count == 1
          ? "1 category has no box and is left out"
          : "\(DecimalText.grouped(empty.count)) categories have no box and are left out")
    }
    return notes
  }
}

extension COCOBox {
  fileprivate var bounds: BoundingBox { BoundingBox(x: x, y: y, width: width, height: height) }
}
