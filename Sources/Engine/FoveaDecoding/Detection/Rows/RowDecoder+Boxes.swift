// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

extension RowDecoder {
  /// The largest mean distance of boxes from their cells, in cells; 1.7 in the models that were compared.
  private static let farthest: Float = 2.5

  /// Returns whether positions are pixels of the input rather than fractions: exporters differ, and the
  /// positions show it.
  ///
  /// Fractions are at most slightly above 1; pixels are larger in nearly all cells. A sample of the rows
  /// decides, excluding unused rows of zeros. The position is the largest number of the columns `reach`.
  func usesPixels(_ columns: BoxColumns, reach: Range<Int>) -> Bool {
    var beyond = 0
    var sampled = 0
    for row in sampledRows(of: layout.rows) {
      let place = columns.reach(row, reach)
      if place != 0 { sampled += 1 }
      if place > BoxUnit.largestFraction { beyond += 1 }
    }
    return beyond * 2 > sampled
  }

  /// Returns the meaning of the four numbers of a box, which is `center` if the detected boxes, `found`,
  /// cannot be edges; see `BoxColumns.kind`.
  func kind(
    of columns: BoxColumns, found: [Int], inPixels: Bool
  ) throws(DetectionError) -> BoxColumns.Kind {
    let turned = found.count {
      columns.number($0, 2) < columns.number($0, 0) || columns.number($0, 3) < columns.number($0, 1)
    }
    let (unitX, unitY) = inPixels ? (1, 1) : (Float(inputWidth), Float(inputHeight))
    let isTurned = turned * 10 > found.count
    guard let kind = isTurned ? .center : columns.kind(sample, unitX: unitX, unitY: unitY) else {
      throw invalid(
        "returned boxes that are neither centre and size nor edges: either way they are far from their cells")
    }
    // Other models have a box and scores for each cell, too: codes of anchors are not near it.
    if layout.isPair, layout.perCell == 1, let sample,
      columns.distance(sample, kind, unitX: unitX, unitY: unitY) > Self.farthest
    {
      throw invalid("returned boxes that are far from their cells")
    }
    return kind
  }

  /// Throws if rows with objectness have edges: such rows are of a family without objectness, whose first
  /// class would be read as objectness.
  func checkCenters(_ columns: BoxColumns, inPixels: Bool) throws(DetectionError) {
    let (unitX, unitY) = inPixels ? (1, 1) : (Float(inputWidth), Float(inputHeight))
    guard columns.kind(sample, unitX: unitX, unitY: unitY) == .edges else { return }
    let other = layout.perCell == 3 ? DetectorFamily.yolov7Joined : .yolov8
    throw DetectionError(
      .invalidOutput,
      "'\(modelName)' of the family '\(family)' returned boxes given by their edges, not by centre and size:"
        + " its rows seem to be those of \(other), without objectness",
      remedy:
        "Name the family '\(other)' (\(option: "family", other.name)), or export the model with boxes given"
        + " by centre and size if its rows have objectness")
  }

  /// Throws if the objectness of a YOLOX is full in every row: it is a YOLOv6, which expects another image.
  func checkObjectness(_ columns: BoxColumns) throws(DetectionError) {
    guard family == .yolox, columns.rows >= 64,
      sampledRows(of: columns.rows).allSatisfy({ abs(columns.number($0, 0) - 1) < 0.01 })
    else { return }
    let other = DetectorFamily.yolov6
    throw DetectionError(
      .invalidOutput,
      "'\(modelName)' of the family '\(family)' returned an objectness of 1 in every row, as a \(other) does,"
        + " whose image has another fit, order of colours and normalisation",
      remedy: "Name the family '\(other)' (\(option: "family", other.name))")
  }

  /// Returns the output with the boxes, of two with four numbers per row.
  ///
  /// Boxes in pixels are not probabilities, boxes in fractions are near their cells, and logits are not boxes
  /// of queries. Otherwise, nearly every row of boxes has a size and a position, and few rows of scores have
  /// a class.
  /// - Throws: `invalidOutput` if neither criterion decides.
  func boxes(of answer: [[Float]]) throws(DetectionError) -> Int {
    let columns = [layout.box, layout.places[.classes]].compactMap {
      $0.map { BoxColumns(answer, $0.runs[0]) }
    }
    let isQuery = layout.count == .queries
    let found = columns.filter { columns in
      isQuery ? areFractions(columns) : columns.values.contains { $0 > 1.5 || $0 < -0.5 }
    }
    if found.count == 1 { return found[0].run.output }
    if let cells = sample, found.isEmpty {
      let (unitX, unitY) = (Float(inputWidth), Float(inputHeight))
      let near = columns.filter { columns in
        [.center, .edges].contains {
          columns.distance(cells, $0, unitX: unitX, unitY: unitY) < Self.farthest
        }
      }
      if near.count == 1 { return near[0].run.output }
    }
    let sampled = Array(sampledRows(of: layout.rows))
    let sized = columns.map { columns in
      sampled.count { row in
        isQuery
          ? columns.reach(row, 0..<4) >= 0.1 : min(columns.number(row, 2), columns.number(row, 3)) >= 0.002
      }
    }
    let boxes = [0, 1].first { sized[$0] * 10 >= sampled.count * 9 && sized[1 - $0] * 2 <= sampled.count }
    guard found.isEmpty != isQuery, let boxes else {
      throw invalid("returned two outputs of four numbers per row, neither of which holds boxes")
    }
    return columns[boxes].run.output
  }

