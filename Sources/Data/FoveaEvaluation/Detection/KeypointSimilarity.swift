// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// The similarity of keypoints (OKS): the mean over the labelled points of a Gaussian of their distance,
/// whose width is the point's sigma times the object's size.
///
/// **Source:** cocodataset.org, "Keypoint Evaluation"; `COCOeval.computeOks`, pycocotools 2.0.11: the
/// definition and the order of the operations.
struct KeypointSimilarity {
  /// Twice the sigma of each point, squared.
  private let variances: [Double]

  init(sigmas: [Double]) { variances = sigmas.map { ($0 * 2) * ($0 * 2) } }

  /// The number of points of an object.
  var count: Int { variances.count }

  /// Returns the similarity of detected points with an object, 0…1; 0 without points.
  ///
  /// For an object without a labelled point, the distance is that to twice its box.
  func similarity(_ found: [PixelPoint], to truth: [COCOKeypoint], box: COCOBox, area: Double) -> Double {
    guard found.count == count, truth.count == count else { return 0 }
    let hasLabels = truth.contains(where: \.isLabelled)
    var sum = 0.0
    var counted = 0
    for index in truth.indices where !hasLabels || truth[index].isLabelled {
      let (point, labelled) = (found[index], truth[index].point)
      let (x, y) =
        hasLabels
        ? (point.x - labelled.x, point.y - labelled.y)
        : (
          Self.distance(point.x, from: box.x - box.width, to: box.x + box.width * 2),
          Self.distance(point.y, from: box.y - box.height, to: box.y + box.height * 2)
        )
      sum += exp(-((x * x + y * y) / variances[index] / (area + Double.ulpOfOne) / 2))
      counted += 1
    }
    return counted == 0 ? 0 : sum / Double(counted)
  }

  private static func distance(_ value: Double, from least: Double, to most: Double) -> Double {
    max(0, least - value) + max(0, value - most)
  }
}
