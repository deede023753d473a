// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaFormats
import FoveaTesting
import Testing

@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct GoldenTracksTests {
  @Test(arguments: GoldenTracks.mot15)
  func `figures of MOT15 match TrackEval, for each sequence and combined`(
    _ test: GoldenTracks.Case
  ) async throws {
    try await Self.check(test)
  }

  @Test(arguments: GoldenTracks.mot17)
  func `figures of MOT17 match TrackEval`(_ test: GoldenTracks.Case) async throws {
    try await Self.check(test)
  }

  static func check(_ test: GoldenTracks.Case) async throws {
    let golden = try #require(try GoldenTracks.read().figures[test.peer]?[test.suite])
    let evaluator = TrackingEvaluator(benchmark: test.benchmark)
    var parts: [TrackingMetrics] = []
    let all = golden.keys.sorted().filter { $0 != "COMBINED_SEQ" }
    for sequence in test.sequences ?? all {
      let info = try MOTSequenceInfo(path: SharedData.path("mot/\(test.suite)/\(sequence)/seqinfo.ini"))
      let metrics = try await evaluator.evaluate(
        GoldenTracks.results(test, sequence), groundTruth: GoldenTracks.groundTruth(test, sequence),
        lastFrame: info.frameCount)
      Self.compare(metrics, try #require(golden[sequence]), sequence)
      parts.append(metrics)
    }
    guard test.sequences == nil else { return }
    #expect(parts.count == (test.suite == "MOT15" ? 11 : 4))
    Self.compare(TrackingMetrics(combining: parts), try #require(golden["COMBINED_SEQ"]), "all sequences")
  }

  static func compare(_ metrics: TrackingMetrics, _ golden: GoldenTracks.Figures, _ sequence: String) {
    var compared = 0
    for (name, value) in metrics.fractions {
      guard let expected = golden.values[name] else { continue }
      #expect(abs(value - expected) < 1e-6, "\(name) of \(sequence): \(value), not \(expected)")
      compared += 1
    }
    for (name, value) in metrics.counts {
      guard let expected = golden.values[name] else { continue }
      #expect(Double(value) == expected, "\(name) of \(sequence)")
      compared += 1
    }
    #expect(compared == golden.values.count, "figures of \(sequence) were not compared")
    #expect(golden.hotas.count == metrics.hota.hotas.count)
    for (value, expected) in zip(metrics.hota.hotas, golden.hotas) {
      #expect(abs(value - expected) < 1e-6, "HOTA at one alpha of \(sequence)")
    }
  }
}
