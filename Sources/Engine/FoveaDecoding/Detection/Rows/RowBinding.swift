// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

/// The outputs of a model, compared with the forms of the families.
///
/// Shapes, prototypes, labels and the exporter's description are the evidence; if the caller names the
/// family, the name replaces missing evidence.
struct RowBinding {
  private let model: DetectorRecognizer
  /// The outputs without the prototypes of masks.
  private let views: [[RowView]]
  private let size: (width: Int, height: Int)
  /// The prototypes of masks, whose number is that of the coefficients at the end of a row.
  private let prototypes: RowLayout.Prototypes?
  private let labelCount: Int?
  private let hasAnchors: Bool
  private var task: String? { model.hints.task }
  /// Whether the caller names the family.
  private let isAsked: Bool

  /// Returns nil if the input is not an image, or if there are more outputs than any form has.
  init?(_ model: DetectorRecognizer, isAsked: Bool = false) {
    let outputs = model.signature.outputs
    guard let size = YOLOGrid.inputSize(of: model.signature), (1...8).contains(outputs.count) else {
      return nil
    }
    self.model = model
    self.size = size
    self.isAsked = isAsked
    labelCount = model.labelledCounts.first.flatMap { $0 > 0 ? $0 : nil }
    // Anchors in the metadata make it an SSD.
    hasAnchors =
      model.metadata?.subgraphs.first?.customMetadata.contains { $0.name == AnchorMetadata.name } ?? false
    let ranks = outputs.map(\.shape.count)
    let map = ranks.sorted() == [3, 4] ? ranks.firstIndex(of: 4) : nil
    let prototypes = map.flatMap {
      Self.prototypes(outputs[$0].shape, at: $0, size, isDescribed: model.hints.task == "segment")
    }
    self.prototypes = prototypes
    views = outputs.indices.filter { $0 != prototypes?.output }.map { RowView.all(of: outputs[$0], at: $0) }
    guard !views.contains(where: \.isEmpty) else { return nil }
  }

  /// Returns the prototypes of an output: maps of a quarter of the input's side, or of its proportions if the
  /// exporter declares masks; nil for other shapes.
  private static func prototypes(
    _ shape: [Int], at output: Int, _ input: (width: Int, height: Int), isDescribed: Bool
  ) -> RowLayout.Prototypes? {
    guard shape[0] == 1, shape.allSatisfy({ (1...1 << 15).contains($0) }) else { return nil }
    func isMap(_ height: Int, _ width: Int) -> Bool {
      height == input.height / 4 && width == input.width / 4
        || isDescribed && height > 1 && height * input.width == width * input.height
    }
    if isMap(shape[1], shape[2]) {
      return .init(
        output: output, size: PixelSize(width: shape[2], height: shape[1]), count: shape[3],
        layout: .channelsLast)
    }
    guard isMap(shape[2], shape[3]) else { return nil }
    return .init(
      output: output, size: PixelSize(width: shape[3], height: shape[2]), count: shape[1],
      layout: .channelsFirst)
  }

  /// Returns the grid of a form with this number of rows; nil if there is none.
  private func grid(of rows: Int, _ form: RowForm) -> YOLOGrid? {
    guard case .cells(let perCell) = form.rows else { return nil }
    return form.strides.lazy.map { YOLOGrid(width: size.width, height: size.height, strides: $0) }
      .first { $0.count * perCell == rows }
  }

  /// Returns whether some grid has this number of cells.
  private func isGrid(_ rows: Int) -> Bool {
    YOLOGrid.knownStrides.contains {
      YOLOGrid(width: size.width, height: size.height, strides: $0).count == rows
    }
  }

  /// Returns the layouts of a family that the outputs can have, besides those of the families before it.
  func layouts(of family: DetectorFamily, besides others: [RowLayout] = []) -> [RowLayout] {
    for form in family.forms {
      let found = layouts(form, of: family, besides: others)
      if !found.isEmpty { return found }
    }
    return []
  }

  private func layouts(_ form: RowForm, of family: DetectorFamily, besides others: [RowLayout])
    -> [RowLayout]
  {
    guard prototypes == nil || form.extra == .masks, isAsked || !(hasAnchors && form.tensors.count == 2)
    else {
      return []
    }
    if !isAsked {
      switch form.evidence {
      case .name: return []
      case .noOther where others.contains { $0.count != form.rows },
        .noOtherCOCO where others.contains { $0.classCount == 80 }:
        return []
      default: break
      }
    }
    let found = known(form, besides: others).lazy.map { known in
      let found = assignments(form, known).compactMap { layout(form, of: family, $0, known) }
      return found.count > 1 ? [form.has(.size) ? settledMaps(found) : settled(found)] : found
    }
    // A row has one way to be divided into classes and points.
    return form.extra == .points ? found.first { !$0.isEmpty } ?? [] : found.flatMap(\.self)
  }

