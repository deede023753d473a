// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

extension RowDecoder {
  /// Adds the masks of detections from the rows `rows`, for a model with prototypes.
  func addMasks(
    to detections: inout [Detection], rows: [Int], _ outputs: [[Float]]
  ) throws(DetectionError) {
    guard let place = layout.places[.masks], let wanted = layout.prototypes, !detections.isEmpty else {
      return
    }
    let (width, height) = (Double(inputWidth), Double(inputHeight))
    let columns = BoxColumns(outputs, place.runs[0])
    guard RowDecoder.areFinite(outputs[wanted.output]) else {
      throw notANumber("a mask prototype")
    }
    do {
      let prototypes = try MaskPrototypes(
        values: outputs[wanted.output], size: wanted.size, layout: wanted.layout,
        region: BoundingBox(x: 0, y: 0, width: width, height: height))
      for (index, row) in rows.enumerated() {
        let coefficients = (0..<place.width).map { columns.number(row, $0) }
        guard coefficients.allSatisfy(\.isFinite) else {
          throw notANumber("a mask coefficient of row \(row)")
        }
        let box = detections[index].box
        detections[index].mask = try prototypes.mask(
          coefficients: coefficients,
          box: BoundingBox(
            minX: box.minX * width, minY: box.minY * height, maxX: box.maxX * width, maxY: box.maxY * height))
      }
    } catch let error as DetectionError {
      throw error
    } catch {
      throw invalid("returned masks that cannot be read: \(error)")
    }
  }

  /// Returns whether all values are finite, without a branch for each: an image has up to a million.
  private static func areFinite(_ values: [Float]) -> Bool {
    let exponent: UInt32 = 0x7F80_0000
    var found: UInt32 = 0
    for value in values { found |= value.bitPattern & exponent == exponent ? 1 : 0 }
    return found == 0
  }

  /// Adds the keypoints of detections from the rows `rows`; the scales convert their unit, that of the boxes,
  /// to fractions of the input.
  ///
  /// **Source:** Ultralytics documentation, "Pose Estimation": x, y, and the probability that it is visible.
  func addKeypoints(
    to detections: inout [Detection], rows: [Int], _ outputs: [[Float]], scaleX: Double, scaleY: Double
  ) throws(DetectionError) {
    guard let place = layout.points, let size = layout.pointSize else { return }
    let columns = BoxColumns(outputs, place.runs[0])
    // A body has y before x.
    let (first, second) = layout.places[.body] == nil ? (0, 1) : (1, 0)
    for (index, row) in rows.enumerated() {
      for point in 0..<(place.width / size) {
        let (x, y) = (columns.number(row, point * size + first), columns.number(row, point * size + second))
        guard x.isFinite, y.isFinite else {
          throw notANumber("a point of row \(row)")
        }
        let place = NormalizedPoint(x: Double(x) * scaleX, y: Double(y) * scaleY)
        guard place.isPlausible else { throw invalid("returned \(place.problem("a point of row \(row)"))") }
        detections[index].keypoints.append(place)
        guard size == 3 else { continue }
        let score = columns.number(row, point * size + 2)
        guard !score.isNaN else { throw notANumber("a point of row \(row)") }
        try check(score: score, "a point's probability of being visible")
        detections[index].keypointScores.append(min(max(score, 0), 1))
      }
    }
  }

  /// Returns the best candidates as detections with rotated boxes, which suppress each other by their
  /// overlap as rotated boxes.
  ///
  /// **Source:** Ultralytics documentation, "Oriented Bounding Boxes Object Detection": the angle is in
  /// radians, clockwise, for a box in pixels.
  func orientedDetections(
    _ candidates: DetectionCandidates, _ outputs: [[Float]], inPixels: Bool, threshold: Float,
    usualIoU: Double?, limit: Int
  ) throws(DetectionError) -> [Detection] {
    guard let angle = layout.places[.angle], let place = layout.box else { return [] }
    let (width, height) = (Double(inputWidth), Double(inputHeight))
    let (columns, angles) = (BoxColumns(outputs, place.runs[0]), BoxColumns(outputs, angle.runs[0]))
    let (unitX, unitY) = inPixels ? (1, 1) : (width, height)
    var boxes: [OrientedBox] = []
    boxes.reserveCapacity(candidates.rows.count)
    for row in candidates.rows {
      let box = columns.box(row, .center)
      let angle = angles.number(row, 0)
      guard angle.isFinite else { throw notANumber("an angle of row \(row)") }
      guard abs(angle) <= Self.largestAngle else {
        throw invalid(
          "returned \(angle) as the angle of row \(row); it must be in radians, at most a full turn")
      }
      boxes.append(
        OrientedBox(
          center: PixelPoint(x: box.midX * unitX, y: box.midY * unitY), width: box.width * unitX,
          height: box.height * unitY, angle: Double(angle)
        ).normalized)
    }
    let kept = nonMaximumSuppression(
      orientedBoxes: boxes, scores: candidates.scores,
      classes: suppression.isClassAgnostic ? nil : candidates.classes,
      threshold: suppression.iouThreshold ?? usualIoU ?? 1,
      crossClassThreshold: suppression.crossClassIoU(threshold: threshold), limit: max(limit, 0))
    return kept.map { index in
      let hull = boxes[index].hull
      return Detection(
        box: NormalizedBox(
          minX: hull.minX / width, minY: hull.minY / height, maxX: hull.maxX / width,
          maxY: hull.maxY / height),
        score: candidates.scores[index], classIndex: candidates.classes[index], orientedBox: boxes[index])
    }
  }

  /// The largest angle that can be in radians: a full turn plus the error of quantisation.
  private static let largestAngle: Float = 6.5
}
