// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaGeometry
import Synchronization

/// YOLO: `labels/a.txt` for each image, a link to the image in `images/`, and the names of the classes.
///
/// Training tools load a folder in this form: they look for images in `images`, and for the labels of each at
/// its path with the last `images` replaced by `labels`. Lines are outlines if all objects of the first image
/// with objects have masks, the corners of rotated boxes if all have those, boxes with keypoints if the model
/// has a known set of them or all objects with keypoints have equally many, otherwise boxes; `data.yaml` then
/// names the task, and of keypoints `kpt_shape` and the counterparts of a known set, `flip_idx`. All files of
/// the folder have the same kind of line. Labels of an earlier run decide for later ones, also for those that
/// do not resume it.
public final class YOLOFolder: DetectionFolder {
  private let path: String
  private let writesScores: Bool
  private let resumes: Bool
  private let writesMasks: Bool
  private let keypointThreshold: Float
  private let names: SharedNames
  private let lists = Mutex(Lists())

  /// The content of `classes.txt` and `data.yaml`.
  private struct Lists {
    var classes: YOLOClasses
    /// The part of `data.yaml` that is Fovea's own.
    var declared = YOLODeclaration()
    /// The content of lines; nil until an image has objects.
    var form: YOLOForm?
    /// The content of the lines of earlier runs; nil if there are none.
    var earlier: YOLOForm?

    init(_ names: [String] = []) { classes = YOLOClasses(names) }
  }

  /// Creates a writer for the folder at `path`.
  /// - Parameters:
  ///   - path: The folder, which is created with the first file.
  ///   - writesScores: Whether the score is written as a sixth column; false by default, as training tools
  ///     expect.
  ///   - resumes: Whether the classes of an earlier run keep their numbers; false by default.
  ///   - keypointThreshold: The least score of a visible keypoint; 0.3 by default.
  public init(
    path: String, writesScores: Bool = false, resumes: Bool = false, keypointThreshold: Float = 0.3
  ) {
    self.path = path
    self.writesScores = writesScores
    self.resumes = resumes
    self.keypointThreshold = keypointThreshold
    (writesMasks, names) = (true, SharedNames())
  }

  /// Creates a writer for the folder at `path`; if `writesMasks` is false, objects with masks are boxes.
  ///
  /// Of `names`, the keypoints decide the lines, also if the first objects have none.
  package init(
    path: String, writesScores: Bool, resumes: Bool, writesMasks: Bool,
    keypointThreshold: Float = KeypointVisibility.usualThreshold, names: SharedNames = SharedNames()
  ) {
    self.path = path
    self.names = names
    self.writesMasks = writesMasks
    self.keypointThreshold = keypointThreshold
    self.writesScores = writesScores
    self.resumes = resumes
  }

  /// Writes `classes.txt` and `data.yaml`.
  /// - Throws: `resume-classes-differ` if an earlier run had other classes; `result-unwritable`, also if an
  ///   earlier run has written outlines and this one is to write boxes, or if the `data.yaml` of labels
  ///   declares keypoints that do not exist.
  public func begin(classNames: [String]) throws(FoveaError) {
    var lists = Lists(classNames)
    let before: (labels: YOLOForm?, declared: YOLODeclaration)
    do throws(SystemError) { before = try YOLOFolder.labels(in: path) } catch {
      throw ResultFile.unwritable(path, error)
    }
    if before.labels != nil, let problem = before.declared.problem {
      throw FoveaError(
        .resultUnwritable, problem.message(FilePath.joined(path, "data.yaml")),
        remedy: YOLODeclaration.Problem.remedy)
    }
    let earlier = before.labels
    if earlier?.shape == .outline, !writesMasks {
      throw differs(from: YOLOForm(shape: .outline), YOLOForm(shape: .box))
    }
    (lists.earlier, lists.form) = (earlier, earlier)
    let list = FilePath.joined(path, "classes.txt")
    if resumes, let bytes = try earlierClasses(list) {
      var lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      if lines.last == "" { lines.removeLast() }
      try lists.classes.join(lines.map(String.init))
      lists.declared = before.declared
    }
    // A data.yaml of boxes needs no task.
    if earlier?.shape != .box { lists.declared.continues(earlier, of: before.declared) }
    try write(lists)
    let begun = lists
    self.lists.withLock { $0 = begun }
  }

