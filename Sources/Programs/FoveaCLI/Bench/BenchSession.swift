// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaFormats
import FoveaGeometry

/// What is measured: a model that is ready to run.
protocol BenchSession: Sendable {
  /// Opens and decodes a file, runs the model, and builds the results.
  func answer(_ path: String) async throws(FoveaError) -> BenchAnswer

  /// Decodes a file once, then times `count` calls on the decoded image.
  /// - Returns: A time for each call; nil where the library cannot separate the two.
  func inferenceTimes(_ path: String, count: Int) async throws(FoveaError) -> [Duration]?
}

/// What a call answered.
struct BenchAnswer: Sendable, Equatable {
  struct Item: Sendable, Equatable {
    var label: String?
    var index: Int?
    var score: Float
    /// In pixels of the file; nil for labels of whole images.
    var box: BoundingBox?
  }

  var size: PixelSize
  var items: [Item]

  init(size: PixelSize, items: [Item]) {
    self.size = size
    self.items = items
  }

  init(_ findings: DetectionRecord.Findings) {
    size = findings.size
    items =
      switch findings.content {
      case .objects(let objects):
        objects.map { object in
          Item(
            label: object.labels.first?.text, index: object.labels.first?.index, score: object.score,
            box: object.box)
        }
      case .labels(let labels):
        labels.map { Item(label: $0.text, index: $0.index, score: $0.confidence, box: nil) }
      }
  }
}

/// The library as it is measured.
struct LibraryBenchSession: BenchSession {
  let analyzer: any ImageAnalyzer
  /// What a photo may cost.
  let limits: ImageLimits

  func answer(_ path: String) async throws(FoveaError) -> BenchAnswer {
    BenchAnswer(try await analyzer.findings(in: Photo(.file(path), limits: limits)))
  }

  func inferenceTimes(_ path: String, count: Int) async throws(FoveaError) -> [Duration]? {
    try await analyzer.inferenceTimes(in: Photo(.file(path), limits: limits), count: count)
  }
}
