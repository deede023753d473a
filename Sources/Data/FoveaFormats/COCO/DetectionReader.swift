// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
package import FoveaEvaluation
import FoveaGeometry

/// The members of one element of a detections file: a COCO result, or a record of `fovea detect`.
struct ElementJSON {
  /// The kind of an element.
  enum Kind { case coco, objects, failure }

  private static let imageID = JSONKey("image_id")
  private static let categoryID = JSONKey("category_id")
  private static let bbox = JSONKey("bbox")
  private static let score = JSONKey("score")
  private static let image = JSONKey("image")
  private static let objects = JSONKey("objects")
  private static let error = JSONKey("error")
  private static let space = JSONKey("space")
  private static let width = JSONKey("width")
  private static let height = JSONKey("height")
  private static let orientation = JSONKey("orientation")
  private static let segmentation = JSONKey("segmentation")
  private static let keypoints = JSONKey("keypoints")

  private(set) var imageID: Int?
  private(set) var categoryID: Int?
  private(set) var box: COCOBox?
  private(set) var score: Double?
  private(set) var segmentation: SegmentationJSON?
  private(set) var keypoints: [PixelPoint] = []
  private(set) var image: String?
  private(set) var objects: [ObjectJSON] = []
  private(set) var kind = Kind.coco
  private(set) var space = BoxSpace()

  /// Expects the opening brace to be consumed already.
  init(_ reader: inout JSONReader, readsMasks: Bool = false) throws(JSONFailure) {
    var isFirst = true
    var size = PixelSize(width: 0, height: 0)
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case Self.imageID:
        try reader.refuse(twin: imageID != nil, "image_id")
        imageID = try reader.identifier("image_id")
      case Self.categoryID:
        try reader.refuse(twin: categoryID != nil, "category_id")
        categoryID = try reader.identifier("category_id")
      case Self.bbox:
        try reader.refuse(twin: box != nil, "bbox")
        box = try reader.box()
      case Self.score:
        try reader.refuse(twin: score != nil, "score")
        score = try reader.double("score")
      // Without masks, a segmentation only replaces a missing box.
      case Self.segmentation where readsMasks || box == nil: segmentation = try SegmentationJSON(&reader)
      case Self.keypoints: keypoints = try reader.keypoints().map(\.point)
      case Self.image:
        try reader.refuse(twin: image != nil, "image")
        image = try reader.optionalString()
      case Self.objects:
        try reader.refuse(twin: kind == .objects, "objects")
        kind = .objects
        try reader.objects("objects") { (reader) throws(JSONFailure) in
          objects.append(try ObjectJSON(&reader, readsMasks: readsMasks))
        }
      case Self.error where image != nil:
        kind = .failure
        try reader.skip()
      case Self.space: space.isUpright = try reader.optionalString() != "stored"
      case Self.width: size.width = try reader.optionalNumber().flatMap(Int.init(exactly:)) ?? 0
      case Self.height: size.height = try reader.optionalNumber().flatMap(Int.init(exactly:)) ?? 0
      case Self.orientation: space.orientation = try reader.optionalString().flatMap(Orientation.init(name:))
      default: try reader.skip()
      }
    }
    space.size = size
    if image == nil { kind = .coco }
  }
}

/// Adds the elements of a detections file to the detections of the ground truth.
struct DetectionReader {
  /// A photo with boxes whose size in the ground truth does not show whether it is upright there.
  private struct Ambiguous {
    var run: Int
    var image: Int
    var detections: Range<Int>
    var space: BoxSpace
  }

  /// The error of the last element, if it was refused.
  private(set) var failure: EvaluationError?
  private var names: GroundTruthNames
  /// The number of elements read.
  private var number = 0
  /// Photos whose size in the ground truth shows whether they are upright there.
  private var shown: [(run: Int, isUpright: Bool)] = []
  private var ambiguous: [Ambiguous] = []

  /// The sizes of the images, if masks are read: those that the ground truth lists, else those of its masks.
  private let sizes: [PixelSize?]?

  init(_ groundTruth: COCOGroundTruth, readsMasks: Bool = false) {
    names = GroundTruthNames(groundTruth)
    sizes = readsMasks ? try? groundTruth.maskSizes() : nil
  }

  /// Adds an element whose end `reader` has reached.
  mutating func read(
    _ element: ElementJSON, _ reader: borrowing JSONReader, into detections: inout COCODetections
  ) {
    number += 1
    do throws(EvaluationError) {
      switch element.kind {
      case .coco: try add(element, reader, to: &detections)
      case .objects:
        try add(element.objects, of: element.image ?? "", in: element.space, reader, to: &detections)
      case .failure: detections.failedImages += 1
      }
    } catch {
      failure = error
    }
  }