  /// Returns one of several layouts, which differ in what the outputs hold.
  ///
  /// Names in the metadata decide, then the range of quantised numbers: scores are 0…1, boxes in pixels are
  /// not; the boxes of queries are, their logits are not. Tensor names are not evidence: converters number
  /// them.
  private func settled(_ layouts: [RowLayout]) -> RowLayout {
    let outputs = model.signature.outputs
    let names = model.metadata?.outputs.map { $0.name?.lowercased() ?? "" }
    let scores = outputs.indices.filter { outputs[$0].holdsProbabilities }
    let score: Int? =
      if outputs.count == 2, names?.sorted() == ["location", "score"] {
        names?.firstIndex(of: "score")
      } else if scores.count == 1, outputs.allSatisfy({ $0.step != nil }) {
        layouts[0].count == .queries ? 1 - scores[0] : scores[0]
      } else {
        nil
      }
    let known = layouts.first { $0.places[.classes]?.runs[0].output == score }
    var layout = known ?? layouts[0]
    layout.isOpen = known == nil
    return layout
  }

  /// Returns one of several layouts of maps with equal shapes, the first that agrees with the names of the
  /// outputs, and for scores with the end of the graph; `openMaps` are those that nothing shows.
  private func settledMaps(_ layouts: [RowLayout]) -> RowLayout {
    func output(_ layout: RowLayout, _ column: Column) -> Int { layout.places[column]?.runs[0].output ?? 0 }
    let named = model.metadata?.outputs.map { $0.name ?? "" } ?? []
    let words = model.signature.outputs.enumerated().map { index, output in
      let name = named.indices.contains(index) ? named[index] : ""
      let names = [name, output.signatureName, output.name].joined(separator: " ").lowercased()
      return Set(names.split { !$0.isLetter })
    }
    var fitting = layouts
    func keep(_ column: Column, _ shows: (Int) -> Bool) {
      let shown = fitting.filter { shows(output($0, column)) }
      if !shown.isEmpty { fitting = shown }
    }
    for (column, known) in RowForm.mapNames { keep(column) { !words[$0].isDisjoint(with: known) } }
    keep(.classes) { output in
      let tensor = model.signature.outputs[output]
      return tensor.holdsProbabilities || model.hints.activations?[tensor.name] == .sigmoid
    }
    var layout = fitting[0]
    for column in layout.places.keys
    where fitting.contains(where: { output($0, column) != output(layout, column) }) {
      layout.openMaps.insert(column)
    }
    return layout
  }

  /// Returns the possible sets of known widths, the likelier first; none if the form needs evidence that is
  /// missing.
  private func known(_ form: RowForm, besides others: [RowLayout]) -> [[Column: Int]] {
    let isBest = form.rows == .best
    switch form.extra {
    case .masks:
      if let prototypes { return [[.masks: prototypes.count]] }
      return task != "segment" ? [] : isBest ? [[:]] : labelCount.map { [[.classes: $0]] } ?? []
    case .points where isBest:
      return task == "pose" || task == nil && isAsked ? [[:]] : task == nil ? [[.points: 17 * 3]] : []
    case .angle where isBest: return task == "obb" || task == nil && isAsked ? [[:]] : []
    case .points:
      // COCO's people, or fewer labels than numbers. Anything else needs the description, as the shape is
      // also that of many classes.
      if isAsked || task == "pose" || labelsShowPoints(others) {
        // If the labels do not fit, the described points show how many classes there are.
        let described = describedPoints.map { [Column.points: $0.count * $0.size] }
        return [[.classes: labelCount ?? 1]] + [described].compactMap(\.self)
      }
      return task == nil && others.contains { $0.classCount == 52 } ? [[.classes: 1]] : []
    case .angle: return isAsked || task == "obb" ? [[:]] : []
    default:
      // The declared task leaves rows with points or an angle to another family; rows of the best tell.
      guard isBest || task != "pose" && task != "obb" || isAsked && form.isForAnyTask else { return [] }
      return form.has(.distances) ? form.bins.map { [.distances: 4 * $0] } : [[:]]
    }
  }

