// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// Decodes the rows of every family that is described by forms.
///
/// Scores are read first, in the tensor's own order; boxes only for the rows that reach the threshold. The
/// values show how exporters differ: fractions or pixels, centre and size or edges, decoded or not, with or
/// without the sigmoid.
struct RowDecoder: DetectionDecoder {
  private(set) var layout: RowLayout
  let modelName: String
  let inputWidth: Int
  let inputHeight: Int
  /// The quantisation step of the output; 0 if it is not quantised.
  let step: Float
  let suppression: SuppressionOptions
  let sample: CellSample?
  /// The cells of the rows; empty if boxes do not depend on them.
  let cells: [YOLOGrid.Cell]
  var family: DetectorFamily { layout.family }
  var classCount: Int? { layout.classCount }
  var detail: DetectionDetail? {
    layout.prototypes != nil
      ? .masks
      : layout.places[.angle] != nil ? .orientedBoxes : layout.pointSize != nil ? .keypoints : nil
  }
  let keypointSet: KeypointSet?
  var maximumDetections: Int { min(layout.rows, family.limit) }
  var assumptions: [Advice] { notes + unitNotes }

  init(_ layout: RowLayout, of model: DetectorRecognizer) {
    self.layout = layout
    modelName = model.modelName
    (inputWidth, inputHeight) = YOLOGrid.inputSize(of: model.signature) ?? (1, 1)
    suppression = model.suppression
    step = model.signature.outputs[layout.sizes.keys.min() ?? 0].step ?? 0
    sample = layout.grid.map { CellSample($0, perCell: layout.perCell) }
    keypointSet = layout.pointSize.flatMap { size in
      KeypointSet.known(
        count: (layout.points?.width ?? 0) / size,
        className: layout.family.classNames?.first ?? model.hints.labels?.names.first)
    }
    let needsCells = layout.box == nil || layout.family.isRelativeToCells
    cells = needsCells ? layout.grid?.cells ?? [] : []
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    try check(outputs)
    if layout.isOpen, let box = layout.box, try boxes(of: outputs) != box.runs[0].output {
      var other = self
      other.layout = layout.exchanged
      return try other.decode(outputs, threshold: threshold, limit: limit)
    }
    var candidates = DetectionCandidates(keepsRows: detail != nil)
    var inPixels = true
    if let objectness = layout.places[.objectness], let box = layout.box {
      let columns = BoxColumns(outputs, box.runs[0])
      var rows = ObjectnessRows(
        self, outputs, objectness: objectness.runs[0], classes: layout.places[.classes])
      var isRaw = false
      if family.isRelativeToCells {
        isRaw = try isRelative(columns)
      } else {
        inPixels = usesPixels(columns, reach: 0..<2)
        rows = try rows.withUnit(inPixels: inPixels, sample)
      }
      if !isRaw { try checkCenters(columns, inPixels: inPixels) }
      try checkObjectness(BoxColumns(outputs, objectness.runs[0]))
      try rows.forEachHit(threshold: threshold) { hit in
        let box = isRaw ? cellBox(columns, hit.row) : columns.box(hit.row, .center)
        candidates.append(box, score: hit.score, classIndex: hit.classIndex, row: hit.row)
      }
      try rows.checkBackground()
    } else if let body = layout.places[.body] {
      inPixels = false
      try appendPeople(outputs, body, threshold: threshold, to: &candidates)
    } else if layout.places[.score] != nil, let box = layout.box {
      let columns = BoxColumns(outputs, box.runs[0])
      inPixels = usesPixels(columns, reach: layout.places[.edges] != nil ? 2..<4 : 0..<2)
      try appendBest(outputs, columns, inPixels: inPixels, threshold: threshold, to: &candidates)
    } else if layout.count == .queries {
      inPixels = false
      try appendQueries(outputs, threshold: threshold, limit: limit, to: &candidates)
    } else if layout.places[.size] != nil {
      try appendPeaks(outputs, threshold: threshold, limit: limit, to: &candidates)
    } else if let classes = layout.places[.classes] {
      inPixels = try appendClasses(outputs, classes, threshold: threshold, to: &candidates)
    }
    let usualIoU = family.iou ?? (suppression.isClassAgnostic ? 0.7 : nil)
    if layout.places[.angle] != nil {
      return try orientedDetections(
        candidates, outputs, inPixels: inPixels, threshold: threshold, usualIoU: usualIoU, limit: limit)
    }
    let kept = candidates.kept(
      threshold: threshold, usualIoU: usualIoU, options: suppression, limit: limit)
    let (scaleX, scaleY) = inPixels ? (1 / Double(inputWidth), 1 / Double(inputHeight)) : (1, 1)
    var detections = kept.map { candidates.detection($0, scaleX: scaleX, scaleY: scaleY) }
    switch detail {
    case .masks: try addMasks(to: &detections, rows: kept.map { candidates.rows[$0] }, outputs)
    case .keypoints:
      try addKeypoints(
        to: &detections, rows: kept.map { candidates.rows[$0] }, outputs, scaleX: scaleX, scaleY: scaleY)
    case .orientedBoxes, nil: break
    }
    return detections
  }

