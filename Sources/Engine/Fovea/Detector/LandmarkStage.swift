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
  var assumptions: [Advice] { (plan.loaded.repairs + session.notes).map { Advice($0) } + plan.assumptions }

  /// Finds the points in a crop, in pixels of the upright image, and adds the time that it took.
  func points(
    of image: DecodedImage, upright orientation: Orientation, in square: OrientedBox,
    token: CancellationToken, timings: inout StageTimings
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
    let points = try plan.head.read(outputs, modelName: plan.loaded.name)
    timings.prepare += prepared - start
    timings.detect += clock.now - prepared
    return points
  }
}

extension DetectedObject {
  /// The lowest score of a point of the object's box.
  private static let leastOfBox: Float = 0.5

  /// Sets the points that a landmark model found, none if the object is not there, and the box to the one
  /// around them.
  mutating func setLandmarks(_ points: [PixelPoint], scores: [Float], in size: PixelSize) {
    (keypoints, keypointScores, square) = (points, scores, nil)
    let inside = points.indices.filter { scores.isEmpty || scores[$0] >= Self.leastOfBox }
    let (xs, ys) = (inside.map { points[$0].x }, inside.map { points[$0].y })
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return }
    let box = BoundingBox(minX: left, minY: top, maxX: right, maxY: bottom).clamped(to: size)
    if !box.isEmpty { self.box = box }
  }
}
