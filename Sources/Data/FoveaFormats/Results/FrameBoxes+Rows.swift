// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaGeometry

extension FrameBoxes {
  /// Reads the rows of `FrameCSVWriter`.
  mutating func readRows(_ input: ResultInput) throws(EvaluationError) {
    var line = 0
    for row in CSVLines(try input.text()) {
      line += 1
      if line == 1 { continue }
      let fields = CSVFields.split(row)
      guard fields.count == FrameCSVWriter.columns.count, let frame = Int(fields[1]),
        (1...MOTReader.maximumFrame).contains(frame), let count = Int(fields[8])
      else { throw Self.invalid(input, line) }
      guard count > 0 else {
        add(row: frame, nil)
        continue
      }
      add(row: frame, try findings(fields, input, line))
    }
  }

  /// Returns the object of a row; scores that are not probabilities are kept, as those of MOTChallenge are.
  private mutating func findings(
    _ fields: [String], _ input: ResultInput, _ line: Int
  ) throws(EvaluationError) -> DetectionRecord.Findings {
    let numbers = fields[10...14].compactMap(Double.init)
    guard numbers.count == 5 else { throw Self.invalid(input, line) }
    let box = COCOBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    if let problem = box.problem ?? ScoreRule.optional.problem(numbers[4]) {
      throw Self.invalid(input, line, problem)
    }
    if scoreRule.problem(numbers[4]) != nil { warnings.addScore(numbers[4], line: line) }
    let label = CSVReader.label(fields[15...])
    guard label != nil || fields[16].isEmpty else { throw Self.invalid(input, line) }
    let object = DetectedObject(
      box: .init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
      score: Float(numbers[4]), labels: label.map { [$0] } ?? [], trackingID: Int(fields[9]))
    return DetectionRecord.Findings(
      size: PixelSize(width: Int(fields[3]) ?? 0, height: Int(fields[4]) ?? 0),
      orientation: Orientation(name: fields[5]) ?? .up,
      space: DetectionRecord.Findings.Space(rawValue: fields[6]) ?? .stored, content: .objects([object]))
  }

  private static func invalid(
    _ input: ResultInput, _ line: Int, _ problem: String = "not a row of fovea's results"
  ) -> EvaluationError {
    EvaluationError(
      .invalidLine, "\(input.name) line \(line): \(problem)",
      remedy: "Name a file that fovea has written as csv")
  }
}