  /// Appends rows that contain their score and the number of their class.
  private func appendBest(
    _ outputs: [[Float]], _ columns: BoxColumns, inPixels: Bool, threshold: Float,
    to candidates: inout DetectionCandidates
  ) throws(DetectionError) {
    // The score and the class follow the box.
    let kind: BoxColumns.Kind = layout.places[.edges] != nil ? .edges : .center
    try checkBackground(rows: layout.rows, least: Self.leastOfBest) { columns.number($0, 4) }
    var scores = ReadScores()
    for row in 0..<layout.rows {
      let (score, value) = (columns.number(row, 4), columns.number(row, 5))
      try check(score: score, "a score")
      scores.add(score, of: row)
      guard isClass(value) else {
        // Unused rows may have the class −1; their score is 0.
        if !(value > 0), score <= 0 || !(score >= threshold) { continue }
        throw invalid("returned \(value.shown) as the class of row \(row); it must be a whole number from 0")
      }
      guard score >= threshold else { continue }
      candidates.append(
        columns.box(row, kind), score: min(score, 1), classIndex: Int(max(value, 0).rounded()), row: row)
    }
    try check(scores)
  }

  /// Appends rows with a score for each class, and returns whether their boxes are in pixels.
  private func appendClasses(
    _ outputs: [[Float]], _ classes: RowLayout.Place, threshold: Float,
    to candidates: inout DetectionCandidates
  ) throws(DetectionError) -> Bool {
    let place = layout.box
    let isJoined = place != nil && !layout.isPair
    let (best, isLogits) = try bestScores(outputs, classes, check: isJoined)
    if !isJoined { try checkBackground(best.scores, isLogits) }
    let rows = best.scores.indices.filter { row in
      let score = best.scores[row]
      return score > -.infinity && probability(score, isLogits) >= threshold
    }
    guard let place else {
      for row in rows {
        candidates.append(
          distanceBox(outputs, row), score: min(probability(best.scores[row], isLogits), 1),
          classIndex: best.classIndex(of: row))
      }
      return true
    }
    let columns = BoxColumns(outputs, place.runs[0])
    try checkPoints(outputs)
    let inPixels =
      layout.isPair && !rows.isEmpty
      ? rows.count { columns.reach($0, 0..<4) > BoxUnit.largestFraction } * 2 > rows.count
      : usesPixels(columns, reach: layout.isPair ? 0..<4 : 0..<2)
    // Only a centre and a size can be rotated.
    let kind: BoxColumns.Kind =
      layout.places[.angle] != nil
      ? .center : try kind(of: columns, found: layout.isPair ? rows : [], inPixels: inPixels)
    for row in rows {
      candidates.append(
        columns.box(row, kind), score: min(probability(best.scores[row], isLogits), 1),
        classIndex: best.classIndex(of: row), row: row)
    }
    return inPixels
  }

  func probability(_ score: Float, _ isLogit: Bool) -> Float {
    isLogit ? sigmoid(score) : score
  }

  /// Returns the best scores of the rows, and whether they are logits.
  /// - Throws: `invalidOutput` for a score that is not finite, except for a logit of minus infinity; with
  ///   `check`, also if nearly every row has a confident class.
  func bestScores(
    _ outputs: [[Float]], _ classes: RowLayout.Place, check isChecked: Bool = false
  ) throws(DetectionError) -> (BestScores, isLogits: Bool) {
    // In these families, the values show whether they are logits.
    let mayBeLogits = layout.count == .queries || layout.box == nil
    let best = BestScores(outputs, classes, areLogits: mayBeLogits)
    if isChecked { try checkBackground(best.scores) }
    if try isLogits(best.scores) { return (best, true) }
    if mayBeLogits { _ = try isLogits(BestScores(outputs, classes, areLogits: false).scores) }
    return (best, false)
  }

  /// Returns whether best scores are logits, for families whose exporters may leave out the sigmoid: most
  /// logits are far below 0, which no probability is.
  private func isLogits(_ scores: [Float]) throws(DetectionError) -> Bool {
    var highest = -Float.infinity
    var lowest = Float.infinity
    for score in scores {
      highest = score > highest ? score : highest
      lowest = score > -.infinity && score < lowest ? score : lowest
    }
    guard highest > -.infinity else { throw noNumbers() }
    if let row = scores.firstIndex(where: \.isNaN) { throw notANumber("a score of row \(row)") }
    if highest == .infinity { try check(score: highest, "a class's score") }
    if layout.count == .queries, lowest < -0.02 || highest > 1.02 { return true }
    if layout.box == nil, lowest < -0.02 { return true }
    try check(score: highest, "a class's score")
    try check(score: lowest, "a class's score")
    return false
  }

  /// Returns whether a number is a class: whole after rounding by the exporter or by quantisation.
  private func isClass(_ value: Float) -> Bool {
    value > -0.5 && value < 1_000_000 && abs(value - value.rounded()) <= max(0.011, step / 2)
  }
}
