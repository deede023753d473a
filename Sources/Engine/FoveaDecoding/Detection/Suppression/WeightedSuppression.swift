// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Suppression that averages merged boxes and keypoints of one class, weighted by their scores.
///
/// The best box absorbs all boxes that overlap it by more than the threshold, itself included; the result is
/// their weighted mean with the best score. This steadies boxes from frame to frame.
///
/// **Source:** MediaPipe 0.10.14 (Apache-2.0), `non_max_suppression_calculator.cc`,
/// `WeightedNonMaxSuppression`, with the overlap INTERSECTION_OVER_UNION.
struct WeightedSuppression {
  private var boxes: [BoundingBox] = []
  private var scores: [Float] = []
  /// The keypoints of all boxes, `keypointCount` per box.
  private var keypoints: [NormalizedPoint] = []
  private let keypointCount: Int

  init(keypointCount: Int) { self.keypointCount = keypointCount }

  /// Adds a box, unless a number is not finite or the area is not positive.
  mutating func append(_ box: BoundingBox, score: Float, keypoints points: [NormalizedPoint]) {
    guard box.width > 0, box.height > 0, (box.minX + box.minY + box.maxX + box.maxY).isFinite,
      points.count == keypointCount, points.allSatisfy({ ($0.x + $0.y).isFinite })
    else { return }
    boxes.append(box)
    scores.append(score)
    keypoints += points
  }

  /// Returns the merged boxes by descending score, ties in the order of insertion.
  /// - Parameters:
  ///   - iouThreshold: The IoU above which two boxes are merged.
  ///   - limit: The largest number of detections.
  /// - Returns: At most `limit` detections.
  func detections(iouThreshold: Double, limit: Int) -> [Detection] {
    var rest = boxes.indices.sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
    var found: [Detection] = []
    while let best = rest.first, found.count < limit {
      var merged: [Int] = []
      var left: [Int] = []
      for index in rest {
        // Handles rounding that makes a box's overlap with itself less than 1.
        if index == best || boxes[index].iou(with: boxes[best]) > iouThreshold {
          merged.append(index)
        } else {
          left.append(index)
        }
      }
      found.append(mean(of: merged, score: scores[best]))
      rest = left
    }
    return found
  }

  private func mean(of indices: [Int], score: Float) -> Detection {
    var total = 0.0
    var box = NormalizedBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    var points = Array(repeating: NormalizedPoint(x: 0, y: 0), count: keypointCount)
    for index in indices {
      // With a threshold of 0, scores of 0 are included, and their sum would be 0.
      let weight = indices.count == 1 ? 1 : max(Double(scores[index]), 1e-9)
      total += weight
      box.minX += boxes[index].minX * weight
      box.minY += boxes[index].minY * weight
      box.maxX += boxes[index].maxX * weight
      box.maxY += boxes[index].maxY * weight
      for point in points.indices {
        points[point].x += keypoints[index * keypointCount + point].x * weight
        points[point].y += keypoints[index * keypointCount + point].y * weight
      }
    }
    return Detection(
      box: NormalizedBox(
        minX: box.minX / total, minY: box.minY / total, maxX: box.maxX / total, maxY: box.maxY / total),
      score: score, classIndex: 0,
      keypoints: points.map { NormalizedPoint(x: $0.x / total, y: $0.y / total) })
  }
}