  /// Returns the outputs for each tensor of a form, one for each level if they are per level.
  private func assignments(_ form: RowForm, _ known: [Column: Int]) -> [[[RowView]]] {
    let isPerLevel = form.tensors[0].isPerLevel
    let levels = isPerLevel ? form.strides.map { Optional($0) } : [nil]
    return levels.flatMap { strides -> [[[RowView]]] in
      let count = strides?.count ?? 1
      guard views.count == form.tensors.count * count else { return [] }
      let sides = strides?.map { YOLOGrid(width: size.width, height: size.height, strides: [$0]).sides }
      var found: [[[RowView]]] = []
      var chosen: [RowView] = []
      func fill(_ known: [Column: Int]) {
        let slot = chosen.count
        guard slot < views.count else {
          found.append(form.tensors.indices.map { Array(chosen[($0 * count)..<(($0 + 1) * count)]) })
          return
        }
        let columns = form.tensors[slot / count].columns
        for output in views where !chosen.contains(where: { $0.output == output[0].output }) {
          let fitting = ordered(output, form).lazy.compactMap { view -> (RowView, [Column: Int])? in
            guard fits(view, form, sides?[slot % count], first: chosen.first),
              let widths = columns.widths(of: view.columns, known: known)
            else { return nil }
            return (view, widths)
          }
          guard let (view, widths) = fitting.first else { continue }
          chosen.append(view)
          fill(known.merging(widths) { first, _ in first })
          chosen.removeLast()
        }
      }
      fill(known)
      return found
    }
  }

  /// The ways to read an output that a form allows, the usual first.
  private func ordered(_ output: [RowView], _ form: RowForm) -> [RowView] {
    let isPlanar = model.signature.inputs.first.flatMap { ImageShape($0.shape) }?.isPlanar == true
    if form.tensors[0].isPerLevel, isPlanar { return output.reversed() }
    return form.isTransposed.flatMap { order in output.filter { $0.isTransposed == order } }
  }

  private func fits(_ view: RowView, _ form: RowForm, _ level: [Int]?, first: RowView?) -> Bool {
    guard !view.isNested || form.has(.body) else { return false }
    if let level {
      return view.map.map { $0 == level } ?? (view.rows == level[0] * level[1] && !view.isTransposed)
    }
    guard view.map == nil else { return false }
    if let first { return view.rows == first.rows }
    switch form.rows {
    case .cells:
      guard grid(of: view.rows, form) == nil else { return true }
      guard isAsked, form.allowsAnyRows else { return false }
      // More rows than numbers in a row, or any number, but not the numbers of the cells along the columns.
      return form.isTransposed.count == 1
        ? !(view.rows < view.columns && isGrid(view.columns))
        : view.rows > (view.isTransposed ? view.columns : view.columns - 1)
    // A long dimension is the number of rows.
    // Nor are there fewer of the best than numbers of each, if there is one for each cell.
    case .best:
      return (isAsked || view.rows <= 1000) && view.columns <= 1006
        && !(view.rows < view.columns && isGrid(view.columns))
    case .queries:
      return isAsked && view.rows <= 1000 || RowCount.knownQueries.contains(view.rows) && !isGrid(view.rows)
    case .people(let count): return view.rows == count
    }
  }

  /// Builds the layout of an assignment; nil if the widths contradict the evidence.
  private func layout(
    _ form: RowForm, of family: DetectorFamily, _ parts: [[RowView]], _ known: [Column: Int]
  ) -> RowLayout? {
    var places: [Column: RowLayout.Place] = [:]
    var sizes: [Int: (rows: Int, columns: Int)] = [:]
    for (tensor, views) in zip(form.tensors, parts) {
      guard let widths = tensor.columns.widths(of: views[0].columns, known: known) else { return nil }
      var first = 0
      for group in tensor.columns.groups {
        let width = widths[group] ?? 0
        places[group] = RowLayout.Place(width: width, runs: views.map { $0.run(from: first) })
        first += width
      }
      for view in views { sizes[view.output] = (view.rows, view.columns) }
    }
    let rows = parts[0].reduce(0) { $0 + $1.rows }
    let grid = grid(of: rows, form)
    var layout = RowLayout(
      family: form.decodedAs.flatMap(DetectorFamily.init) ?? family, rows: rows, places: places, sizes: sizes,
      grid: grid, count: form.rows)
    guard isAsked || isShown(form, layout) else { return nil }
    layout.needsLabels = !isAsked && form.evidence == .classCount && labelCount == nil
    guard family.classNames == nil || layout.classCount == family.classNames?.count else { return nil }
    if form.has(.body) { layout.pointSize = 3 }
    if form.has(.face) { layout.pointSize = 2 }
    guard let extra = form.extra, let width = places[extra]?.width else { return layout }
    guard let values = YOLOExtra(task: extra.task, count: width) else { return nil }
    layout.extra = values
    layout.prototypes = prototypes
    if form.rows == .best {
      guard prototypes != nil || form.decodedAs == nil && task == extra.task || isEndToEnd(form, parts[0][0])
      else {
        return nil
      }
    } else if extra != .masks {
      layout.isDescribed = task == extra.task
      let columns = parts[0][0].columns
      // Only COCO's people are known by their width; most other point models have one class.
      if extra == .points, labelCount == nil {
        guard isAsked || columns == 56 else { return nil }
        layout.isClassAssumed = columns != 56
      }
    }
    if extra == .points {
      layout.pointSize = pointSize(of: width)
      layout.contradictedShape = layout.pointSize == nil ? model.hints.keypointShape : nil
    }
    return layout
  }

