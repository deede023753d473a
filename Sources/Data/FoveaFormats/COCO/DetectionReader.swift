// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry

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
