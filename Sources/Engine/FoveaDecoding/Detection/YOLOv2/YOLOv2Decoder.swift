// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// YOLOv2: [1, H ÷ 32, W ÷ 32, 5 · (5 + C)], five raw boxes per cell.
///
/// A box is (x, y, width, height, objectness, classes). The sigmoid of x and y is the centre's position in
/// the cell, the exponential of the size is a multiple of the anchor, and the score is the sigmoid of the
/// objectness times the best class of the softmax. The tensors do not show which anchors a model was trained
/// with, so the number of classes decides.
///
/// **Source:** Redmon and Farhadi, "YOLO9000: Better, Faster, Stronger", section 2; Darknet,
/// `src/region_layer.c`, `get_region_box`.
struct YOLOv2Decoder: DetectionDecoder {
  let family = DetectorFamily.yolov2
  var classCount: Int? { numbers - 5 }
  var maximumDetections: Int { min(rows * columns * anchors.sizes.count, 300) }
  private let modelName: String
  private let anchors: YOLOv2Anchors
  private let rows: Int
  private let columns: Int
  /// The number of values in a box.
  private let numbers: Int
  private let suppression: SuppressionOptions
  /// Whether the model is a Custom Vision export, according to its output's name.
  private let isCustomVision: Bool

  private static let stride = 32

  /// Recognises a map with five boxes for each cell of 32 pixels.
  init?(recognizing model: DetectorRecognizer) {
    guard model.signature.outputs.count == 1, let output = model.signature.outputs.first,
      [.float32, .uint8, .int8].contains(output.elementType), output.shape.count == 4, output.shape[0] == 1,
      let size = YOLOGrid.inputSize(of: model.signature), size.width >= Self.stride,
      size.height >= Self.stride,
      size.width % Self.stride == 0, size.height % Self.stride == 0,
      output.shape[1] == size.height / Self.stride, output.shape[2] == size.width / Self.stride,
      (30...1 << 16).contains(output.shape[3]), output.shape[3] % 5 == 0,
      // One map of YOLOv3 for COCO: three boxes of 85 numbers.
      output.shape[3] != 255
    else { return nil }
    modelName = model.modelName
    rows = output.shape[1]
    columns = output.shape[2]
    numbers = output.shape[3] / 5
    anchors = .usual(classCount: numbers - 5)
    suppression = model.suppression
    isCustomVision = output.name.hasPrefix("model_outputs")
  }

  var assumptions: [Advice] {
    [
      "'\(modelName)' does not declare its anchors; those of '\(anchors.name)' are assumed,"
        + " which models with \(numbers - 5) \(numbers == 6 ? "class" : "classes") usually have"
    ]
  }

  /// Custom Vision's models expect images as OpenCV reads them.
  ///
  /// **Source:** Microsoft, `customvision-export-samples` (MIT),
  /// `samples/python/tensorflow/object_detection/predict.py`.
  var input: DetectorInput {
    guard isCustomVision else { return family.input }
    return DetectorInput(normalization: .init(mean: [0], standardDeviation: [1]), isBGR: true)
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let count = rows * columns * anchors.sizes.count
    guard let values = outputs.first, values.count == count * numbers else {
      throw invalid("\(outputs.first?.count ?? 0) numbers; \(count) boxes of \(numbers) are expected")
    }
    var candidates = DetectionCandidates()
    var scores = ReadScores()
    for index in 0..<count {
      let start = index * numbers
      let objectness = sigmoid(values[start + 4])
      scores.add(values[start + 4], of: index)
      let most = largestNumber(in: values, from: start + 5, count: numbers - 5, areLogits: true)
      guard objectness.isNaN || most < .infinity
      else { throw invalid("a class of box \(index) that is not a number") }
      // A class probability is at most 1, so most boxes end here.
      guard objectness >= threshold else { continue }
      guard let best = bestClass(values, from: start + 5),
        objectness * best.probability >= threshold
      else { continue }
      let (cell, anchor) = index.quotientAndRemainder(dividingBy: anchors.sizes.count)
      let (y, x) = cell.quotientAndRemainder(dividingBy: columns)
      candidates.append(
        BoundingBox(
          centerX: (Float(x) + sigmoid(values[start])) / Float(columns),
          centerY: (Float(y) + sigmoid(values[start + 1])) / Float(rows),
          width: exp(values[start + 2]) * anchors.sizes[anchor][0] / Float(columns),
          height: exp(values[start + 3]) * anchors.sizes[anchor][1] / Float(rows)),
        score: objectness * best.probability, classIndex: best.index)
    }
    guard scores.haveNumbers else { throw invalid("no number at all (NaN) as objectness") }
    if let box = scores.wrongRow { throw invalid("an objectness of box \(box) that is not a number") }
    return candidates.detections(
      threshold: threshold, usualIoU: family.iou, options: suppression, limit: limit)
  }

  /// Returns the likeliest class of a box; nil if all its numbers are minus infinity.
  private func bestClass(_ values: [Float], from start: Int) -> (index: Int, probability: Float)? {
    guard let best = bestScore(values, from: start, columns: numbers - 5, areLogits: true) else { return nil }
    var sum: Float = 0
    for index in 0..<(numbers - 5) {
      sum += exp(values[start + index] - best.score)
    }
    return (best.column, 1 / sum)
  }

  private func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' returned \(what)",
      remedy: "Check the normalisation, or the model with the tool that exported it")
  }
}

/// The five anchors of a YOLOv2: widths and heights in cells of 32 pixels.
struct YOLOv2Anchors: Sendable, Hashable {
  /// The name in a sentence: "the anchors of …".
  let name: String
  let sizes: [[Float]]

  /// The anchors of models for Pascal VOC's 20 classes.
  ///
  /// **Source:** Darknet, `cfg/yolov2-tiny-voc.cfg` (in Darkflow `tiny-yolo-voc.cfg`), line `anchors`.
  static let tinyVOC = YOLOv2Anchors(
    name: "tiny-yolo-voc",
    sizes: [[1.08, 1.19], [3.42, 4.41], [6.63, 11.38], [9.42, 5.11], [16.62, 10.52]])

  /// The anchors of models for COCO's 80 classes, small and large.
  ///
  /// **Source:** Darknet, `cfg/yolov2.cfg` and `cfg/yolov2-tiny.cfg`, line `anchors`; Microsoft's samples for
  /// Custom Vision's exports and those for Kendryte's K210 have the same.
  static let coco = YOLOv2Anchors(
    name: "yolov2",
    sizes: [
      [0.57273, 0.677385], [1.87446, 2.06253], [3.33843, 5.47434], [7.88282, 3.52778], [9.77052, 9.16828],
    ])

  /// Returns the most likely anchors of a model with this number of classes.
  static func usual(classCount: Int) -> YOLOv2Anchors { classCount == 20 ? tinyVOC : coco }
}
