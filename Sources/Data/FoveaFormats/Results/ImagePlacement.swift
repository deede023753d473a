// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// Assigns the records of a file to the images of a folder by image name.
///
/// A name means the image with the same last component. Only names with the longest common suffix with a
/// path, or that are a suffix of one, are used; others belong to another folder.
private struct ImagePlacement {
  /// A record by its frame, with the name of its image.
  private typealias Record = (frame: Int, name: String, shared: Int)

  /// The records of each image, as frames.
  private(set) var frames: [[Int]] = []
  private let file: String
  /// The maximum number of components that a name shares with its image's path.
  private var longest = 0
  private var unknown: [String] = []
  private var repeated: [String] = []
  private var missing: [String] = []
  /// The names with a folder, and the folders.
  private var named: [String] = []
  private var folders: Set<String> = []

  /// - Throws: `EvaluationError` `invalidDetections` if no image is in the folder, or one may be of two
  ///   folders.
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
          remedy: "Keep the records of one folder, or name the folder that the records name")
      }
      if records.count > 1 { repeated.append(first.name) }
    }
    guard missing.count < paths.count else {
      throw EvaluationError(
        .invalidDetections,
        "\(file): no record belongs to an image of the source; the first belongs to '\(unknown.first ?? "")'",
        remedy: "Name the folder of these images, or leave out the source to follow only the boxes")
    }
  }

  /// Returns the candidate records of each path.
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

  /// Whether a record belongs to an image of this folder and not of another.
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

  /// The warnings about records and images left out or in doubt.
  var warnings: [TrackFileWarning] {
    let inOthers = longest == 1 || folders.count > 1 ? named : []
    return [
      warning(unknown, "image is not in the source", "images are not in the source", "left out"),
      warning(
        missing, "image of the source has no record", "images of the source have no record",
        "used without boxes"),
      warning(repeated, "image has several records", "images have several records", "all boxes are used"),
      warning(
        inOthers, "image is in another folder", "images are in other folders",
        "only the file names are compared"),
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
  /// Assigns the boxes to the images of a folder by image name.
  /// - Parameter paths: The images, starting with frame 1.
  /// - Returns: The same boxes if frames have their own numbers or images have no names.
  /// - Throws: `EvaluationError` `invalidDetections` if no image is in the folder, or one may be of two
  ///   folders.
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

  /// Returns the names of the images: the targets of links, unless the paths name the links.
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
