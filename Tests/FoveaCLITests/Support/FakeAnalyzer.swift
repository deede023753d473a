// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaFormats
import FoveaGeometry

@testable import FoveaCLI

/// Returns results from a table by file name, without a model; can be slow, fail, and report its calls.
struct FakeAnalyzer: ImageAnalyzer {
  var answer: @Sendable (String) async throws(FoveaError) -> DetectionRecord.Findings

  func findings(in photo: Photo) async throws(FoveaError) -> DetectionRecord.Findings {
    try await answer(photo.name)
  }

  /// One object in each image, but an error for each name that contains "bad".
  static let oneObject = FakeAnalyzer { (name) throws(FoveaError) in
    if name.contains("bad") { throw Sample.error }
    return Sample.findings
  }
}

/// Values shared by many tests.
enum Sample {
  static let error = FoveaError(
    .init(rawValue: "image-truncated"), "the file ends after 100 of 4096 bytes",
    remedy: "Copy the file again")

  static let label = Label(text: "Home good", index: 1, confidence: 0.83)

  static let object = DetectedObject(
    box: BoundingBox(x: 812.4, y: 400, width: 1_210.9, height: 1_804.2), score: 0.91, labels: [label])

  static var timings: StageTimings {
    var timings = StageTimings()
    timings.decode = .microseconds(9_800)
    timings.prepare = .microseconds(400)
    timings.detect = .microseconds(2_300)
    timings.classify = .microseconds(3_100)
    timings.total = .microseconds(15_900)
    return timings
  }

  static var findings: DetectionRecord.Findings {
    DetectionRecord.Findings(
      size: PixelSize(width: 4_032, height: 3_024), orientation: .right, content: .objects([object]),
      timings: timings)
  }
}