  /// Adds a record from a file of another form.
  mutating func read(_ record: DetectionRecord, name: String, into detections: inout COCODetections) {
    number += 1
    guard failure == nil else { return }
    guard let findings = record.findings else {
      detections.failedImages += 1
      return
    }
    guard case .objects = findings.content else {
      failure = Self.withoutObjects("\(name), record \(number)")
      return
    }
    do throws(EvaluationError) {
      let image = record.imageName { names.lists($0) }
      let space = BoxSpace(
        size: findings.size, orientation: findings.orientation, isUpright: findings.space == .upright)
      try add(findings.objects, of: image, in: space, name, to: &detections)
    } catch {
      failure = error
    }
  }

  /// Decides which images the detections of the file called `name` are on, and the pixels of those photos
  /// whose size does not show them.
  func finish(_ name: String, into detections: inout COCODetections) throws(EvaluationError) {
    if let failure { throw failure }
    try convertAmbiguous(name, in: &detections)
    try names.finish(name, into: &detections)
  }

  /// Returns the conversion of an image's boxes to the pixels of the ground truth.
  ///
  /// Boxes of ambiguous photos stay as they are until the end of the file. `isUpright` is nil for them; else
  /// it is true if the ground truth has the upright photo.
  private mutating func conversion(
    of space: BoxSpace, on image: String, listed: PixelSize?, isUpright: Bool?, _ name: String
  ) throws(EvaluationError) -> BoxSpace.Conversion {
    do throws(BoxSpace.Mismatch) { try space.check(against: listed) } catch {
      throw error.error(name, ", record \(number)", image: image)
    }
    guard let isUpright else { return .same }
    shown.append((run: names.lastRun, isUpright: isUpright))
    return space.conversion(toUpright: isUpright)
  }

  /// Keeps the photo of some detections for `convertAmbiguous` if it is ambiguous.
  private mutating func keepIfAmbiguous(
    _ space: BoxSpace, _ image: Int?, isUpright: Bool?, _ detections: Range<Int>
  ) {
    guard let image, !detections.isEmpty, space.isRotated, isUpright == nil else { return }
    ambiguous.append(
      Ambiguous(run: names.lastRun, image: image, detections: detections, space: space))
  }

  /// Converts the boxes of ambiguous photos to upright pixels if all other photos are upright in the ground
  /// truth, otherwise to stored ones.
  ///
  /// `detections` counts these photos if no other photo shows the pixels, or both kinds occur.
  private func convertAmbiguous(
    _ name: String, in detections: inout COCODetections
  ) throws(EvaluationError) {
    let kinds = Set(shown.filter { names.counts(run: $0.run) }.map { $0.isUpright })
    for photo in ambiguous {
      let conversion = photo.space.conversion(toUpright: kinds == [true])
      do throws(GeometryError) {
        try detections.convert(
          photo.detections, box: { conversion.box($0) }, point: { conversion.point($0) },
          mask: { (mask) throws(GeometryError) in try conversion.mask(mask) })
      } catch {
        throw Self.unconverted(error, name)
      }
      guard kinds.count != 1, names.counts(run: photo.run) else { continue }
      detections.ambiguousImages.insert(photo.image)
    }
  }

  private mutating func add(
    _ objects: [DetectedObject], of image: String, in space: BoxSpace, _ name: String,
    to detections: inout COCODetections
  ) throws(EvaluationError) {
    let index = names.imageIndex(of: image, in: detections)
    let listed = index.flatMap { detections.groundTruth.images[$0].size }
    let start = detections.count
    let isUpright = space.isUpright(in: listed)
    let conversion = try conversion(of: space, on: image, listed: listed, isUpright: isUpright, name)
    for object in objects {
      let box = COCOBox(
        x: object.box.minX, y: object.box.minY, width: object.box.width, height: object.box.height)
      if let problem = Self.problem(box, Double(object.score)) {
        throw EvaluationError(
          .invalidDetections, "\(name), record \(number): \(problem)", remedy: COCODetections.boxRemedy)
      }
      var mask: RunLengths?
      do throws(GeometryError) {
        if detections.readsMasks, let shape = object.mask, let size = space.size {
          mask = try conversion.mask(shape.runLengths(in: size))
        }
      } catch {
        throw Self.unconverted(error, "\(name), record \(number)")
      }
      try add(
        conversion.box(box), Double(object.score), mask, object.keypoints.map(conversion.point),
        object.labels.first?.text, index, image, to: &detections)
    }
    keepIfAmbiguous(space, index, isUpright: isUpright, start..<detections.count)
  }

  /// Adds an object with its image and label.
  private func add(
    _ box: COCOBox, _ score: Double, _ mask: RunLengths?, _ keypoints: [PixelPoint], _ label: String?,
    _ index: Int?, _ image: String, to detections: inout COCODetections
  ) throws(EvaluationError) {
    guard let index else { return detections.countUnknownImage("'\(image)'") }
    guard let category = try names.categoryIndex(of: label, takesAny: detections.takesAnyLabel) else {
      return detections.countUnknownCategory(label.map { "'\($0)'" } ?? "no label")
    }
    detections.add(
      image: index, category: category, box: box, score: score, mask: mask, keypoints: keypoints)
  }

