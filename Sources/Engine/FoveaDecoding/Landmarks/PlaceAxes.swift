// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime

/// Two outputs with scores of the places along the width and along the height: [1, points, places].
///
/// There are several places for each pixel of the input, two in all published models.
///
/// **Source:** MMPose, `post_processing.py`, `get_simcc_maximum`: the place of a point is that of the largest
/// score on each axis, the first of equal ones, and its score the smaller of both.
struct PlaceAxes: Sendable, Hashable {
  let x: Int
  let y: Int
  private let points: Int
  /// The numbers of places.
  private let width: Int
  private let height: Int

  /// The largest number of places for each pixel.
  private static let mostForEachPixel = 8

  /// Finds the outputs of this many points; nil for other shapes.
  ///
  /// For a square input the shapes are equal: `x` and `y` at the end of the names decide, else the order, x
  /// before y, in which MMPose exports them.
  init?(points: Int, input: PixelSize, among outputs: [TensorDescription]) {
    guard outputs.count == 2, outputs.allSatisfy({ $0.shape.count == 3 && $0.shape[0] == 1 }),
      outputs.allSatisfy({ $0.shape[1] == points })
    else { return nil }
    func fits(_ x: Int, _ y: Int) -> Bool {
      let (width, height) = (outputs[x].shape[2], outputs[y].shape[2])
      let ratio = width / input.width
      return (1...Self.mostForEachPixel).contains(ratio) && width == ratio * input.width
        && height == ratio * input.height
    }
    func ends(_ index: Int, with letter: String) -> Bool {
      [outputs[index].name, outputs[index].signatureName].contains { $0.lowercased().hasSuffix(letter) }
    }
    let isReversed = fits(1, 0) && (!fits(0, 1) || ends(0, with: "y") && ends(1, with: "x"))
    guard fits(0, 1) || isReversed else { return nil }
    (x, y) = isReversed ? (1, 0) : (0, 1)
    self.points = points
    (width, height) = (outputs[x].shape[2], outputs[y].shape[2])
  }

  /// Returns the places of the points in fractions of the input, and their scores, 0…1.
  /// - Throws: `invalidOutput` for another number of scores, and for scores that are not numbers.
  func found(
    _ outputs: [[Float]], _ modelName: String
  ) throws(DetectionError) -> (places: [NormalizedPoint], scores: [Float]) {
    guard outputs.count == 2, outputs[x].count == points * width, outputs[y].count == points * height else {
      throw LandmarkHead.invalid(
        modelName,
        "\(outputs.map(\.count)) numbers; \(points * width) and \(points * height) are expected as places")
    }
    var (places, scores) = ([NormalizedPoint](), [Float]())
    for point in 0..<points {
      let column = try Self.peak(outputs[x], point * width, width, modelName)
      let row = try Self.peak(outputs[y], point * height, height, modelName)
      places.append(
        NormalizedPoint(x: Double(column.place) / Double(width), y: Double(row.place) / Double(height)))
      scores.append(min(max(min(column.score, row.score), 0), 1))
    }
    return (places, scores)
  }

  /// Returns the first of the largest scores.
  private static func peak(
    _ numbers: [Float], _ start: Int, _ count: Int, _ modelName: String
  ) throws(DetectionError) -> (place: Int, score: Float) {
    var best = (place: 0, score: -Float.infinity)
    for place in 0..<count {
      let score = numbers[start + place]
      guard isScore(score, areLogits: false) else {
        throw LandmarkHead.invalid(modelName, "\(score.shown) as the score of a place")
      }
      if score > best.score { best = (place, score) }
    }
    return best
  }
}
