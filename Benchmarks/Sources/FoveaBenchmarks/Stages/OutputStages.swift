// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaFormats
import FoveaGeometry

/// Results as text.
enum OutputStages {
  static func all() -> [Benchmark] {
    Benchmark.boxCounts.map { count in
      let objects = (0..<count).map { index in
        DetectedObject(
          box: BoundingBox(x: Double(index) * 1.37, y: 20.25, width: 100.5, height: 80),
          score: 0.9 - 0.5 * Float(index) / Float(count),
          labels: [Label(text: "potted plant", index: 63, confidence: 0.9)])
      }
      let findings = DetectionRecord.Findings(
        size: PixelSize(width: 640, height: 480), orientation: .up, content: .objects(objects))
      let record = DetectionRecord(image: "photos/street.jpg", result: .success(findings))
      return Benchmark("results as JSON", boxes: count) {
        var writer = JSONLinesWriter()
        _ = writer.text(for: record)
      }
    }
  }
}
