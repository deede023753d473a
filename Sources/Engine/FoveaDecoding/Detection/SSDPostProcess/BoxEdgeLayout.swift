// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata

/// The order and unit of the four numbers of a box in a tensor.
struct BoxEdgeLayout: Sendable, Hashable {
  private let kind: BoundingBoxLayout.Kind
  // The positions of left, top, right, bottom (or the numbers used instead) within the four.
  private let order: [Int]
  private let scaleX: Double
  private let scaleY: Double

  /// Reads the layout from metadata; the default is (top, left, bottom, right) in fractions.
  ///
  /// **Source:** tflite-support, `metadata_schema.fbs`, BoundingBoxProperties: `index` gives the positions of
  /// (left, top, right, bottom); the order is this one if `index` is missing.
  init(content: TensorContent?, inputShape: [Int], modelName: String) throws(DetectionError) {
    guard case .boundingBoxes(let layout)? = content else {
      kind = .boundaries
      order = [1, 0, 3, 2]
      scaleX = 1
      scaleY = 1
      return
    }
    guard layout.index.isEmpty || layout.index.sorted() == [0, 1, 2, 3] else {
      throw DetectionError(
        .familyMismatch,
        "The metadata of '\(modelName)' gives \(layout.index) as the order of box edges;"
          + " it must be 0, 1, 2, 3 in any order",
        remedy: "Write the model's metadata again")
    }
    // "Unknown" is written by tools that leave the field out; all such models use boundaries.
    kind = layout.kind == .unknown ? .boundaries : layout.kind
    order = layout.index.isEmpty ? [0, 1, 2, 3] : layout.index
    let isPixels = layout.coordinates == .pixel
    guard !isPixels || (inputShape.count == 4 && inputShape[1] > 0 && inputShape[2] > 0) else {
      throw DetectionError(
        .familyMismatch,
        "The metadata of '\(modelName)' gives boxes in pixels,"
          + " but its input \(inputShape) has no height and width",
        remedy: "Write the model's metadata again, with ratios")
    }
    scaleX = isPixels ? 1 / Double(inputShape[2]) : 1
    scaleY = isPixels ? 1 / Double(inputShape[1]) : 1
  }

  /// Returns the box whose four numbers begin at `start`.
  func box(_ values: [Float], at start: Int) -> NormalizedBox {
    let a = Double(values[start + order[0]]) * scaleX
    let b = Double(values[start + order[1]]) * scaleY
    let c = Double(values[start + order[2]]) * scaleX
    let d = Double(values[start + order[3]]) * scaleY
    return switch kind {
    case .upperLeft: NormalizedBox(minX: a, minY: b, maxX: a + c, maxY: b + d)
    case .center: NormalizedBox(minX: a - c / 2, minY: b - d / 2, maxX: a + c / 2, maxY: b + d / 2)
    default: NormalizedBox(minX: a, minY: b, maxX: c, maxY: d)
    }
  }
}
