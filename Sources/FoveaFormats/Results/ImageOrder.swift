// SPDX-License-Identifier: Apache-2.0

import FoveaErrors
import FoveaEvaluation
import FoveaSystem

/// The images that stand for frames, by their names.
enum ImageOrder {
  /// The note on names that contradict the order in which images become frames; nil if they do not.
  static func warning(_ images: [String], file: String) -> TrackFileWarning? {
    if zip(images, images.dropFirst()).contains(where: { isFalling($0, $1) }) {
      return TrackFileWarning(
        file: file, line: 0, reason: "the images have another order than their names",
        action: "the order of the file counts", isOfOrder: true)
    }
    guard hasGaps(images) else { return nil }
    return TrackFileWarning(
      file: file, line: 0, reason: "the numbers in the names of the images leave gaps",
      action: "each image is the next frame", isOfOrder: true)
  }

  /// Whether the second of two images of one folder comes first in every natural order.
  private static func isFalling(_ first: String, _ second: String) -> Bool {
    let (one, other) = (PathEnds.parts(first), PathEnds.parts(second))
    guard one.dropLast() == other.dropLast(), let before = one.last, let after = other.last else {
      return false
    }
    let (left, right) = (Array(after.utf8)[...], Array(before.utf8)[...])
    return NaturalOrder.precedes(left, right) && NaturalOrder.precedes(left, right, ignoringCase: false)
  }

  /// Whether all names differ in a last number alone, by steps that differ.
  private static func hasGaps(_ images: [String]) -> Bool {
    var begin: Substring?
    var last: Int?
    var step: Int?
    var differs = false
    for image in images {
      guard let file = PathEnds.parts(image).last else { return false }
      let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
      let count = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
      guard let number = Int(stem.suffix(count)), begin ?? stem.dropLast(count) == stem.dropLast(count) else {
        return false
      }
      begin = stem.dropLast(count)
      if let last {
        guard number > last else { return false }
        if let step, step != number - last { differs = true }
        step = number - last
      }
      last = number
    }
    return differs
  }
}

extension TrackFrames {
  /// Puts the boxes on the images of a folder by the names of their images.
  ///
  /// A name means the image that has its last part. Those that share most of a path count, and those that are its end: others
  /// are of another folder.
  /// - Parameter paths: The images, the first of which is frame 1.
  /// - Returns: The same boxes if frames have numbers of their own, or images no names.
  /// - Throws: `EvaluationError` `invalidDetections`: no image is in the folder, or one is that of two folders.
  func placed(on paths: [String]) throws(EvaluationError) -> TrackFrames {
    guard !imageNames.isEmpty else { return self }
    let ends = PathEnds(paths) { _ in true }
    var longest = 0
    var found = [[(frame: Int, name: String, shared: Int)]](repeating: [], count: paths.count)
    var unknown: [String] = []
    for (frame, name) in imageNames {
      guard case .one(let place) = ends.match(name) else {
        unknown.append(name)
        continue
      }
      let shared = zip(PathEnds.parts(name).reversed(), PathEnds.parts(paths[place]).reversed())
        .prefix { $0 == $1 }.count
      longest = max(longest, shared)
      found[place].append((frame: frame, name: name, shared: shared))
    }
    var numbers: [Int] = []
    var boxes: [TrackAnnotation] = []
    var repeated: [String] = []
    var missing: [String] = []
    // The names that have a folder, and the folders.
    var named: [String] = []
    var folders: Set<String> = []
    for (index, path) in paths.enumerated() {
      var records = found[index]
      records.removeAll { record in
        let parts = PathEnds.parts(record.name)
        guard record.shared == longest || record.shared == parts.count else {
          unknown.append(record.name)
          return true
        }
        if parts.count > 1 {
          named.append(record.name)
          folders.insert(parts.dropLast().joined(separator: "/"))
        }
        return false
      }
      guard let first = records.first else {
        missing.append(path)
        continue
      }
      if let other = records.first(where: { PathEnds.parts($0.name) != PathEnds.parts(first.name) }) {
        throw EvaluationError(
          .invalidDetections, "\(name): '\(first.name)' and '\(other.name)' may both be '\(path)'",
          remedy: "Keep the records of one folder, or name the folder as the records do")
      }
      if records.count > 1 { repeated.append(first.name) }
      for record in records {
        let here = annotations(inFrame: record.frame)
        numbers += [Int](repeating: index + 1, count: here.count)
        boxes += here
      }
    }
    guard missing.count < paths.count else {
      throw EvaluationError(
        .invalidDetections,
        "\(name): no record is of an image of the source; the first is of '\(unknown.first ?? "")'",
        remedy: "Name the folder of these images, or leave the source out to follow the boxes alone")
    }
    var warnings = warnings.filter { !$0.isOfOrder }
    func warn(_ names: [String], _ one: String, _ many: String, _ action: String) {
      guard let first = names.first else { return }
      warnings.append(
        TrackFileWarning(
          file: name, line: 0,
          reason:
            "\(DecimalText.counted(names.count, one, many)), \(names.count > 1 ? "the first " : "")'\(first)'",
          action: action))
    }
    warn(unknown, "image is not in the source", "images are not in the source", "left out")
    warn(
      missing, "image of the source is not named", "images of the source are not named", "taken without boxes"
    )
    warn(repeated, "image is named again", "images are named again", "all of the boxes count")
    if longest == 1 || folders.count > 1 {
      warn(named, "image is in another folder", "images are in other folders", "the file names count")
    }
    return TrackFrames(
      name: name, frames: numbers, annotations: boxes, lines: [], warnings: warnings,
      lastListedFrame: paths.count)
  }
}
