// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// Edge Impulse FOMO: a heat map [1, H ÷ 8, W ÷ 8, C + 1] of probabilities, the background's first.
///
/// FOMO finds centres, not extents. Each connected group of cells of one class that reach the threshold,
/// diagonals included, is an object: its box is the bounding box of these cells, its score their highest. The
/// centre of the box is the centroid.
///
/// **Source:** Edge Impulse's inferencing SDK (Apache-2.0), `ei_fill_result_struct.h`, `ei_handle_cube` and
/// `fill_result_struct_f32_fomo`, which extends boxes while it iterates over the cells. Touching cells are
/// one object in both; here, a connected group of any shape stays one object. The cut-off at 1/8 of
/// MobileNetV2's input is Edge Impulse's default.
struct FOMODecoder: DetectionDecoder {
  let family = DetectorFamily.fomo
  var classCount: Int? { channels - 1 }
  var maximumDetections: Int { min(rows * columns, 100) }
  private let modelName: String
  private let rows: Int
  private let columns: Int
  private let channels: Int

  /// The possible sides of a cell in pixels: Edge Impulse's default, then its other cut-offs.
  private static let strides = [8, 4, 16]

  /// Recognises a heat map by its size and by its numbers being probabilities.
  ///
  /// If the caller names the family (`isAsked`), the graph need not show the softmax.
  init?(recognizing model: DetectorRecognizer, isAsked: Bool) {
    guard model.signature.outputs.count == 1, let output = model.signature.outputs.first,
      [.float32, .uint8, .int8].contains(output.elementType), output.shape.count == 4, output.shape[0] == 1,
      output.shape[1] > 0, output.shape[2] > 0, output.shape[3] > 1,
      Self.stride(of: output, model.signature) != nil,
      output.shape[1] <= 1 << 12, output.shape[2] <= 1 << 12, output.shape[3] <= 1 << 12
    else { return nil }
    let activation = model.hints.activations?[output.name]
    guard isAsked || activation == .softmax || output.holdsProbabilities else { return nil }
    modelName = model.modelName
    rows = output.shape[1]
    columns = output.shape[2]
    channels = output.shape[3]
  }

  /// Returns the side of a cell in pixels of the input; nil if the map has no such cells.
  static func stride(of output: TensorDescription, _ signature: ModelSignature) -> Int? {
    guard let size = YOLOGrid.inputSize(of: signature) else { return nil }
    return strides.first {
      size.height % $0 == 0 && size.width % $0 == 0 && output.shape[1] == size.height / $0
        && output.shape[2] == size.width / $0
    }
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    guard let values = outputs.first, values.count == rows * columns * channels else {
      throw invalid(
        "returned \(outputs.first?.count ?? 0) numbers; \(rows) × \(columns) × \(channels) are expected")
    }
    var (hasNumbers, hasNaN) = (false, false)
    for value in values {
      guard !(value < -0.02 || value > 1.02) else {
        throw invalid("returned \(value) as a probability; it must be 0…1")
      }
      hasNumbers = hasNumbers || !value.isNaN
      hasNaN = hasNaN || value.isNaN
    }
    guard hasNumbers else { throw invalid("returned no number at all (NaN)") }
    guard !hasNaN else { throw invalid("returned nan as a probability; it must be 0…1") }
    var found: [Detection] = []
    for channel in 1..<channels {
      var isTaken = (0..<(rows * columns)).map { !(values[$0 * channels + channel] >= threshold) }
      for cell in 0..<(rows * columns) where !isTaken[cell] {
        found.append(spot(from: cell, of: channel, values, &isTaken))
      }
    }
    found.keepBest(limit)
    return found
  }

  /// Collects the cells connected to `first` and marks them as taken.
  private func spot(
    from first: Int, of channel: Int, _ values: [Float], _ isTaken: inout [Bool]
  ) -> Detection {
    var (left, top, right, bottom) = (columns, rows, 0, 0)
    var score: Float = 0
    var open = [first]
    isTaken[first] = true
    while let cell = open.popLast() {
      let (y, x) = cell.quotientAndRemainder(dividingBy: columns)
      (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
      score = max(score, values[cell * channels + channel])
      for nextY in max(y - 1, 0)...min(y + 1, rows - 1) {
        for nextX in max(x - 1, 0)...min(x + 1, columns - 1) where !isTaken[nextY * columns + nextX] {
          isTaken[nextY * columns + nextX] = true
          open.append(nextY * columns + nextX)
        }
      }
    }
    return Detection(
      box: NormalizedBox(
        minX: Double(left) / Double(columns), minY: Double(top) / Double(rows),
        maxX: Double(right + 1) / Double(columns), maxY: Double(bottom + 1) / Double(rows)),
      score: min(score, 1), classIndex: channel - 1)
  }

  private func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' \(what)",
      remedy: "Check the normalisation, or the model with the tool that exported it")
  }
}
