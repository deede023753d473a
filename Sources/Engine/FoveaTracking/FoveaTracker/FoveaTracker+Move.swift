// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension FoveaTracker {
  /// Carries all objects on to a frame on which no detector ran.
  ///
  /// Objects are neither begun nor confirmed nor given up here, and none counts as seen. `tracks` has their boxes
  /// afterwards.
  /// - Parameters:
  ///   - boxes: Where objects went with the image. They count less than a detector's boxes, see
  ///     `Configuration.movedNoiseFactor`. Those that no object has the identity of, that have an edge that is not finite
  ///     or beyond 10⁹ pixels, or no area, are left out; of two for one object both count.
  ///   - time: When the frame was taken.
  ///   - cameraMotion: Where the image of the frame before went; nil where it is not known.
  public mutating func move(_ boxes: [MovedBox], at time: FrameTime, cameraMotion: CameraMotion? = nil) {
    let steps = clock.advance(to: time)
    predict(steps: steps)
    if let cameraMotion, cameraMotion.isUsable {
      for index in records.indices { records[index].motion.apply(cameraMotion) }
    }
    for moved in boxes where DetectionRanking.isUsable(moved.box) {
      guard let index = records.firstIndex(where: { $0.identity == moved.identity }) else { continue }
      records[index].motion.correct(moved.box, noise: noise, factor: configuration.movedNoiseFactor)
    }
  }
}
