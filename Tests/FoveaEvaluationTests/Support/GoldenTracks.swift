// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaEvaluation
import FoveaTesting

/// The result files of three trackers on the shared sequences, and what TrackEval says of them.
struct GoldenTracks: Decodable {
  /// The figures of one sequence, or of all; fractions and counts by TrackEval's names, and HOTA for each alpha.
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
  }

  static let cases = ["sort", "byte", "ours"].flatMap { peer in
    ["MOT15", "MOT17"].map { Case(peer: peer, suite: $0) }
  }

  let figures: [String: [String: [String: Figures]]]

  init(from decoder: any Decoder) throws {
    figures = try [String: [String: [String: Figures]]](from: decoder)
  }

  static func read() throws -> GoldenTracks {
    try JSONDecoder().decode(
      GoldenTracks.self, from: Data(SharedData.bytes("goldens/tracking/golden.json")))
  }

  /// What the peer says of a sequence.
  static func results(_ test: Case, _ sequence: String) throws -> TrackFrames {
    let path = SharedData.path("goldens/tracking/\(test.peer)/\(test.suite)/\(sequence).txt.gz")
    return try MOTReader(.results).read(text: unpacked(path), name: "'\(sequence).txt'")
  }

  /// The truth of a sequence.
  static func groundTruth(_ test: Case, _ sequence: String) throws -> TrackFrames {
    try MOTReader(.groundTruth, minimumColumns: test.benchmark.groundTruthColumns)
      .read(path: SharedData.path("mot/\(test.suite)/\(sequence)/gt/gt.txt"))
  }

  private static func unpacked(_ path: String) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return [UInt8](data)
  }
}
