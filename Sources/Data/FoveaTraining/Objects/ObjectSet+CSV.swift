// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

extension ObjectSet {
  /// Reads a CSV file in AutoML's form for object detection: a line
  /// `[SET,]path,label,x_min,y_min,,,x_max,y_max,,` per box.
  ///
  /// Coordinates are fractions of the unrotated image's sides, from the top left; all four corners may be
  /// given instead of two. A line without label and box is an image without objects. Images of the set TEST
  /// are only evaluated; those of TRAIN, VALIDATION (replaced by folds), UNASSIGNED and no set are used for
  /// training. Boxes named "other", "background" or "None_of_the_above", in any case, do not belong to a
  /// class.
  /// - Parameters:
  ///   - path: The file.
  ///   - folder: The folder that paths are relative to; nil, the default, for the file's own folder. Images
  ///     that are not at their paths below a given folder, for example because the list was written on
  ///     another machine, are found by name.
  ///   - prefixes: Prefixes of paths, with their replacements: `["gs://bucket/": "photos/"]`.
  /// - Throws: `training-set-invalid` with at most ten of the invalid lines, and for invalid label names and
  ///   a file without boxes; `training-set-unreadable`.
  ///
  /// **Source:** AutoML Vision Object Detection, "Formatting a training data CSV".
  public init(
    csv path: String, images folder: String? = nil, prefixes: [String: String] = [:]
  ) throws(FoveaError) {
    do throws(TrainingError) {
      var reader = BoxList(PhotoList(path: path, folder: folder, prefixes: prefixes))
      try reader.read()
      self = try reader.set(source: path)
    } catch {
      throw FoveaError(error)
    }
  }
}

/// Converts the lines of a file to images with their objects.
private struct BoxList {
  private struct Listed {
    var path: String
    var isTest: Bool
    /// The first line with the image.
    var line: Int
  }

  private struct Named {
    var image: String
    var label: String
    var box: BoundingBox
    var line: Int
  }

  private var list: PhotoList
  private var images: [String: Listed] = [:]
  private var boxes: [Named] = []
  private var flatCount = 0
  private var movedCount = 0
  /// The paths without a file of their own; each problem is reported once, not for each box.
  private var refused: Set<String> = []
  /// The image of each file.
  private var names: [String: (name: String, isNamesake: Bool, line: Int)] = [:]

  init(_ list: PhotoList) { self.list = list }

  mutating func read() throws(TrainingError) {
    for line in try list.lines() {
      do throws(LineProblem) { try take(line) } catch { list.add(error, line: line.number) }
    }
    try list.check(
      remedy: list.pathRemedy
        ?? "Write a line TRAIN,path,label,x_min,y_min,,,x_max,y_max,, for each box, in fractions of the image"
    )
  }

  func set(source: String) throws(TrainingError) -> ObjectSet {
    guard !boxes.isEmpty else {
      throw .invalidSet(
        "it has no boxes", source: source,
        remedy: "Write a line TRAIN,path,label,x_min,y_min,,,x_max,y_max,, for each box")
    }
    let names = try ClassNames.distinct(boxes.lazy.map(\.label), source: source)
    let classes = names.sorted(by: ClassNames.precedes)
    try ClassNames.check(classes, source: source)
    let labels = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, $0) })
    var objects: [String: [ObjectSet.Object]] = [:]
    for each in boxes {
      guard let label = labels[each.label] else { continue }
      objects[each.image, default: []].append(.init(id: each.line, label: label, box: each.box))
    }
    let all = images.map { name, listed in
      ObjectSet.Image(
        path: listed.path, name: name, objects: objects[name] ?? [], crowds: [], isTest: listed.isTest,
        isInFractions: true)
    }
    return ObjectSet(
      classes: classes, images: all.sorted { ClassNames.precedes($0.name, $1.name) }, source: source,
      notes: [NamedFiles.note(movedCount: movedCount), ObjectSet.note(flatCount: flatCount)].compactMap {
        $0
      })
  }

  private mutating func take(_ line: PhotoList.Line) throws(LineProblem) {
    let fields = try BoxFields(line.fields)
    try add(fields, line: line.number)
    guard let box = fields.box, !ClassNames.meansOther(fields.label) else { return }
    if box.isEmpty {
      flatCount += 1
    } else {
      boxes.append(Named(image: fields.name, label: fields.label, box: box, line: line.number))
    }
  }

  /// Lists the image of a line once.
  private mutating func add(_ fields: BoxFields, line: Int) throws(LineProblem) {
    guard !refused.contains(fields.name) else { return }
    guard let known = images[fields.name] else {
      do throws(LineProblem) {
        let path = try place(of: fields.name, line: line)
        images[fields.name] = Listed(path: path, isTest: fields.isTest, line: line)
      } catch {
        refused.insert(fields.name)
        throw error
      }
      return
    }
    guard known.isTest != fields.isTest else { return }
    let (here, there) = fields.isTest ? ("a test image", "not") : ("not a test image", "is one")
    throw LineProblem(text: "'\(fields.name.printable)' is \(here) here but \(there) in line \(known.line)")
  }

  /// Returns the file of an image, which no other image may have.
  private mutating func place(of name: String, line: Int) throws(LineProblem) -> String {
    let place = try list.placeOrNamesake(of: name)
    if let other = names[place.path], other.isNamesake || place.isNamesake {
      throw LineProblem(
        path: .shared,
        text: "'\(name.printable)' and '\(other.name.printable)' in line \(other.line) are the same file, "
          + "'\(place.path.printable)'")
    }
    names[place.path] = (name, place.isNamesake, line)
    if place.isMoved { movedCount += 1 }
    return place.path
  }
}
