// SPDX-License-Identifier: Apache-2.0

/// The weighted mean of boxes.
struct WeightedBox {
  private var total = 0.0
  private var edges = BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
  private var count = 0

  mutating func add(_ box: BoundingBox, weight: Double) {
    count += 1
    total += weight
    edges.minX += box.minX * weight
    edges.minY += box.minY * weight
    edges.maxX += box.maxX * weight
    edges.maxY += box.maxY * weight
  }

  /// The mean; nil if there are fewer than two boxes or the weights are 0.
  var mean: BoundingBox? {
    guard count > 1, total > 0 else { return nil }
    return BoundingBox(
      minX: edges.minX / total, minY: edges.minY / total, maxX: edges.maxX / total, maxY: edges.maxY / total)
  }
}
