// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaFormats
import FoveaGeometry

/// The results of one call.
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
      case .map(let map):
        map.shares.map { Item(label: $0.label, index: $0.classIndex, score: Float($0.share), box: nil) }
      }
  }
}
