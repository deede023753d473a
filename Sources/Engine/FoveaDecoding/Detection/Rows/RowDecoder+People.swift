// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension RowDecoder {
  /// The lowest score of a point that belongs to the box of a person, in rows without a box.
  static let leastOfPoint: Float = 0.3

  /// Appends the people that reach the threshold.
  ///
  /// The score of a row that has none is the mean of its points' scores, and its box encloses the points of
  /// at least `leastOfPoint`: a person without two of these has no box, and is left out.
  func appendPeople(
    _ outputs: [[Float]], _ body: RowLayout.Place, threshold: Float,
    to candidates: inout DetectionCandidates
  ) throws(DetectionError) {
    let points = BoxColumns(outputs, body.runs[0])
    let edges = layout.places[.tensorFlowEdges].map { BoxColumns(outputs, $0.runs[0]) }
    let scores = layout.places[.score].map { BoxColumns(outputs, $0.runs[0]) }
    var read = ReadScores()
    for row in 0..<layout.rows {
      let numbers = (0..<body.width).map { points.number(row, $0) }
      let pointScores = stride(from: 2, to: body.width, by: 3).map { numbers[$0] }
      let box = edges.map { edges in (0..<4).map { edges.number(row, $0) } } ?? Self.bounds(of: numbers)
      for (column, number) in numbers.enumerated() where column % 3 < 2 { try check(place: number, "point") }
      for edge in box ?? [] { try check(place: edge, "box") }
      for score in pointScores { try check(score: score, "the score of a point") }
      let score =
        scores.map { $0.number(row, 0) } ?? pointScores.reduce(0, +) / Float(max(pointScores.count, 1))
      try check(score: score, "a score")
      guard !score.isNaN || numbers.allSatisfy(\.isNaN) else { throw notANumber("a score of row \(row)") }
      read.add(score, of: row)
      guard score >= threshold, let box else { continue }
      guard numbers.allSatisfy(\.isFinite), box.allSatisfy(\.isFinite) else {
        throw notANumber("a point or a box of row \(row)")
      }
      candidates.append(
        BoundingBox(minX: Double(box[1]), minY: Double(box[0]), maxX: Double(box[3]), maxY: Double(box[2])),
        score: min(score, 1), classIndex: 0, row: row)
    }
    try check(read)
  }

  /// Returns the top, left, bottom and right edge of the points of at least `leastOfPoint`; nil without any.
  private static func bounds(of numbers: [Float]) -> [Float]? {
    let starts = stride(from: 0, to: numbers.count, by: 3).filter { numbers[$0 + 2] >= leastOfPoint }
    let (ys, xs) = (starts.map { numbers[$0] }, starts.map { numbers[$0 + 1] })
    guard let top = ys.min(), let bottom = ys.max(), let left = xs.min(), let right = xs.max() else {
      return nil
    }
    return [top, left, bottom, right]
  }

  /// Throws for a position far outside the image, as those in pixels are.
  private func check(place: Float, _ noun: String) throws(DetectionError) {
    guard place < -1 || place > 2 else { return }
    throw invalid("returned \(place) as a coordinate of a \(noun); it must be a fraction of the image, 0…1")
  }
}