  /// Returns how many of `width` numbers each point has; nil if nothing shows it.
  ///
  /// The exporter's description decides, then the numbers of points that models in use have, then, if these
  /// certainly are points, divisibility.
  private func pointSize(of width: Int) -> Int? {
    if model.hints.keypointShape != nil {
      return describedPoints.flatMap { $0.count * $0.size == width ? $0.size : nil }
    }
    let possible = [3, 2].filter { width.isMultiple(of: $0) }
    if let known = possible.first(where: { Self.knownPointCounts.contains(width / $0) }) { return known }
    return possible.count == 1 && (isAsked || task == "pose") ? possible[0] : nil
  }

  /// The number of points in the exporter's description, and how many numbers each has; nil if there is none.
  private var describedPoints: (count: Int, size: Int)? {
    guard let shape = model.hints.keypointShape, shape.count == 2, (1...10_000).contains(shape[0]),
      (2...3).contains(shape[1])
    else { return nil }
    return (shape[0], shape[1])
  }

  /// The numbers of points of faces, bodies, hands and MediaPipe's bodies.
  private static let knownPointCounts: Set = [5, 17, 21, 33]

  /// Returns whether labels, or the classes of COCO, show what the widths leave open.
  private func isShown(_ form: RowForm, _ layout: RowLayout) -> Bool {
    guard let classCount = layout.classCount else { return true }
    if form.evidence == .classCount, labelCount != nil { return model.labelledCounts.contains(classCount) }
    // Few models use the longer distributions.
    let isLong =
      form.tensors.count == 1 && (layout.places[.distances]?.width ?? 0) > 4 * (form.bins.first ?? 0)
    return isLong ? classCount == 80 : classCount != form.foreignClassCount
  }

  /// Returns whether rows of the best have points or an angle after the class, although no task is declared.
  ///
  /// With an angle, any number of rows that no grid has: with one row per cell of two classes, the class's
  /// number would be read as a score. COCO's people, 300 rows with 17 points of three, have a unique shape.
  private func isEndToEnd(_ form: RowForm, _ view: RowView) -> Bool {
    guard view.rows > view.columns, !isGrid(view.rows) else { return false }
    if form.extra == .points { return view.rows <= 1000 && (isAsked || view.rows == 300) }
    return isAsked && (view.rows == 300 || form.decodedAs != nil)
  }

  /// The smallest number of values for points that labels reveal: five points of a face.
  private static let leastPoints = 10

  /// The largest number of labels that is not taken for an incomplete label file: people, hands and animals.
  private static let fewLabels = 3

  /// Returns whether rows that can only be YOLOv8 have many more numbers than labels, as with points.
  ///
  /// COCO's 80 classes are never reinterpreted: a label file of another model next to them is an error. So is
  /// an incomplete label file, as models find points on a few kinds of objects, or many points on each.
  private func labelsShowPoints(_ readings: [RowLayout]) -> Bool {
    guard task == nil, readings.count == 1, readings[0].family == .yolov8, readings[0].extra == nil,
      let classCount = readings[0].classCount, classCount != 80, let labelCount,
      labelCount > 0, classCount - labelCount >= Self.leastPoints,
      labelCount <= Self.fewLabels || classCount - labelCount >= Self.leastPoints * labelCount
    else { return false }
    return YOLOExtra(task: "pose", count: classCount - labelCount) != nil
  }
}
