// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaGeometry
import Synchronization

/// YOLO: `labels/a.txt` for each image, a link to the image in `images/`, and the names of the classes.
///
/// Training tools load a folder in this form: they look for images in `images`, and for the labels of each at
/// its path with the last `images` replaced by `labels`. Lines are outlines if all objects of the first image
/// with objects have masks, the corners of rotated boxes if all have those, otherwise boxes; `data.yaml` then
/// names the task, and all files of the folder have the same kind of line. Labels of an earlier run decide
/// for later ones, also for those that do not resume it.
public final class YOLOFolder: DetectionFolder {
  private let path: String
  private let writesScores: Bool
  private let resumes: Bool
  private let writesMasks: Bool
  private let lists = Mutex(Lists())

  /// The content of `classes.txt` and `data.yaml`.
  private struct Lists {
    var classes: YOLOClasses
    /// The part of `data.yaml` that is Fovea's own.
    var declared = Declared()
    /// The content of lines; nil until an image has objects.
    var shape: YOLOLines.Shape?
    /// The content of the lines of earlier runs; nil if there are none.
    var earlier: YOLOLines.Shape?

    init(_ names: [String] = []) { classes = YOLOClasses(names) }
  }

  /// The facts of a `data.yaml` besides images and classes.
  struct Declared: Equatable {
    /// Whether boxes are in stored pixels of an image that is shown rotated.
    var hasStoredBoxes = false
    /// The task of the labels; nil if the file names none.
    var shape: YOLOLines.Shape?
    /// True if labels end with keypoints, which look like points of an outline.
    var hasKeypoints = false

    /// The lines before the lists of images and classes.
    var yaml: String {
      (hasStoredBoxes ? YOLOFolder.storedMark : "") + (shape.map { "task: \($0.rawValue)\n" } ?? "")
    }
  }

  /// The first line of a `data.yaml` if boxes are in stored pixels: YOLO's tools rotate images.
  private static let storedMark = "# Boxes are in pixels as stored, not as shown.\n"

  /// Creates a writer for the folder at `path`.
  /// - Parameters:
  ///   - path: The folder, which is created with the first file.
  ///   - writesScores: Whether the score is written as a sixth column; false by default, as training tools
  ///     expect.
  ///   - resumes: Whether the classes of an earlier run keep their numbers; false by default.
  public init(path: String, writesScores: Bool = false, resumes: Bool = false) {
    self.path = path
    self.writesScores = writesScores
    self.resumes = resumes
    writesMasks = true
  }

  /// Creates a writer for the folder at `path`; if `writesMasks` is false, objects with masks are boxes.
  package init(path: String, writesScores: Bool, resumes: Bool, writesMasks: Bool) {
    self.path = path
    self.writesMasks = writesMasks
    self.writesScores = writesScores
    self.resumes = resumes
  }

  /// Writes `classes.txt` and `data.yaml`.
  /// - Throws: `resume-classes-differ` if an earlier run had other classes; `result-unwritable`, also if an
  ///   earlier run has written outlines and this one is to write boxes.
  public func begin(classNames: [String]) throws(FoveaError) {
    var lists = Lists(classNames)
    let earlier: YOLOLines.Shape?
    do throws(SystemError) { earlier = try YOLOFolder.shape(ofLabelsIn: path) } catch {
      throw ResultFile.unwritable(path, error)
    }
    if earlier == .outline, !writesMasks { throw differs(from: .outline, .box) }
    (lists.earlier, lists.shape) = (earlier, earlier)
    let list = FilePath.joined(path, "classes.txt")
    if resumes, let bytes = try earlierClasses(list) {
      var lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      if lines.last == "" { lines.removeLast() }
      try lists.classes.join(lines.map(String.init))
      do throws(SystemError) { lists.declared = try YOLOFolder.declared(in: path) } catch {
        throw ResultFile.unwritable(FilePath.joined(path, "data.yaml"), error)
      }
    }
    // A data.yaml of boxes needs no task.
    if earlier != .box { lists.declared.shape = earlier }
    try write(lists)
    let begun = lists
    self.lists.withLock { $0 = begun }
  }

