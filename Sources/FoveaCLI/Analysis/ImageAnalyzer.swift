// SPDX-License-Identifier: Apache-2.0

import Fovea

/// A picture as it is handed to the library.
enum Picture: Sendable, Equatable {
  case file(String)
  case bytes([UInt8], name: String)

  /// The same as the library's type.
  var input: ImageInput {
    switch self {
    case .file(let path): .file(path)
    case .bytes(let bytes, let name): .data(bytes, name: name)
    }
  }
}

/// What stands between the run loop and the library, so that the loop can be tested without a model.
protocol ImageAnalyzer: Sendable {
  func findings(in picture: Picture) async throws(FoveaError) -> Findings
}

/// `fovea detect`: objects by the library's detector.
struct DetectorAnalyzer: ImageAnalyzer {
  let detector: ObjectDetector
  let region: BoundingBox?

  func findings(in picture: Picture) async throws(FoveaError) -> Findings {
    let result = try await detector.analyze(picture.input, region: region)
    return Findings(
      size: result.size, orientation: result.orientation, content: .objects(result.objects),
      timings: result.timings)
  }
}

/// `fovea label`: labels by the library's labeler.
struct LabelerAnalyzer: ImageAnalyzer {
  let labeler: ImageLabeler
  let region: BoundingBox?

  func findings(in picture: Picture) async throws(FoveaError) -> Findings {
    let result = try await labeler.analyze(picture.input, region: region)
    return Findings(
      size: result.size, orientation: result.orientation, content: .labels(result.labels),
      timings: result.timings)
  }
}
