// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaRuntime

/// NanoDet and PicoDet: C scores per cell, and distributions of the edges' distances from the cell's point.
///
/// The expected distance, the sum of softmax × index, is in strides; edges are left, top, right, bottom. Both
/// exporters include the sigmoid of the scores; if scores lie outside 0…1, it is applied here.
///
/// **Source:** Li et al., "Generalized Focal Loss", section 3; RangiLyu/nanodet (Apache-2.0),
/// `nanodet_plus_head.py`, `get_bboxes` and `_forward_onnx`; PaddleDetection (Apache-2.0), `pico_head.py`,
/// `post_process`; IoU 0.6 in both.
struct DistanceDecoder: DetectionDecoder {
  var family: DetectorFamily { layout.family }
  let hasClasses = true
  var classCount: Int? { layout.classCount }
  /// The limit of both families' own programs.
  var maximumDetections: Int { min(layout.grid.count, 100) }
  private let modelName: String
  private let layout: DistanceLayout
  private let cells: [YOLOGrid.Cell]
  private let suppression: SuppressionOptions

  static let defaultIoU = 0.6

  init(_ layout: DistanceLayout, of model: DetectorRecognizer) {
    self.layout = layout
    modelName = model.modelName
    cells = layout.grid.cells
    suppression = model.suppression
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    try check(outputs)
    let needsSigmoid = try needsSigmoid(outputs)
    let joined = layout.parts[0].scores == layout.parts[0].distances
    var candidates = DetectionCandidates()
    var first = 0
    for part in layout.parts {
      let (scores, distances) = (outputs[part.scores], outputs[part.distances])
      let scoreStep = joined ? layout.classCount + layout.width : layout.classCount
      let distanceStep = joined ? scoreStep : layout.width
      for row in 0..<part.count {
        var best = -Float.infinity
        var bestIndex = 0
        for index in 0..<layout.classCount where scores[row * scoreStep + index] > best {
          best = scores[row * scoreStep + index]
          bestIndex = index
        }
        let score = needsSigmoid ? 1 / (1 + exp(-best)) : best
        guard score >= threshold, best > -.infinity else { continue }
        let start = row * distanceStep + (joined ? layout.classCount : 0)
        candidates.append(
          box(distances, from: start, cell: cells[first + row]), score: min(score, 1), classIndex: bestIndex)
      }
      first += part.count
    }
    return candidates.detections(
      threshold: threshold, usualIoU: Self.defaultIoU, options: suppression, limit: limit,
      scaleX: 1 / Double(layout.grid.width), scaleY: 1 / Double(layout.grid.height))
  }

  /// Returns the box of a cell in pixels of the input.
  private func box(_ values: [Float], from start: Int, cell: YOLOGrid.Cell) -> BoundingBox {
    func distance(_ edge: Int) -> Double {
      Double(expected(values, from: start + edge * layout.bins) * cell.stride)
    }
    let x = Double((cell.x + layout.offset) * cell.stride)
    let y = Double((cell.y + layout.offset) * cell.stride)
    return BoundingBox(
      minX: x - distance(0), minY: y - distance(1), maxX: x + distance(2), maxY: y + distance(3))
  }

  /// Returns the mean of a distribution; NaN if its numbers are NaN.
  private func expected(_ values: [Float], from start: Int) -> Float {
    var most = -Float.infinity
    for bin in 0..<layout.bins { most = max(most, values[start + bin]) }
    var (sum, weighted): (Float, Float) = (0, 0)
    for bin in 0..<layout.bins {
      let part = exp(values[start + bin] - most)
      sum += part
      weighted += part * Float(bin)
    }
    return weighted / sum
  }

  private func check(_ outputs: [[Float]]) throws(DetectionError) {
    let joined = layout.parts[0].scores == layout.parts[0].distances
    for part in layout.parts {
      let numbers = joined ? layout.classCount + layout.width : layout.classCount
      for (output, expected) in [(part.scores, numbers), (part.distances, joined ? numbers : layout.width)] {
        let count = outputs.indices.contains(output) ? outputs[output].count : 0
        guard count == part.count * expected else {
          throw invalid(
            "\(count) numbers in output \(output); \(part.count) rows of \(expected) are expected")
        }
      }
    }
  }

  /// Returns whether the scores are logits: most logits are far below 0, which no probability is.
  private func needsSigmoid(_ outputs: [[Float]]) throws(DetectionError) -> Bool {
    let joined = layout.parts[0].scores == layout.parts[0].distances
    let step = joined ? layout.classCount + layout.width : layout.classCount
    var least = Float.infinity
    var most = -Float.infinity
    for part in layout.parts {
      for row in 0..<part.count {
        for index in 0..<layout.classCount {
          let score = outputs[part.scores][row * step + index]
          if score < least { least = score }
          if score > most { most = score }
        }
      }
    }
    guard most >= least else { throw invalid("no number at all (NaN) as scores") }
    if least >= -0.02, most <= 1.02 { return false }
    guard least < -0.02 else { throw invalid("\(most) as a score; it must be 0…1") }
    return true
  }

  private func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' returned \(what)",
      remedy: "Name the right family, or check the model with the tool that exported it")
  }
}