  /// Returns the content of the lines that a folder already has, nil if it has none, and its `data.yaml`.
  ///
  /// The content is the task of `data.yaml`; without one, the first line shows it.
  private static func labels(
    in folder: String
  ) throws(SystemError) -> (labels: YOLOForm?, declared: YOLODeclaration) {
    let declared = try YOLODeclaration(folder: folder)
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
          return (declared.form ?? YOLOForm(shape: fields <= 6 ? .box : .outline), declared)
        default: break
        }
      }
    }
    return (nil, declared)
  }

  /// Returns the error of lines that the folder cannot have, because earlier ones differ.
  private func differs(from earlier: YOLOForm, _ form: YOLOForm) -> FoveaError {
    let message = "the labels in '\(path.printable)' are \(earlier.words), those of this run \(form.words)"
    let remedy: Advice =
      switch (earlier.shape, form.shape) {
      case (.outline, .box):
        "Omit \(flag: "masks none"), or name another folder with \(flag: "output", "its path")"
      case (.box, .outline):
        "Write boxes with \(flag: "masks none"), or name another folder with \(flag: "output", "its path")"
      default: "Name another folder with \(flag: "output", "its path")"
      }
    return FoveaError(.resultUnwritable, message, remedy: remedy)
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
    let form = try form(of: findings.objects)
    var text = ""
    for object in findings.objects {
      text += YOLOLines.line(
        of: object, as: form, class: try number(of: object), size: findings.size,
        score: writesScores ? object.score : nil, keypointThreshold: keypointThreshold)
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
  private func form(of objects: [DetectedObject]) throws(FoveaError) -> YOLOForm {
    guard let first = objects.first else { return YOLOForm(shape: .box) }
    let found = ownForm(of: objects)
    let (form, earlier) = lists.withLock { lists in
      let form = lists.form ?? found
      lists.form = form
      return (form, lists.earlier)
    }
    // Corners of boxes are outlines and rotated boxes, too, and keypoints need not be labelled if they have
    // a visibility.
    if let earlier, found != earlier, found.shape != .box || earlier.keypoints?.dimensions == 2 {
      throw differs(from: earlier, found)
    }
    if earlier == nil, form.shape != .box {
      let known = names.keypoints
      let set = form.keypoints.flatMap { keypoints in
        known?.points.count == keypoints.count
          ? known : KeypointSet.known(count: keypoints.count, className: first.labels.first?.text)
      }
      try declare { $0.declare(form, of: set) }
    }
    return form
  }

  /// Returns the content of lines that holds the most of all objects.
  private func ownForm(of objects: [DetectedObject]) -> YOLOForm {
    if writesMasks, objects.allSatisfy({ $0.mask != nil }) { return YOLOForm(shape: .outline) }
    if objects.allSatisfy({ $0.orientedBox != nil }) { return YOLOForm(shape: .rotatedBox) }
    let counts = Set(objects.map(\.keypoints.count)).subtracting([0])
    // A second model finds the keypoints of some objects only.
    guard counts.count < 2,
      let keypoints = YOLOLines.KeypointShape(count: counts.first ?? names.keypoints?.points.count ?? 0)
    else { return YOLOForm(shape: .box) }
    return YOLOForm(shape: .keypoints, keypoints: keypoints)
  }

  /// Declares a fact in `data.yaml`, before a file relies on it.
  private func declare(_ change: (inout YOLODeclaration) -> Void) throws(FoveaError) {
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
    "yolo", isForBoxes: true, shapes: [.mask, .orientedBox, .keypoints],
    output: .folder { path, settings in
      YOLOFolder(
        path: path, writesScores: settings.writesScores, resumes: settings.resumes,
        writesMasks: settings.masks != .none, keypointThreshold: settings.keypointThreshold,
        names: settings.names)
    })
}
