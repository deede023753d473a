// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaEvaluation
import FoveaFormats
import FoveaTesting

/// The result files of three trackers on the shared sequences, and their figures in TrackEval.
struct GoldenTracks: Decodable {
  /// The figures of one sequence, or all combined; fractions and counts by TrackEval's names, and HOTA per
  /// alpha.
  struct Figures: Decodable {
    var values: [String: Double] = [:]
    var hotas: [Double] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys {
        if key.stringValue == "HOTA_alpha" {
          hotas = try container.decode([Double].self, forKey: key)
        } else {
          values[key.stringValue] = try container.decode(Double.self, forKey: key)
        }
      }
    }

    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
  }

  /// One tracker on one set of sequences.
  struct Case: Sendable, CustomStringConvertible {
    var peer: String
    var suite: String
    var description: String { "\(peer) on \(suite)" }
    var benchmark: TrackingBenchmark { suite == "MOT15" ? .mot15 : .mot17 }
    /// The sequences to evaluate; nil for all of them, and the combined figures.
    var sequences: [String]?
  }

  static let mot15 = ["sort", "byte", "ours"].map { Case(peer: $0, suite: "MOT15") }

  /// Two of the trackers on one sequence: all four have 300,000 boxes.
  static let mot17 = [
    Case(peer: "sort", suite: "MOT17", sequences: ["MOT17-09-FRCNN"]),
    Case(peer: "byte", suite: "MOT17", sequences: ["MOT17-11-FRCNN"]),
    Case(peer: "ours", suite: "MOT17"),
  ]

  let figures: [String: [String: [String: Figures]]]

  init(from decoder: any Decoder) throws {
    figures = try [String: [String: [String: Figures]]](from: decoder)
  }

  static func read() throws -> GoldenTracks {
    try JSONDecoder().decode(
      GoldenTracks.self, from: Data(SharedData.bytes("goldens/tracking/golden.json")))
  }

  /// The peer's tracks of a sequence.
  static func results(_ test: Case, _ sequence: String) async throws -> TrackFrames {
    let path = SharedData.path("goldens/tracking/\(test.peer)/\(test.suite)/\(sequence).txt.gz")
    return try await MOTReader(.results).read(text: unpacked(path), name: "'\(sequence).txt'")
  }

  /// The truth of a sequence.
  static func groundTruth(_ test: Case, _ sequence: String) throws -> TrackFrames {
    try MOTReader(.groundTruth, minimumColumns: test.benchmark.groundTruthColumns)
      .read(path: SharedData.path("mot/\(test.suite)/\(sequence)/gt/gt.txt"))
  }

  private static func unpacked(_ path: String) async throws -> [UInt8] {
    try await ChildProcess.run("/usr/bin/env", ["gzip", "-dc", path]).standardOutput
  }
}
