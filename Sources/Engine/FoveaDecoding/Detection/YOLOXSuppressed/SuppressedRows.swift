// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaRuntime

/// The order of the seven numbers of an object.
package struct SuppressedRows: Sendable, Hashable {
  /// The columns of the image's number, the left edge (then top, right and bottom), the score and the class.
  let batch: Int?
  let box: Int
  let score: Int
  /// A second factor of the score.
  let otherScore: Int?
  let classIndex: Int

  /// The orders that exporters use.
  ///
  /// **Source:** YOLOX, `yolox/utils/boxes.py`, `postprocess` (x1, y1, x2, y2, objectness, class score,
  /// class); PINTO_model_zoo, output `batchno_classid_score_x1y1x2y2`; YOLOv7, `export.py --end2end` (batch,
  /// box, class, score).
  static let known = [
    SuppressedRows(batch: 0, box: 3, score: 2, otherScore: nil, classIndex: 1),
    SuppressedRows(batch: 0, box: 1, score: 5, otherScore: nil, classIndex: 6),
    SuppressedRows(batch: 0, box: 1, score: 6, otherScore: nil, classIndex: 5),
    SuppressedRows(batch: nil, box: 0, score: 4, otherScore: 5, classIndex: 6),
  ]

  /// The output's name in PINTO_model_zoo, which shows the order.
  static let namedOrder = "batchno_classid_score_x1y1x2y2"

  /// Returns whether the only output is named as a list of objects, so that [1, 7] is not seven scores.
  package static func isNamed(_ signature: ModelSignature) -> Bool {
    signature.outputs.count == 1 && signature.outputs[0].name.contains(part: namedOrder)
  }

  /// Returns whether every row can be an object in this order.
  func fits(_ values: [Float]) -> Bool {
    stride(from: 0, to: values.count - 6, by: 7).allSatisfy { start in
      func number(_ column: Int) -> Float { values[start + column] }
      // Unused rows of a fixed-size output are filled with 0 or −1.
      if (0..<7).allSatisfy({ number($0) == number(0) }), (-1...0).contains(number(0)) { return true }
      let classNumber = number(classIndex)
      if (-1...0).contains(number(score)), classNumber == -1 { return true }
      return (batch.map { number($0) == 0 } ?? true)
        && (-0.02...1.02).contains(number(score))
        && (otherScore.map { (-0.02...1.02).contains(number($0)) } ?? true)
        && classNumber >= 0 && classNumber < 1_000_000 && classNumber == classNumber.rounded()
        && number(box + 2) >= number(box) && number(box + 3) >= number(box + 1)
    }
  }
  /// Returns whether the rows are rotated boxes: centre, size, score, class and an angle in radians.
  static func areRotated(_ values: [Float]) -> Bool {
    var hasAngle = false
    for start in stride(from: 0, to: values.count - 6, by: 7) {
      let (score, classNumber, angle) = (values[start + 4], values[start + 5], values[start + 6])
      guard values[start + 2] >= 0, values[start + 3] >= 0, (-0.02...1.02).contains(score), classNumber >= -1,
        classNumber == classNumber.rounded(), abs(angle) <= 2 * .pi
      else { return false }
      if angle != angle.rounded() { hasAngle = true }
    }
    return hasAngle
  }
}
