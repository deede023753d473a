// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation

/// Finds images by file name and categories by name.
package struct GroundTruthNames {
  /// The detections on the image at one path, from `start` to the start of the next run.
  private struct Run {
    var start: Int
    var path: String
    var found: PathIndex.Found?
  }

  private let images: PathIndex
  private var claims = ImageClaims()
  private var runs: [Run] = []
  /// The number of the run of the last path.
  var lastRun: Int { runs.count - 1 }
  private var categories: [String: Int] = [:]
  /// The ids of two categories with one name.
  private var shared: [String: (first: Int, second: Int)] = [:]

  package init(_ groundTruth: COCOGroundTruth) {
    var images: [String: Int] = [:]
    for (index, image) in groundTruth.images.enumerated() {
      if let name = image.fileName { images[name] = index }
    }
    self.images = PathIndex(images)
    for (index, category) in groundTruth.categories.enumerated() {
      if let other = categories.updateValue(index, forKey: category.name) {
        shared[category.name] = (groundTruth.categories[other].id, category.id)
      }
    }
  }

  /// Whether a path refers to an image of the ground truth.
  package func lists(_ path: String) -> Bool { index(of: path) != nil }

  /// Returns the position of the image at a path; nil if the ground truth does not list it.
  func index(of path: String) -> Int? { images.find(path)?.value }

  /// Returns whether the detections of a run count; known at the end of the file.
  func counts(run: Int) -> Bool { runs[run].found.map { claims.counts($0) } ?? false }

  /// Returns the image at a path; its detections follow.
  mutating func imageIndex(of path: String, in detections: COCODetections) -> Int? {
    if let last = runs.last, last.path == path { return last.found?.value }
    let found = images.find(path)
    runs.append(Run(start: detections.count, path: path, found: found))
    guard let found else { return nil }
    claims.add(path, found)
    return found.value
  }

  /// Removes detections on images of other folders, and counts them like detections on images that the ground
  /// truth does not list.
  ///
  /// `detections` counts the images that are matched by file name only.
  /// - Throws: `EvaluationError` `invalidDetections` if two images of the file `name` may be the same image.
  func finish(_ name: String, into detections: inout COCODetections) throws(EvaluationError) {
    if let (image, path, rival) = claims.conflict {
      let listed = detections.groundTruth.images[image].fileName ?? ""
      throw EvaluationError(
        .invalidDetections, "\(name): '\(path)' and '\(rival)' may both be '\(listed)' of the ground truth",
        remedy: "Keep the detections of one folder, or give each image a file_name with its folder")
    }
    detections.imagesByName.formUnion(claims.imagesByName)
    let ends = runs.dropFirst().map(\.start) + [detections.count]
    var others: [(range: Range<Int>, image: String)] = []
    for (run, end) in zip(runs, ends) {
      guard let found = run.found, !claims.counts(found), run.start < end else { continue }
      others.append((range: run.start..<end, image: run.path))
    }
    detections.takeOut(others)
  }

  /// Returns the position of the category with a name; nil if the ground truth lists none.
  /// - Throws: `EvaluationError` `invalidGroundTruth` if two categories have the name.
  func categoryIndex(of label: String?, takesAny: Bool) throws(EvaluationError) -> Int? {
    if takesAny { return label.flatMap { categories[$0] } ?? 0 }
    guard let label else { return nil }
    guard let ids = shared[label] else { return categories[label] }
    throw EvaluationError(
      .invalidGroundTruth,
      "The ground truth's categories \(ids.first) and \(ids.second) are both named '\(label.printable)', "
        + "and the detections name categories",
      remedy: "Rename one of them, or write the detections with the ids of the ground truth")
  }
}
