// SPDX-License-Identifier: Apache-2.0

/// Finds rows of features with the same direction from their mean and with similar enough hashes.
///
/// Two directions with a cosine of 0.95 have a squared distance of 0.1, and no projection increases it. So
/// each direction is projected to 16 numbers, on axes spanned by photos of the set, and only pairs whose
/// projections are near are compared in full. The lengths of the projections' residuals differ by no more
/// than the residuals, so they count as one more number.
struct NearDirections {
  static let leastCosine = 0.95

  private typealias Axes = SIMD16<Float>

  private let features: FeatureMatrix
  private let hashes: [DifferenceHash]
  /// The products of the mean with each row and with itself.
  private let products: [Double]
  private let square: Double
  /// The distance of each row from the mean; 0 for a row without a direction.
  private let lengths: [Double]
  private let projections: [Axes]
  /// The length of each projection's residual.
  private let rests: [Float]

  init(_ features: FeatureMatrix, hashes: [DifferenceHash]) {
    self.features = features
    self.hashes = hashes
    var mean = [Double](repeating: 0, count: features.columnCount)
    for row in 0..<features.rowCount {
      for (column, value) in features[row].enumerated() { mean[column] += Double(value) }
    }
    for column in mean.indices { mean[column] /= Double(features.rowCount) }
    let centre = mean.map { Float($0) }
    let products = (0..<features.rowCount).map { features.dot($0, centre) }
    let square = Double(FloatVectors.dot(centre, 0, centre, 0, centre.count))
    lengths = (0..<features.rowCount).map { row in
      let whole = features.dot(row, row)
      let left = whole - 2 * products[row] + square
      // A distance within rounding is not a direction.
      return left > 1e-5 * (whole + square) ? left.squareRoot() : 0
    }
    (self.products, self.square) = (products, square)
    let axes = NearDirections.axes(features, centre)
    let places = axes.map { axis in FloatVectors.dot(axis, 0, centre, 0, centre.count) }
    var projections: [Axes] = []
    var rests: [Float] = []
    for row in 0..<features.rowCount {
      var projection = Axes.zero
      if lengths[row] > 0 {
        for (index, axis) in axes.enumerated() {
          let place = Float(features.dot(row, axis)) - places[index]
          projection[index] = place / Float(lengths[row])
        }
      }
      projections.append(projection)
      rests.append(max(0, 1 - (projection * projection).sum()).squareRoot())
    }
    (self.projections, self.rests) = (projections, rests)
  }

  /// Joins the rows of each pair whose cosine is large enough.
  func join(_ sets: inout DisjointSets) {
    // A little more than 2 - 2 · 0.95, for rounding.
    let limit = Float(2 - 2 * NearDirections.leastCosine) + 0.001
    let reach = limit.squareRoot()
    let order = (0..<features.rowCount).filter { lengths[$0] > 0 }.sorted {
      (projections[$0][0], $0) < (projections[$1][0], $1)
    }
    let sorted = order.map { projections[$0] }
    let sortedRests = order.map { rests[$0] }
    for first in order.indices {
      let (projection, rest) = (sorted[first], sortedRests[first])
      var second = first + 1
      while second < order.count, sorted[second][0] - projection[0] <= reach {
        let apart = sorted[second] - projection
        let left = sortedRests[second] - rest
        if (apart * apart).sum() + left * left <= limit { compare(order[first], order[second], &sets) }
        second += 1
      }
    }
  }

  private func compare(_ a: Int, _ b: Int, _ sets: inout DisjointSets) {
    guard hashes[a].distance(to: hashes[b]) <= DifferenceHash.looseDistance,
      sets.first(of: a) != sets.first(of: b)
    else { return }
    let product = features.dot(a, b) - products[a] - products[b] + square
    if product >= NearDirections.leastCosine * lengths[a] * lengths[b] { sets.join(a, b) }
  }

  /// Returns orthogonal directions spanned by rows of the set, as many as a projection has, or fewer.
  private static func axes(_ features: FeatureMatrix, _ centre: [Float]) -> [[Float]] {
    var axes: [[Float]] = []
    let wanted = min(Axes.scalarCount, features.rowCount)
    for index in 0..<wanted {
      let row = features[index * features.rowCount / wanted]
      var axis = zip(row, centre).map { Double($0) - Double($1) }
      let before = axis.reduce(0) { $0 + $1 * $1 }
      // Orthogonalizes twice because one pass leaves rounding errors.
      for _ in 0..<2 {
        for other in axes {
          let product = zip(axis, other).reduce(0) { $0 + $1.0 * Double($1.1) }
          for column in axis.indices { axis[column] -= product * Double(other[column]) }
        }
      }
      let length = axis.reduce(0) { $0 + $1 * $1 }
      guard length > 1e-4 * before else { continue }
      axes.append(axis.map { Float($0 / length.squareRoot()) })
    }
    return axes
  }
}

extension FeatureMatrix {
  /// Returns the product of two rows.
  func dot(_ first: Int, _ second: Int) -> Double {
    Double(FloatVectors.dot(values, first * columnCount, values, second * columnCount, columnCount))
  }

  /// Returns the product of a row with a vector.
  func dot(_ row: Int, _ vector: [Float]) -> Double {
    Double(FloatVectors.dot(values, row * columnCount, vector, 0, columnCount))
  }
}
