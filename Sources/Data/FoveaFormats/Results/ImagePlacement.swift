// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// Which records of a file belong to which images of a folder, by the names of their images.
///
/// A name means the image that has its last part. Those that share most of a path count, and those that are its end: others
/// are of another folder.
private struct ImagePlacement {
  /// A record by its place in the file, and the name of its image.
  private typealias Record = (frame: Int, name: String, shared: Int)

  /// The records of each image, by their frames.
  private(set) var frames: [[Int]] = []
  private let file: String
  /// The most parts that a name shares with the path of its image.
  private var longest = 0
  private var unknown: [String] = []
  private var repeated: [String] = []
  private var missing: [String] = []
  /// The names that have a folder, and the folders.
  private var named: [String] = []
  private var folders: Set<String> = []

  /// - Throws: `EvaluationError` `invalidDetections`: no image is in the folder, or one is that of two folders.
  init(_ images: [(frame: Int, name: String)], on paths: [String], file: String) throws(EvaluationError) {
    self.file = file
    let found = match(images, on: paths)
    for (path, candidates) in zip(paths, found) {
      let records = candidates.filter { takes($0) }
      frames.append(records.map(\.frame))
      guard let first = records.first else {
        missing.append(path)
        continue
      }
      if let other = records.first(where: { PathEnds.parts($0.name) != PathEnds.parts(first.name) }) {
        throw EvaluationError(
          .invalidDetections, "\(file): '\(first.name)' and '\(other.name)' may both be '\(path)'",
          remedy: "Keep the records of one folder, or name the folder as the records do")
      }
      if records.count > 1 { repeated.append(first.name) }
    }
    guard missing.count < paths.count else {
      throw EvaluationError(
        .invalidDetections,
        "\(file): no record is of an image of the source; the first is of '\(unknown.first ?? "")'",
        remedy: "Name the folder of these images, or leave the source out to follow the boxes alone")
    }
  }

  /// The records that each path may have.
  private mutating func match(_ images: [(frame: Int, name: String)], on paths: [String]) -> [[Record]] {
    let ends = PathEnds(paths) { _ in true }
    var found = [[Record]](repeating: [], count: paths.count)
    for (frame, name) in images {
      guard case .one(let place) = ends.match(name) else {
        unknown.append(name)
        continue
      }
      let shared = PathEnds.shared(PathEnds.parts(name), PathEnds.parts(paths[place]))
      longest = max(longest, shared)
      found[place].append((frame: frame, name: name, shared: shared))
    }
    return found
  }

  /// Whether a record is of an image of the folder, and not of another folder.
  private mutating func takes(_ record: Record) -> Bool {
    let parts = PathEnds.parts(record.name)
    guard record.shared == longest || record.shared == parts.count else {
      unknown.append(record.name)
      return false
    }
    if parts.count > 1 {
      named.append(record.name)
      folders.insert(parts.dropLast().joined(separator: "/"))
    }
    return true
  }

  /// What is left out, or in doubt.
  var warnings: [TrackFileWarning] {
    let inOthers = longest == 1 || folders.count > 1 ? named : []
    return [
      warning(unknown, "image is not in the source", "images are not in the source", "left out"),
      warning(
        missing, "image of the source is not named", "images of the source are not named",
        "taken without boxes"),
      warning(repeated, "image is named again", "images are named again", "all of the boxes count"),
      warning(inOthers, "image is in another folder", "images are in other folders", "the file names count"),
    ].compactMap(\.self)
  }

  private func warning(_ names: [String], _ one: String, _ many: String, _ action: String)
    -> TrackFileWarning?
  {
    names.first.map { first in
      TrackFileWarning(
        file: file, line: 0,
        reason:
          "\(DecimalText.counted(names.count, one, many)), \(names.count > 1 ? "the first " : "")'\(first)'",
        action: action)
    }
  }
}

extension TrackFrames {
  /// Puts the boxes on the images of a folder by the names of their images.
  /// - Parameter paths: The images, the first of which is frame 1.
  /// - Returns: The same boxes if frames have numbers of their own, or images no names.
  /// - Throws: `EvaluationError` `invalidDetections`: no image is in the folder, or one is that of two folders.
  func placed(on paths: [String]) throws(EvaluationError) -> TrackFrames {
    guard !imageNames.isEmpty else { return self }
    let placement = try ImagePlacement(names(among: paths), on: paths, file: name)
    var numbers: [Int] = []
    var boxes: [TrackAnnotation] = []
    for (index, frames) in placement.frames.enumerated() {
      for frame in frames {
        let here = annotations(inFrame: frame)
        numbers += [Int](repeating: index + 1, count: here.count)
        boxes += here
      }
    }
    return TrackFrames(
      name: name, frames: numbers, annotations: boxes, lines: [],
      warnings: warnings.filter { !$0.isOfOrder } + placement.warnings, lastListedFrame: paths.count)
  }

  /// The names of the images: those that links lead to, unless the paths are of the links.
  private func names(among paths: [String]) -> [(frame: Int, name: String)] {
    let known = Set(paths.compactMap { PathEnds.parts($0).last })
    let isOfLinks = originals.contains { link, original in
      guard ResultFile.isNumbered(link, from: original), let name = PathEnds.parts(link).last else {
        return false
      }
      return known.contains(name)
    }
    if isOfLinks { return imageNames }
    return imageNames.map { (frame: $0.frame, name: originals[$0.name] ?? $0.name) }
  }
}
