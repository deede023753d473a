// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// One session of a landmark model with its memory.
final class LandmarkStage {
  let plan: LandmarkPlan
  private let session: Session
  private let scratch = TensorScratch()
  private var outputs: [[Float]]

  init(_ plan: LandmarkPlan) throws {
    self.plan = plan
    session = try plan.loaded.session(plan.session)
    outputs = Array(repeating: [], count: session.outputs.count)
  }

  /// The assumptions about the model, the repairs made to it, and notes if it does not run as usual.
  var assumptions: [Advice] { (plan.repairs + session.notes).map { Advice($0) } + plan.assumptions }

  /// Returns the objects of the previous frame that the model still sees in the crops that their points
  /// placed, each once, with new points and the crop for the next frame; adds the time that this took.
  ///
  /// `seconds` is the time since that frame; nil if unknown.
  func follow(
    _ earlier: [DetectedObject], in image: DecodedImage, of opened: OpenedImage, after seconds: Double?,
    token: CancellationToken, timings: inout StageTimings
  ) throws -> [DetectedObject] {
    var found: [DetectedObject] = []
    for object in earlier {
      let followed = try self.object(
        object, in: image, of: opened, after: seconds, token: token, timings: &timings)
      if let followed, !found.contains(where: { $0.isFollowed(by: followed, above: plan.overlap) }) {
        found.append(followed)
      }
    }
    return found
  }

  /// Returns the objects with the points that the model finds, none if it sees no object in a crop, and the
  /// crops that show them in the next frame; adds the time that this took.
  ///
  /// A detection at the place of a followed object, or whose points are there, only renews its score and
  /// labels. Other detections are left out above `limit`: followed objects come first, as in MediaPipe.
  /// - Returns: The objects by descending score, ties in their order.
  func objects(
    _ objects: [DetectedObject], besides followed: [DetectedObject], limit: Int, in image: DecodedImage,
    of opened: OpenedImage, token: CancellationToken, timings: inout StageTimings
  ) throws -> [DetectedObject] {
    var found = followed
    func renewed(by object: DetectedObject?) -> Bool {
      guard let object,
        let same = followed.firstIndex(where: { $0.isFollowed(by: object, above: plan.overlap) })
      else { return false }
      (found[same].score, found[same].labels) = (object.score, object.labels)
      return true
    }
    for object in objects {
      if renewed(by: object) || found.count >= limit { continue }
      var plain = object
      (plain.keypoints, plain.keypointScores, plain.landmarkDetails, plain.square) = ([], [], nil, nil)
      let seen = try self.object(object, in: image, of: opened, after: nil, token: token, timings: &timings)
      if !renewed(by: seen) { found.append(seen ?? plain) }
    }
    return followed.isEmpty ? found : found.byScore()
  }

  /// Returns an object with the points that the model finds in its crop, and the crop for the next frame.
  ///
  /// Nil if there is no crop, or the object is not in it.
  private func object(
    _ object: DetectedObject, in image: DecodedImage, of opened: OpenedImage, after seconds: Double?,
    token: CancellationToken, timings: inout StageTimings
  ) throws -> DetectedObject? {
    guard let square = object.square,
      let found = try points(
        of: image, upright: opened.orientation, in: square, token: token, timings: &timings)
    else { return nil }
    let points = found.points.map { $0.pixels(in: square) }
    func stored(_ point: PixelPoint) -> PixelPoint {
      opened.orientation.storedPoint(fromUpright: point, stored: opened.size)
    }
    let (family, helpers) = (plan.head.family, found.helpers.map { $0.pixels(in: square) })
    var object = object
    object.square = family.nextSquare(points: points, helpers: helpers)
    var (keypoints, scores) = (points.map(stored), found.scores)
    object.landmarkDetails = LandmarkDetails(found, in: square, toStored: stored)
    if plan.isSmooth {
      var smoother = object.smoother ?? LandmarkSmoother()
      smoother.smooth(
        &keypoints, scores: &scores, details: &object.landmarkDetails,
        size: family.size(of: keypoints, next: object.square), after: seconds)
      object.smoother = smoother
    }
    object.setLandmarks(keypoints, scores: scores, enclosing: family.leastOfBox, in: opened.size)
    return object
  }

  private func points(
    of image: DecodedImage, upright orientation: Orientation, in square: OrientedBox,
    token: CancellationToken,
    timings: inout StageTimings
  ) throws -> LandmarkPoints? {
    let clock = ContinuousClock()
    let start = clock.now
    unsafe try session.withUnsafeInputBytes(0) { bytes throws(ImageError) in
      unsafe try image.write(
        crop: square, upright: orientation, spec: plan.input.spec, into: bytes, scratch: scratch)
    }
    let prepared = clock.now
    try session.run(cancelledBy: token)
    for index in outputs.indices { try session.readNumbers(output: index, into: &outputs[index]) }
    let points = try plan.head.read(outputs, least: plan.threshold, modelName: plan.loaded.name)
    timings.prepare += prepared - start
    timings.detect += clock.now - prepared
    return points
  }
}

extension DetectedObject {
  /// The crop before its rotation.
  var uprightSquare: BoundingBox? {
    square.map {
      BoundingBox(
        x: $0.center.x - $0.width / 2, y: $0.center.y - $0.height / 2, width: $0.width, height: $0.height)
    }
  }

  /// Returns whether two crops show the same object: their IoU, whatever their rotation, is above `limit`.
  ///
  /// **Source:** MediaPipe, `association_norm_rect_calculator.cc` and `hand_association_calculator.cc`, whose
  /// `min_similarity_threshold` is the landmarkers' `min_tracking_confidence`.
  func isFollowed(by other: DetectedObject, above limit: Double) -> Bool {
    guard let uprightSquare, let next = other.uprightSquare else { return false }
    return uprightSquare.iou(with: next) > limit
  }

  /// Sets the points that a landmark model found, and the box to the one around those with a score of
  /// `least`, or around all if these have none.
  ///
  /// The box stays if `least` is nil, and if that box is outside the image.
  mutating func setLandmarks(
    _ points: [PixelPoint], scores: [Float], enclosing least: Float?, in size: PixelSize
  ) {
    (keypoints, keypointScores) = (points, scores)
    guard let least else { return }
    let box = LandmarkFamily.box(around: points, scores: scores, least: least).clamped(to: size)
    if !box.isEmpty { self.box = box }
  }
}
