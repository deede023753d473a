// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// **Source:** TFLite Task Library, `object_detector.cc`, `PostProcess`: calibrated first, then compared.
@Suite struct CalibrationTests {
  @Test func `scores are calibrated before they meet the threshold, and the order follows them`() throws {
    var hints = DetectorHints()
    hints.calibration = ScoreCalibration(
      sigmoids: [
        .init(scale: 1, slope: 0, offset: 2), nil, .init(scale: 0.9, slope: 0, offset: 0, minimumScore: 0.1),
      ],
      options: ScoreCalibrationOptions(defaultScore: 0.35))
    let decoder = try DetectorRecognizer(
      modelName: "m", signature: SSDPostProcessTests.signature(), metadata: nil, hints: hints
    ).decoder()
    let outputs: [[Float]] = [SSDPostProcessTests.boxes, [2, 1, 0], [0.2, 0.9, 0.01], [3]]
    // Class 0: 1 / (1 + e⁻²) = 0.8808; class 2: 0.9 / 2; class 1 has no curve.
    let found = try decoder.decode(outputs, threshold: 0.3, limit: 10)
    #expect(found.map(\.classIndex) == [0, 2, 1])
    for (score, expected) in zip(found.map(\.score), [0.8808, 0.45, 0.35] as [Float]) {
      #expect(abs(score - expected) < 1e-4)
    }
    #expect(try decoder.decode(outputs, threshold: 0.4, limit: 10).map(\.classIndex) == [0, 2])
    for value in [Float.nan, .infinity] {
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode([outputs[0], [2, 1, 0], [0.2, value, 0.01], [3]], threshold: 0.3, limit: 10)
      }
      #expect(error?.message == "'m' returned \(value) as the score of detection 1, expected 0 to 1")
    }
    // Below the lowest score the default applies.
    #expect(
      try decoder.decode([outputs[0], [2, 2, 2], [0.09, 0, 0], [1]], threshold: 0, limit: 1).map(\.score) == [
        0.35
      ])
  }

  @Test func `AutoML's manifest declares which output is which, and the maximum number of objects`() throws {
    var manifest = AutoMLDetection()
    manifest.outputTensors = ["p", "q", "r", "s"]
    manifest.outputTensorRepresentation = [
      "num_of_boxes", "class_confidences", "class_labels", "bounding_boxes",
    ]
    manifest.maxDetections = 2
    var hints = DetectorHints()
    hints.autoML = manifest
    let signature = SSDPostProcessTests.signature(
      names: ["q", "r", "s", "p"], shapes: [[1, 3], [1, 3], [1, 3, 4], [1]])
    let decoder = try DetectorRecognizer(modelName: "m", signature: signature, metadata: nil, hints: hints)
      .decoder()
    #expect(decoder.maximumDetections == 2)
    let found = try decoder.decode(
      [[0.5, 0.9, 0.7], [4, 5, 6], SSDPostProcessTests.boxes, [3]], threshold: 0,
      limit: decoder.maximumDetections)
    #expect(found.map(\.classIndex) == [5, 6])
  }
}