  /// Determines from a sample of the rows whether they are offsets from their cells and logarithms of sizes,
  /// rather than decoded.
  /// - Throws: `invalidOutput` if most centres are far from their cells either way.
  func isRelative(_ columns: BoxColumns) throws(DetectionError) -> Bool {
    // The distance in cells between a cell's middle and a centre learned for the cell.
    func isNear(_ offset: Float) -> Bool { abs(offset - 0.5) < 3 }
    var decoded = 0
    var raw = 0
    var sampled = 0
    for row in sampledRows(of: cells.count) {
      let (x, y) = (columns.number(row, 0), columns.number(row, 1))
      let cell = cells[row]
      sampled += 1
      if isNear(x / cell.stride - cell.x), isNear(y / cell.stride - cell.y) { decoded += 1 }
      if isNear(x), isNear(y) { raw += 1 }
    }
    guard max(decoded, raw) * 2 > sampled else {
      throw invalid("returned centres that are far from their cells, decoded or not")
    }
    return raw > decoded
  }

  /// Returns the box of a row that is relative to its cell.
  ///
  /// **Source:** YOLOX, `yolox/models/yolo_head.py`, `decode_outputs`.
  func cellBox(_ columns: BoxColumns, _ row: Int) -> BoundingBox {
    let cell = cells[row]
    return BoundingBox(
      centerX: (columns.number(row, 0) + cell.x) * cell.stride,
      centerY: (columns.number(row, 1) + cell.y) * cell.stride,
      width: exp(columns.number(row, 2)) * cell.stride, height: exp(columns.number(row, 3)) * cell.stride)
  }

  /// Returns the box of a cell in pixels of the input, from the distributions of its edges' distances.
  ///
  /// The expected distance, the sum of softmax × index, is in strides; edges are left, top, right, bottom.
  ///
  /// **Source:** Li et al., "Generalized Focal Loss", section 3; RangiLyu/nanodet (Apache-2.0),
  /// `nanodet_plus_head.py`, `get_bboxes`; blakeblackshear/frigate (MIT), `edgetpu_tfl.py`.
  func distanceBox(_ outputs: [[Float]], _ row: Int) -> BoundingBox {
    guard let place = layout.places[.distances] else { return BoundingBox(x: 0, y: 0, width: 0, height: 0) }
    var local = row
    var level = 0
    while local >= place.runs[level].count {
      local -= place.runs[level].count
      level += 1
    }
    let columns = BoxColumns(outputs, place.runs[level])
    let cell = cells[row]
    func distance(_ edge: Int) -> Double {
      Double(columns.mean(local, edge, bins: place.width / 4) * cell.stride)
    }
    let offset = family.cellOffset(layout.grid?.strides.count ?? 0)
    let (x, y) = (Double((cell.x + offset) * cell.stride), Double((cell.y + offset) * cell.stride))
    return BoundingBox(
      minX: x - distance(0), minY: y - distance(1), maxX: x + distance(2), maxY: y + distance(3))
  }
}

extension BoxColumns {
  /// Returns the largest number of some columns of a row.
  func reach(_ row: Int, _ columns: Range<Int>) -> Float {
    columns.reduce(columns.count > 2 ? 0 : number(row, columns.lowerBound)) { max($0, number(row, $1)) }
  }

  /// Returns the mean of a distribution; NaN if its numbers are NaN.
  fileprivate func mean(_ row: Int, _ edge: Int, bins: Int) -> Float {
    let columns = (edge * bins)..<((edge + 1) * bins)
    let most = columns.reduce(-Float.infinity) { max($0, number(row, $1)) }
    var (sum, weighted): (Float, Float) = (0, 0)
    for (bin, column) in columns.enumerated() {
      let part = exp(number(row, column) - most)
      sum += part
      weighted += part * Float(bin)
    }
    return weighted / sum
  }
}
