// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime

/// One way to read the outputs of a model as rows: a family, and the place of each group of columns.
struct RowLayout: Sendable {
  /// The place of a group of columns.
  struct Place: Sendable, Hashable {
    /// The number of columns.
    var width: Int
    /// The runs of rows: one, or one per level of the grid.
    var runs: [Run]
  }

  /// Rows that follow one another in an output.
  struct Run: Sendable, Hashable {
    var output: Int
    /// The number of rows.
    var count: Int
    /// The position of the first number of the group in the first row.
    var start: Int
    /// The distance from one row to the next.
    var step: Int
    /// The distance from one number of a row to the next.
    var jump: Int
  }

  /// The output with the prototypes of masks.
  struct Prototypes: Sendable, Hashable {
    var output: Int
    /// The number of columns and rows of cells.
    var size: PixelSize
    /// The number of prototypes: the number of coefficients that a row has.
    var count: Int
    var layout: MaskPrototypes.Layout
  }

  var family: DetectorFamily
  /// The number of rows.
  var rows: Int
  var places: [Column: Place]
  /// The number of rows and columns of each output that is read.
  var sizes: [Int: (rows: Int, columns: Int)]
  /// The cells of the rows; nil if no grid has this number of rows.
  var grid: YOLOGrid?
  /// The meaning of the number of rows.
  var count: RowCount
  /// The values after the class scores.
  var extra: YOLOExtra?
  /// The numbers of a point, 2 or 3; nil if there are no points, or if nothing shows how many each has.
  var pointSize: Int?
  /// The numbers of points, and of values of each, in the exporter's description, if rows have another number
  /// of values.
  var contradictedShape: [Int]?
  /// The prototypes of masks; nil if no output has them.
  var prototypes: Prototypes?
  /// Whether the exporter declares what follows the classes; otherwise the values must confirm it.
  var isDescribed = true
  /// Whether one class is assumed because nothing shows how many there are.
  var isClassAssumed = false
  /// A flag for outputs that only labels, which are missing, distinguish from another model's.
  var needsLabels = false
  /// Whether two outputs have the same shape, so that only the values show which of them holds the boxes.
  var isOpen = false

  /// The groups of which names do not show the output, for maps of equal shapes.
  var openMaps: Set<Column> = []
  /// A flag for a family that the caller names: the order of its maps counts if nothing else shows them.
  var isAsked = false

  /// The number of classes; nil if rows contain the index of their class.
  var classCount: Int? { places[.classes]?.width ?? family.classNames?.count }
  /// The number of rows for each cell; 0 if rows are not for cells.
  var perCell: Int { if case .cells(let count) = count { count } else { 0 } }
  /// The box of a row, of any kind; nil for distributions, and for sizes and offsets.
  var box: Place? { places[.box] ?? places[.center] ?? places[.edges] }
  /// The points of a row; nil for families without points.
  var points: Place? { places[.points] ?? places[.body] ?? places[.face] }
  /// Whether boxes and scores are separate outputs.
  var isPair: Bool { box != nil && sizes.count == 2 }

  /// Returns all possible layouts of the outputs.
  static func all(for model: DetectorRecognizer) -> [RowLayout] {
    RowBinding(model).map { binding in
      DetectorFamily.all.reduce(into: []) { $0 += binding.layouts(of: $1, besides: $0) }
    } ?? []
  }

  /// The layout in words: "yolox with 80 classes".
  var summary: String {
    guard let classCount else { return family.name }
    return "\(family) with \(classCount) \(classCount == 1 ? "class" : "classes")"
  }

  /// The layout in words, with the family that has the same outputs: "detr or rt-detr with 6 classes".
  var summaryWithTwin: String {
    let twin = family.twin(classCount).map { " or \($0)" } ?? ""
    return "\(family)\(twin)" + summary.dropFirst(family.name.count)
  }

  /// The next step if nothing shows which map is which.
  var mapRemedy: Advice {
    """
    Give the outputs the names 'heatmap', 'size' and 'offset' in the model's metadata, or name the family \
    (\(option: "family", family.name)) if they are in this order
    """
  }

  /// The same layout with boxes and scores, of equal shapes, in each other's output.
  var exchanged: RowLayout {
    var layout = self
    let outputs = sizes.keys.sorted()
    layout.places = places.mapValues { place in
      var place = place
      for index in place.runs.indices {
        place.runs[index].output = outputs.first { $0 != place.runs[index].output } ?? 0
      }
      return place
    }
    layout.isOpen = false
    return layout
  }
}