  /// Returns the content of the lines that a folder already has; nil if it has none.
  ///
  /// It is the task of `data.yaml`; without one, the first line shows it.
  private static func shape(ofLabelsIn folder: String) throws(SystemError) -> YOLOLines.Shape? {
    let declared = try declared(in: folder).shape
    var folders = [FilePath.joined(folder, "labels")]
    while let place = folders.popLast() {
      let names: [String]
      do throws(SystemError) { names = try Folder.names(in: place) } catch {
        if error.number == ENOENT || error.number == ENOTDIR { continue }
        throw error
      }
      for name in names {
        let path = FilePath.joined(place, name)
        switch FileStatus(FilePath(path))?.kind {
        case .folder? where SymbolicLink.isLink(path) == false: folders.append(path)
        case .file? where name.hasSuffix(".txt"):
          let text = try SmallFile.bytes(of: path, limit: 1 << 26)
          guard let line = text.split(separator: 0x0A).first(where: { $0.contains { $0 > 0x20 } }) else {
            continue
          }
          let fields = line.split { $0 <= 0x20 }.count
          return declared ?? (fields <= 6 ? .box : .outline)
        default: break
        }
      }
    }
    return nil
  }

  /// Returns the error of lines that the folder cannot have, because earlier ones differ.
  private func differs(from earlier: YOLOLines.Shape, _ shape: YOLOLines.Shape) -> FoveaError {
    let message = "the labels in '\(path.printable)' are \(earlier.words), those of this run \(shape.words)"
    let remedy: Advice =
      switch (earlier, shape) {
      case (.outline, .box):
        "Omit \(flag: "masks none"), or name another folder with \(flag: "output", "its path")"
      case (.box, .outline):
        "Write boxes with \(flag: "masks none"), or name another folder with \(flag: "output", "its path")"
      default: "Name another folder with \(flag: "output", "its path")"
      }
    return FoveaError(.resultUnwritable, message, remedy: remedy)
  }

