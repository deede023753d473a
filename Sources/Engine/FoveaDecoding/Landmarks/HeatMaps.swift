// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// An output with a map for each point of a body: the logit that the point is in a cell, [1, height, width,
/// points].
///
/// **Source:** MediaPipe, `refine_landmarks_from_heatmap_calculator.cc` with `kernel_size` 7 and the default
/// `min_confidence_to_refine` of 0.5.
struct HeatMaps: Sendable, Hashable {
  let output: Int
  private let rows: Int
  private let columns: Int
  private let points: Int

  /// The distance of the farthest cells that count, in cells.
  private static let reach = 3
  private static let leastPeak: Float = 0.5

  /// Returns nil for a shape that is not that of such maps.
  init?(output: Int, shape: [Int], points: Int) {
    guard shape.count == 4, shape[0] == 1, shape[3] == points, shape[1] > 1, shape[2] > 1 else { return nil }
    (self.output, rows, columns, self.points) = (output, shape[1], shape[2], points)
  }

  /// The maps of one run.
  struct Numbers {
    let maps: HeatMaps
    let logits: [Float]

    /// Moves a point to the mean of the cells around it, weighted by their probabilities.
    /// - Parameters:
    ///   - point: The point in fractions of the crop.
    ///   - map: The point's number.
    /// - Returns: The point; unchanged if it is outside the crop, or no cell around it is likely.
    func refined(_ point: NormalizedPoint, map: Int) -> NormalizedPoint {
      guard (0..<1).contains(point.x), (0..<1).contains(point.y) else { return point }
      let (column, row) = (Int(point.x * Double(maps.columns)), Int(point.y * Double(maps.rows)))
      var (sum, x, y, peak) = (Float(0), Float(0), Float(0), Float(0))
      for cellRow in max(0, row - reach)...min(maps.rows - 1, row + reach) {
        for cellColumn in max(0, column - reach)...min(maps.columns - 1, column + reach) {
          let probability = sigmoid(logits[(cellRow * maps.columns + cellColumn) * maps.points + map])
          sum += probability
          x += Float(cellColumn) * probability
          y += Float(cellRow) * probability
          peak = max(peak, probability)
        }
      }
      // Also if a logit is not a number.
      guard peak >= HeatMaps.leastPeak, sum.isFinite, sum > 0 else { return point }
      return NormalizedPoint(
        x: Double(x / Float(maps.columns) / sum), y: Double(y / Float(maps.rows) / sum))
    }

    private var reach: Int { HeatMaps.reach }
  }

  /// Returns the maps among the outputs of one run.
  func maps(_ outputs: [[Float]], _ modelName: String) throws(DetectionError) -> Numbers {
    let count = rows * columns * points
    guard outputs.indices.contains(output), outputs[output].count == count else {
      throw LandmarkHead.invalid(modelName, "\(outputs.map(\.count)) numbers; \(count) are expected as maps")
    }
    return Numbers(maps: self, logits: outputs[output])
  }
}
