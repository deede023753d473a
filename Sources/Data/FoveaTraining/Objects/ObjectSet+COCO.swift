// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaFormats
import FoveaGeometry

extension ObjectSet {
  /// Reads a COCO instances file: images, categories, and a box for each object, in pixels of the unrotated image.
  ///
  /// Images that are not at their paths, as those of another machine, are found by their names below the folder. Crowds teach
  /// nothing. Categories without a box are left out, and so are boxes without an area; categories of one name are one class. Boxes
  /// of categories that are named "other", "background" or "None_of_the_above", in any case, are none of the classes.
  /// - Parameters:
  ///   - path: The file.
  ///   - folder: The folder that its file names are relative to.
  /// - Throws: `evaluation-…` for a file that is no JSON, or has boxes that are none; `training-set-invalid` for ids that it does
  ///   not list, images that are not there, twice there or outside the folder, names that cannot be labels, and a file
  ///   without boxes; `training-set-unreadable`.
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

/// Turns the lists of an instances file into images with their objects.
struct InstancesReader {
  let truth: COCOGroundTruth
  let source: String
  let folder: String

  private static let shownProblems = 10

  func set() throws(TrainingError) -> ObjectSet {
    guard let status = FileStatus(FilePath(folder)) else { throw .unreadable(folder, SystemError(errno)) }
    guard status.kind == .folder else {
      throw .invalidSet(
        "it is no folder", source: folder, remedy: "Name the folder that the file's images are in")
    }
    try check(truth.annotations.compactMap(problem))
    let boxes = truth.annotations.filter { !$0.isCrowd && $0.box.area > 0 && name(of: $0) != nil }
    guard !boxes.isEmpty else {
      throw .invalidSet(
        "it has no boxes", source: source,
        remedy: "Give a COCO instances file with a bbox for each object of a class")
    }
    let names = try ClassNames.distinct(boxes.lazy.compactMap(name), source: source)
    let classes = names.sorted(by: ClassNames.precedes)
    try ClassNames.check(classes, source: source)
    let (files, movedCount) = try self.files()
    var notes = self.notes(boxes, classes)
    if let note = NamedFiles.note(movedCount: movedCount) { notes.append(note) }
    return ObjectSet(classes: classes, images: images(boxes, classes, files), source: source, notes: notes)
  }

  /// The class of an object; nil for what is none of them.
  private func name(of annotation: COCOGroundTruth.Annotation) -> String? {
    guard let index = truth.categoryIndexes[annotation.categoryID] else { return nil }
    let name = truth.categories[index].name
    return ClassNames.meansOther(name) ? nil : name
  }

  private func problem(_ annotation: COCOGroundTruth.Annotation) -> String? {
    if truth.categoryIndexes[annotation.categoryID] == nil {
      return "annotation \(annotation.id) is of the category \(annotation.categoryID), which is not listed"
    }
    if truth.imageIndexes[annotation.imageID] == nil {
      return "annotation \(annotation.id) is on the image \(annotation.imageID), which is not listed"
    }
    return nil
  }

  private func check(
    _ problems: [String],
    remedy: Advice = "Give a COCO instances file whose annotations name its own images and categories"
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

  /// The path of each image's file below the folder, and how many of them the list has at another place.
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
        problems.append("image \(image.id) is '\(name.printable)', which is no path below a folder")
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
            : "image \(other.id), '\(other.name.printable)', and image \(image.id), '\(name.printable)', are one "
              + "file, '\(file.printable)'")
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
      ? "image \(id) is '\(name.printable)', which is no path below a folder, and no file below "
        + "'\(folder.printable)' has its name"
      : "there is no file '\(FilePath.joined(folder, name).printable)', nor one of its name below that folder"
  }

  /// The path below the folder, of a name that may have the folder in it.
  private func below(_ name: String) -> String {
    name.hasPrefix("/") ? InstancesReader.part(of: name, below: folder) ?? name : name
  }

  /// The part of a path behind a folder that it begins with; nil if it does not.
  static func part(of path: String, below folder: String) -> String? {
    let start = FilePath.joined(folder, "")
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
  }

  /// Whether a path below the folder is that of a file; the root of the file system is not meant.
  private func isFile(_ path: String) -> Bool {
    !path.hasPrefix("/") && FileStatus(FilePath(FilePath.joined(folder, path)))?.kind == .file
  }

  /// Whether a name may lead out of a folder behind its beginning; a file of someone else's may have any name.
  private static func leadsOut(_ name: String) -> Bool {
    name.split(separator: "/", omittingEmptySubsequences: false).contains("..")
  }

  private func notes(_ boxes: [COCOGroundTruth.Annotation], _ classes: [String]) -> [String] {
    var notes: [String] = []
    let crowds = truth.annotations.count { $0.isCrowd }
    if crowds > 0 {
      notes.append(
        crowds == 1
          ? "1 box around a crowd teaches nothing, and is left out"
          : "\(DecimalText.grouped(crowds)) boxes around crowds teach nothing, and are left out")
    }
    let flat = truth.annotations.count { !$0.isCrowd && $0.box.area == 0 }
    if let note = ObjectSet.note(flatCount: flat) { notes.append(note) }
    let known = Set(classes)
    let empty = truth.categories.filter { !known.contains($0.name) && !ClassNames.meansOther($0.name) }
    if !empty.isEmpty {
      notes.append(
        empty.count == 1
          ? "1 category has no box, and is left out"
          : "\(DecimalText.grouped(empty.count)) categories have no box, and are left out")
    }
    return notes
  }
}

extension COCOBox {
  fileprivate var bounds: BoundingBox { BoundingBox(x: x, y: y, width: width, height: height) }
}