  /// Returns the facts that the `data.yaml` of a folder declares; none if there is no such file.
  static func declared(in folder: String) throws(SystemError) -> Declared {
    var declared = Declared()
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: FilePath.joined(folder, "data.yaml"), limit: 1 << 26)
    } catch {
      if error.number == ENOENT { return declared }
      throw error
    }
    declared.hasStoredBoxes = bytes.starts(with: storedMark.utf8)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if line.starts(with: "kpt_shape:".utf8) { declared.hasKeypoints = true }
      guard declared.shape == nil, line.starts(with: "task:".utf8) else { continue }
      let value = String(decoding: line.dropFirst(5), as: UTF8.self)
      declared.shape = YOLOLines.Shape(
        rawValue: value.prefix { $0 != "#" }.filter { $0.isASCII && $0.isLetter })
    }
    return declared
  }

  /// Returns the class list of an earlier run; nil if there is none.
  private func earlierClasses(_ path: String) throws(FoveaError) -> [UInt8]? {
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: 1 << 26) } catch {
      if error.number == ENOENT { return nil }
      throw ResultFile.unwritable(path, error)
    }
  }

  /// Writes the file of an image atomically.
  /// - Throws: `result-unwritable`, `disk-full`, `output-in-use`, `yolo-class-invalid` or
  ///   `output-overwrites`.
  public func write(_ findings: DetectionRecord.Findings, of image: ImageFile) throws(FoveaError) {
    guard case .objects = findings.content else { return }
    if findings.space == .stored, findings.orientation != .up { try declare { $0.hasStoredBoxes = true } }
    let shape = try shape(of: findings.objects)
    var text = ""
    for object in findings.objects {
      text += YOLOLines.line(
        of: object, as: shape, class: try number(of: object), size: findings.size,
        score: writesScores ? object.score : nil)
    }
    // The link comes first because a label file marks the image as done.
    try link(image)
    try ResultFile.write(text, to: labels(of: image))
  }

  /// Whether an earlier run has written the labels of this image.
  public func isDone(_ image: ImageFile) -> Bool {
    guard FileStatus(FilePath(labels(of: image)))?.kind == .file else { return false }
    guard let source = image.path else { return true }
    return FileStatus(FilePath(link(of: image)))?.identity == FileStatus(source)?.identity
  }

  private func labels(of image: ImageFile) -> String {
    FilePath.joined(path, "labels/" + ResultFile.name(of: image, ending: ".txt"))
  }

  private func link(of image: ImageFile) -> String { FilePath.joined(path, "images/" + image.relativePath) }

  /// Returns the number of an object's class; writes a new class to the lists before a file uses it.
  private func number(of object: DetectedObject) throws(FoveaError) -> Int {
    let result: Result<Int, FoveaError> = lists.withLock { lists in
      do throws(FoveaError) {
        let before = lists.classes.names.count
        let number = try lists.classes.number(of: object)
        if lists.classes.names.count > before { try write(lists) }
        return .success(number)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Returns the content of the lines of an image, which is that of the first image with objects.
  private func shape(of objects: [DetectedObject]) throws(FoveaError) -> YOLOLines.Shape {
    if objects.isEmpty { return .box }
    let found: YOLOLines.Shape =
      writesMasks && objects.allSatisfy { $0.mask != nil }
      ? .outline : objects.allSatisfy { $0.orientedBox != nil } ? .rotatedBox : .box
    let (shape, earlier) = lists.withLock { lists in
      let shape = lists.shape ?? found
      lists.shape = shape
      return (shape, lists.earlier)
    }
    // Corners of boxes are outlines and rotated boxes, too.
    if let earlier, found != earlier, found != .box { throw differs(from: earlier, found) }
    if shape != .box { try declare { $0.shape = shape } }
    return shape
  }

  /// Declares a fact in `data.yaml`, before a file relies on it.
  private func declare(_ change: (inout Declared) -> Void) throws(FoveaError) {
    let result: Result<Void, FoveaError> = lists.withLock { lists in
      let before = lists.declared
      change(&lists.declared)
      guard lists.declared != before else { return .success(()) }
      do throws(FoveaError) { return .success(try write(lists)) } catch {
        lists.declared = before
        return .failure(error)
      }
    }
    try result.get()
  }

  private func write(_ lists: Lists) throws(FoveaError) {
    try ResultFile.write(lists.classes.text, to: FilePath.joined(path, "classes.txt"))
    try ResultFile.write(lists.declared.yaml + lists.classes.yaml, to: FilePath.joined(path, "data.yaml"))
  }

  /// Adds a link to the image to `images`; replaces nothing but an older link.
  private func link(_ image: ImageFile) throws(FoveaError) {
    guard let source = image.path else { return }
    let place = link(of: image)
    if let isLink = SymbolicLink.isLink(place) {
      if FileStatus(FilePath(place))?.identity == FileStatus(source)?.identity { return }
      guard isLink else {
        throw FoveaError(
          .outputOverwrites,
          "the link to the photo would replace '\(place.printable)', which is another file",
          remedy: "Name another folder with \(flag: "output", "its path")")
      }
    }
    do throws(SystemError) {
      try Folder.make(leadingTo: place)
      try SymbolicLink.replace(place, target: source)
    } catch {
      throw ResultFile.unwritable(place, error)
    }
  }
}

extension DetectionFormat {
  /// ``YOLOFolder``.
  package static let yolo = DetectionFormat(
    "yolo", isForBoxes: true, shapes: [.mask, .orientedBox],
    output: .folder { path, settings in
      YOLOFolder(
        path: path, writesScores: settings.writesScores, resumes: settings.resumes,
        writesMasks: settings.masks != .none)
    })
}