  private func add(
    _ element: ElementJSON, _ reader: borrowing JSONReader, to detections: inout COCODetections
  ) throws(EvaluationError) {
    if element.image != nil, element.imageID == nil {
      throw Self.withoutObjects("\(reader.name), detection \(number), before \(reader.place)")
    }
    let hasMask = element.segmentation.map { !$0.isEmpty } ?? false
    guard let imageID = element.imageID, let categoryID = element.categoryID,
      element.box != nil || hasMask || !element.keypoints.isEmpty,
      let score = element.score
    else {
      let missing =
        element.imageID == nil
        ? "image_id" : element.categoryID == nil ? "category_id" : element.box == nil ? "bbox" : "score"
      throw EvaluationError(
        .invalidDetections,
        "\(reader.name), detection \(number), before \(reader.place): there is no \(missing)",
        remedy: "Each detection needs image_id, category_id, bbox, segmentation or keypoints, and score")
    }
    if let problem = Self.problem(element.box ?? Self.nothing, score) { throw invalid(problem, reader) }
    guard let image = detections.groundTruth.imageIndexes[imageID] else {
      return detections.countUnknownImage("id \(imageID)")
    }
    guard let category = detections.groundTruth.categoryIndexes[categoryID] else {
      return detections.countUnknownCategory("id \(categoryID)")
    }
    var mask: RunLengths?
    if let segmentation = element.segmentation, hasMask, detections.readsMasks || element.box == nil {
      do throws(SegmentationJSON.Problem) {
        mask = try segmentation.mask(
          in: sizes?[image] ?? detections.groundTruth.images[image].size)
      } catch {
        throw invalid(error.text, reader, Self.maskRemedy)
      }
    }
    let box =
      element.box ?? mask.map { COCOBox($0.bounds) } ?? COCOBox(around: element.keypoints) ?? Self.nothing
    detections.add(
      image: image, category: category, box: box, score: score, mask: detections.readsMasks ? mask : nil,
      maskArea: element.box == nil ? mask.map { Double($0.area) } : nil, keypoints: element.keypoints)
  }

  /// Returns the error of a record that has an image but no objects, such as one of `fovea label`.
  private static func withoutObjects(_ place: String) -> EvaluationError {
    EvaluationError(
      .invalidDetections, "\(place): there is an image without objects",
      remedy:
        "Name results of \(command: "detect"), not those of \(command: "label") or \(command: "segment")")
  }

  private static let maskRemedy: Advice = "Correct the segmentation, or the tool that wrote it"

  /// Returns the error of a mask that cannot be mapped to the pixels of the ground truth.
  private static func unconverted(_ error: GeometryError, _ place: String) -> EvaluationError {
    EvaluationError(.invalidDetections, "\(place): mask: \(error.message)", remedy: maskRemedy)
  }

  private static let nothing = COCOBox(x: 0, y: 0, width: 0, height: 0)

  private mutating func add(
    _ objects: [ObjectJSON], of image: String, in space: BoxSpace, _ reader: borrowing JSONReader,
    to detections: inout COCODetections
  ) throws(EvaluationError) {
    let index = names.imageIndex(of: image, in: detections)
    let listed = index.flatMap { detections.groundTruth.images[$0].size }
    let start = detections.count
    let isUpright = space.isUpright(in: listed)
    let conversion = try conversion(of: space, on: image, listed: listed, isUpright: isUpright, reader.name)
    for object in objects {
      if let problem = Self.problem(object.box, object.score) { throw invalid(problem, reader) }
      if let problem = object.maskProblem(in: space.size) { throw invalid(problem, reader, Self.maskRemedy) }
      var mask: RunLengths?
      do throws(GeometryError) {
        if let runs = object.mask { mask = try conversion.mask(runs) }
      } catch {
        throw invalid("mask: \(error.message)", reader, Self.maskRemedy)
      }
      try add(
        conversion.box(object.box), object.score, mask, object.keypoints.map(conversion.point),
        object.labels.first?.text, index, image, to: &detections)
    }
    keepIfAmbiguous(space, index, isUpright: isUpright, start..<detections.count)
  }

  private static func problem(_ box: COCOBox, _ score: Double) -> String? {
    box.problem ?? COCODetections.problem(score: score)
  }

  private func invalid(
    _ problem: String, _ reader: borrowing JSONReader, _ remedy: Advice = COCODetections.boxRemedy
  ) -> EvaluationError {
    EvaluationError(
      .invalidDetections, "\(reader.name), detection \(number), before \(reader.place): \(problem)",
      remedy: remedy)
  }
}

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
