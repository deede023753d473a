// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaRuntime

extension ModelProfile {
  /// Returns the outputs of a landmark model.
  /// - Throws: `model-unsupported` for another kind of model, or why it cannot be examined.
  func landmarkHead() throws(FoveaError) -> LandmarkHead {
    let what: String
    switch kind {
    case .broken(let problem): throw problem.error
    case .detector(let decoder as LandmarkDecoder): return decoder.head
    case .detector(let decoder): what = "it is a detector of the family '\(decoder.family)'"
    case .classifier: what = "it is a classifier"
    case .segmenter: what = "it is a segmentation model"
    case .embedding(let model), .unsupported(let model):
      if let head = LandmarkHead(of: signature) { return head }
      what = model.what
    case .unknown:
      if let head = LandmarkHead(of: signature) { return head }
      what = "its outputs are " + signature.outputs.map(\.description).joined(separator: ", ")
    }
    throw FoveaError(
      FoveaCode(RuntimeCode.modelUnsupported),
      "'\(loaded.name)' is not a landmark model that Fovea reads: \(what)",
      remedy: "Use MediaPipe's pose_landmark, face_landmark or hand_landmark, or RTMPose for 17 points")
  }
}
