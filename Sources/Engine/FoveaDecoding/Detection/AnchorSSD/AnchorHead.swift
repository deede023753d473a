// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

/// The two outputs of a detector without post-processing: box codes [1, A, 4] and scores [1, A, C].
struct AnchorHead: Hashable {
  let boxes: Int
  let scores: Int
  /// The number of rows.
  let count: Int
  /// The number of values in a row of boxes; the first four are the box.
  let valuesPerBox: Int
  /// The number of values in a row of scores.
  let columns: Int

  /// The tensor names in exports of the TensorFlow Object Detection API and in MediaPipe's own SSDs.
  ///
  /// **Source:** TensorFlow Object Detection API, `export_tflite_ssd_graph_lib.py`.
  static let codesName = "raw_outputs/box_encodings"
  static let scoresName = "raw_outputs/class_predictions"

  /// Returns the ways to read the outputs by their shapes: two if both could be the boxes, none if the
  /// outputs are not two such tensors.
  static func all(of model: DetectorRecognizer, valuesPerBox: Int = 4) -> [AnchorHead] {
    let outputs = model.signature.outputs
    guard outputs.count == 2, outputs.allSatisfy({ types.contains($0.elementType) }) else { return [] }
    return [(0, 1), (1, 0)].compactMap { pair in
      AnchorHead(outputs, boxes: pair.0, scores: pair.1, valuesPerBox: valuesPerBox)
    }
  }

  /// Finds boxes and scores by shape, then by the names in the metadata, by exporters' names, and by what
  /// only one of two equal outputs has: the end of scores in the graph, or their range.
  /// - Returns: nil if the outputs are not two such tensors.
  /// - Throws: `ambiguousModel` if both outputs could be the boxes.
  init?(_ model: DetectorRecognizer, valuesPerBox: Int = 4) throws(DetectionError) {
    let heads = Self.all(of: model, valuesPerBox: valuesPerBox)
    guard let first = heads.first else { return nil }
    guard heads.count == 2 else {
      self = first
      return
    }
    let outputs = model.signature.outputs
    let names =
      model.metadata?.outputs.count == 2 ? model.metadata?.outputs.map { $0.name?.lowercased() } : nil
    let ends = outputs.map { [.sigmoid, .softmax].contains(model.hints.activations?[$0.name]) }
    let ranges = outputs.map { $0.step == nil ? nil : $0.holdsProbabilities }
    if names == ["location", "score"] || outputs.map(\.name) == [Self.codesName, Self.scoresName] {
      self = heads[0]
    } else if names == ["score", "location"] || outputs.map(\.name) == [Self.scoresName, Self.codesName] {
      self = heads[1]
    } else if let found = heads.first(where: { ends == [$0.scores == 0, $0.scores == 1] })
      ?? heads.first(where: { ranges == [$0.scores == 0, $0.scores == 1] })
    {
      self = found
    } else {
      let export: Advice =
        "Export an SSD with TFLite_Detection_PostProcess, or give its outputs the names 'location' and"
        + " 'score' in the metadata"
      throw DetectionError(
        .ambiguousModel,
        "The boxes and the scores of '\(model.modelName)' cannot be distinguished: \(model.tensorList)",
        remedy: RowLayout.all(for: model).first.map { row in
          "Name the family if it is \(row.family) (\(option: "family", row.family.name)). \(export)"
        } ?? export)
    }
  }

  private static let types: Set<ElementType> = [.float32, .float16, .uint8, .int8]

  private init?(_ outputs: [TensorDescription], boxes: Int, scores: Int, valuesPerBox: Int) {
    let box = outputs[boxes].shape
    guard box.count == 3 || (box.count == 4 && box[2] == 1), box[0] == 1, box[1] > 0,
      box[box.count - 1] == valuesPerBox
    else { return nil }
    let score = outputs[scores].shape
    guard score.count == 2 || score.count == 3, score[0] == 1, score[1] == box[1],
      score.count == 2 || score[2] > 0
    else { return nil }
    self.boxes = boxes
    self.scores = scores
    self.valuesPerBox = valuesPerBox
    count = box[1]
    columns = score.count == 3 ? score[2] : 1
  }
}
