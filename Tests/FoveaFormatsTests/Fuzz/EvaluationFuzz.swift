// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaEvaluation
import FoveaFormats
import FoveaTesting

/// Damaged COCO files: figures or an error.
struct EvaluationFuzz {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case groundTruth, results, foveaResults
  }

  private static let truth = """
    {"info": {"year": 2017}, "images": [{"id": 1, "file_name": "a.jpg", "width": 640, "height": 480},
     {"id": 2, "file_name": "b\\u00e9.jpg"}], "categories": [{"id": 1, "name": "cat"}, {"id": 18, "name": "dog"}],
     "annotations": [{"id": 7, "image_id": 1, "category_id": 1, "bbox": [10, 20.5, 100, 50], "area": 4000.25,
     "iscrowd": 0, "segmentation": [[1, 2, 3, 4.5]]}, {"id": 8, "image_id": 2, "category_id": 18,
     "bbox": [0, 0, 1e2, 5E1], "area": 5000, "iscrowd": 1, "segmentation": {"counts": [1, 2], "size": [480, 640]}}]}
    """
  private static let detections = """
    [{"image_id": 1, "category_id": 1, "bbox": [11, 21, 99.5, 50], "score": 0.9},
     {"image_id": 2, "category_id": 18, "bbox": [-1.5, 0, 100, 50], "score": 1e-3}]
    """
  private static let fovea = """
    {"image": "a.jpg", "width": 640, "height": 480, "orientation": "up", "objects": [{"box": {"x": 1.5, "y": 2,
     "width": 30, "height": 40}, "score": 0.75, "trackingID": null, "labels": [{"text": "cat", "index": 0,
     "confidence": 0.75}], "mask": {"size": [480, 640], "counts": "T3b1Zk[9"}, "orientedBox": {"x": 9, "y": 8,
     "width": 7, "height": 6, "degrees": 30}}], "milliseconds": {"total": 15.9}}
    {"image": "bé.jpg", "error": {"code": "image-truncated", "message": "m", "remedy": "r"}}
    """.replacing(",\n", with: ",")

  /// Runs a batch in this process and prints the outcomes.
  static func run(_ kind: Kind, _ batch: FuzzBatch) async {
    let corpus = [truth, detections, fovea].map { Array($0.utf8) }
    await batch.run(kind.rawValue) { seed in
      var mutator = TextMutator(seed: seed)
      let sound: [UInt8]
      switch kind {
      case .groundTruth: sound = corpus[0]
      case .results: sound = corpus[1]
      case .foveaResults: sound = corpus[2]
      }
      let bytes = mutator.mutated(sound)
      if let keep = FuzzBatch.keep {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(keep)/\(kind)-\(seed)"))
      }
      do throws(EvaluationError) {
        let truth = try COCOGroundTruth(json: kind == .groundTruth ? bytes : corpus[0])
        let evaluator = try DetectionEvaluator(groundTruth: truth)
        var detections = COCODetections(groundTruth: truth)
        detections.readsMasks = kind == .foveaResults
        try detections.read(json: kind == .groundTruth ? corpus[1] : bytes)
        if kind == .foveaResults { try JSONRecordReader().read(json: bytes) { _ in } }
        _ = try evaluator.evaluate(detections)
        return "ok"
      } catch {
        guard !error.message.isEmpty, !error.remedy.description.isEmpty else {
          throw FuzzFailure("an error without reason or remedy: \(error)")
        }
        return error.code.description
      }
    }
  }
}
