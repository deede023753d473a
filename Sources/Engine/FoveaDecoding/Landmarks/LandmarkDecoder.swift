// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry

/// A landmark model without a detector: the whole image is the crop, which shows at most one object.
package struct LandmarkDecoder: DetectionDecoder {
  package let head: LandmarkHead
  package let family: DetectorFamily
  private let modelName: String

  package let maximumDetections = 1
  package let detail: DetectionDetail? = .keypoints
  package let classCount: Int? = 1

  /// Creates the decoder of a landmark model.
  package init(_ head: LandmarkHead, modelName: String) {
    self.head = head
    self.modelName = modelName
    family = DetectorFamily(head.family)
  }

  package var keypointSet: KeypointSet? { head.family.keypointSet }
  package var assumptions: [Advice] {
    [
      "'\(modelName)' finds the points of \(head.family.subject) in a crop, which is the whole image or"
        + " region here; give it as \(option: "landmarks") of \(head.family.firstStage.description) to find"
        + " the crop"
    ]
  }

  package func decode(
    _ outputs: [[Float]], threshold: Float, limit: Int
  ) throws(DetectionError) -> [Detection] {
    guard let found = try head.read(outputs, least: threshold, modelName: modelName), limit > 0 else {
      return []
    }
    let least = head.family.leastOfBox ?? RowDecoder.leastOfPoint
    let hull = LandmarkFamily.box(
      around: found.points.map { PixelPoint(x: $0.x, y: $0.y) }, scores: found.scores, least: least)
    // An object whose points are all in one place is not there.
    guard !hull.isEmpty else { return [] }
    var detection = Detection(
      box: NormalizedBox(minX: hull.minX, minY: hull.minY, maxX: hull.maxX, maxY: hull.maxY),
      score: found.score, classIndex: 0, keypoints: found.points, keypointScores: found.scores)
    detection.landmarks = found
    return [detection]
  }
}

extension DetectorFamily {
  /// Creates the family of landmark models that are used without a detector.
  ///
  /// It is not among `all`: a model is recognised as a landmark model first.
  init(_ landmarks: LandmarkFamily) {
    var input = landmarks.input
    input.letterbox = Letterbox(.center, padding: 0)
    self.init(
      name: landmarks.name, rule: "the outputs of a landmark model", input: input,
      labels: .oneForEachOrBackground,
      threshold: landmarks.flag == .none ? nil : LandmarkHead.leastFlag,
      classNames: [landmarks.className])
  }
}
