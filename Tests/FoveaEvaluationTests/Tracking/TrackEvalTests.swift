// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaEvaluation
import FoveaFormats
import FoveaTesting
import Testing

/// Random sequences by the rules of each benchmark, compared with TrackEval's figures.
@Suite struct TrackEvalTests {
  struct Figures: Decodable {
    struct Part: Decodable {
      var fractions: [Double]
      var counts: [Int]
    }
    struct Case: Decodable {
      var rules: String
      var sequences: [Part]
      var combined: Part
    }
    var trackeval: String
    var fractions: [String]
    var counts: [String]
    var cases: [Case]

    static func read() throws -> Figures {
      let path = PackageRoot.path + "/Tests/FoveaEvaluationTests/Fixtures/trackeval.json"
      return try JSONDecoder().decode(Figures.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  @Test func `figures of random tracks match TrackEval`() throws {
    let figures = try Figures.read()
    #expect(figures.trackeval == "1.3.0")
    #expect(figures.cases.count == 64)
    var boxes = 0
    for (number, expected) in figures.cases.enumerated() {
      let tracks = RandomTracks(number: number)
      let evaluator = TrackingEvaluator(benchmark: tracks.benchmark)
      let parts = try tracks.sequences.map { sequence in
        try evaluator.evaluate(
          TrackFrames(sequence.results), groundTruth: TrackFrames(sequence.truth),
          lastFrame: sequence.truth.count)
      }
      try #require(parts.count == expected.sequences.count, "case \(number)")
      for (part, figure) in zip(parts, expected.sequences) {
        Self.compare(part, figure, figures, "case \(number)")
      }
      let combined = TrackingMetrics(combining: parts)
      Self.compare(combined, expected.combined, figures, "all of case \(number)")
      boxes += combined.groundTruthBoxes
    }
    #expect(boxes > 1000)
  }

  private static func compare(
    _ metrics: TrackingMetrics, _ expected: Figures.Part, _ figures: Figures, _ name: String
  ) {
    #expect(metrics.fractions.map(\.name) == figures.fractions)
    #expect(metrics.counts.map(\.name) == figures.counts)
    #expect(metrics.counts.map(\.value) == expected.counts, "\(name)")
    for (own, value) in zip(metrics.fractions, expected.fractions) {
      #expect(abs(own.value - value) < 1e-6, "\(own.name) of \(name)")
    }
  }
}
