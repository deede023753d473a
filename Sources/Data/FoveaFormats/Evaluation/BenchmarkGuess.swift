// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// Derives the rules of an evaluation from the sequences' names and columns.
enum BenchmarkGuess {
  /// Returns the rules of all sequences.
  /// - Throws: `option-invalid` with the names of two sequences whose rules differ.
  static func common(_ sequences: [(name: String, frames: TrackFrames)]) throws(FoveaError)
    -> TrackingBenchmark
  {
    let guesses = sequences.map { (name: $0.name, benchmark: benchmark($0.name, $0.frames)) }
    guard let first = guesses.first else { return .plain }
    if let other = guesses.first(where: { $0.benchmark != first.benchmark }) {
      throw FoveaError(
        .optionInvalid,
        "'\(first.name)' has the form of \(first.benchmark.name), '\(other.name)' the form of "
          + "\(other.benchmark.name)",
        remedy: "Name the rules with \(flag: "benchmark", "TrackingBenchmark")")
    }
    return first.benchmark
  }

  /// Decides by the name if it begins with the name of a benchmark, otherwise by the number of columns: 8 or
  /// 9 with classes as in MOT17, 10 with a position in space as in MOT15, which has no classes.
  static func benchmark(_ name: String, _ frames: TrackFrames) -> TrackingBenchmark {
    let named: [TrackingBenchmark] = [.mot16, .mot17, .mot20]
    if let match = named.first(where: { name.uppercased().hasPrefix($0.name + "-") }) { return match }
    if (8...9).contains(frames.columnCount), frames.annotations.contains(where: { $0.classID > 0 }) {
      return .mot17
    }
    return frames.annotations.allSatisfy { $0.score == 0 || $0.score == 1 } ? .mot15 : .plain
  }
}
