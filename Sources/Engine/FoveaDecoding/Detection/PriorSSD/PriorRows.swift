// SPDX-License-Identifier: Apache-2.0

/// The positions of classes, offsets, anchor and variances in a joined row, found from the values.
///
/// **Source:** pierluigiferrari/ssd_keras (Apache-2.0), `ssd_output_decoder.py`: C softmax scores with the
/// background first, four offsets, four numbers of the anchor, four variances; rykov8/ssd_keras (MIT),
/// `ssd_utils.py`, `decode_boxes`: four offsets first, then the C scores, and the anchor as edges.
struct PriorRows: Hashable {
  /// The columns of the scores, including the background's.
  let classes: Range<Int>
  let offsets: Int
  let anchor: Int
  /// The first column of the variances; nil if rows have none.
  let variances: Int?

  /// The usual variances of SSDs, for rows without variances.
  static let usualVariances: [Float] = [0.1, 0.1, 0.2, 0.2]

  /// Compares the rows with each known order.
  /// - Returns: nil if there are no scores in any of the known positions.
  init?(_ values: [Float], rows: Int, columns: Int) {
    guard rows > 0, columns >= 10, values.count == rows * columns else { return nil }
    let hasVariances =
      columns >= 14
      && (columns - 4..<columns).allSatisfy { column in
        let first = values[column]
        return first > 0 && first <= 1 && (0..<rows).allSatisfy { values[$0 * columns + column] == first }
      }
    let count = columns - (hasVariances ? 12 : 8)
    let slack = softmaxSlack(columns: count, step: 0, least: 0.05)
    func isDistribution(_ range: Range<Int>) -> Bool {
      sampledRows(of: rows).allSatisfy { row in
        var sum: Float = 0
        for column in range {
          let score = values[row * columns + column]
          guard score >= -0.01, score <= 1.01 else { return false }
          sum += score
        }
        return abs(sum - 1) < slack
      }
    }
    if isDistribution(0..<count) {
      classes = 0..<count
      offsets = count
    } else if isDistribution(4..<(4 + count)) {
      classes = 4..<(4 + count)
      offsets = 0
    } else {
      return nil
    }
    anchor = 4 + count
    variances = hasVariances ? columns - 4 : nil
  }
}
