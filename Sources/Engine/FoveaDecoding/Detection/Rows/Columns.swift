// SPDX-License-Identifier: Apache-2.0

/// A group of columns in the rows of a detector.
enum Column: Character, Sendable {
  /// A box: its centre and size.
  case center = "x"
  /// A box: its left, top, right and bottom edge.
  case edges = "e"
  /// A box of either kind, which the values show.
  case box = "b"
  /// A box: its top, left, bottom and right edge, as in TensorFlow.
  case tensorFlowEdges = "t"
  /// The distributions of the distances of a box's edges from its cell.
  case distances = "d"
  /// The width and height of a box in cells, and the position of its centre in its cell.
  case size = "z"
  case offset = "f"
  case objectness = "o"
  /// A score for each class.
  case classes = "C"
  /// The score of no class, after those of the classes.
  case nothing = "n"
  /// The best score and the number of its class.
  case score = "s"
  case classIndex = "c"
  /// The last group of models that find more than boxes.
  case masks = "M"
  case points = "P"
  case angle = "a"
  /// The 17 points of a person, each as y, x and its score.
  case body = "B"
  /// The five points of a face, each as x and y.
  case face = "F"

  /// The exporter's task of models whose rows end with the group; nil for groups of all detectors.
  var task: String? {
    switch self {
    case .masks: "segment"
    case .points: "pose"
    case .angle: "obb"
    default: nil
    }
  }

  /// The number of columns; nil if it differs between models.
  var width: Int? {
    switch self {
    case .center, .edges, .box, .tensorFlowEdges: 4
    case .size, .offset: 2
    case .objectness, .nothing, .score, .classIndex, .angle: 1
    case .body: 17 * 3
    case .face: 5 * 2
    case .distances, .classes, .masks, .points: nil
    }
  }
}

/// The columns of a row, one letter per group: "x o C" is centre and size, objectness, and the classes.
struct Columns: ExpressibleByStringLiteral, Sendable, Hashable {
  let groups: [Column]

  init(stringLiteral text: String) { groups = text.compactMap(Column.init) }

  /// Returns the width of each group in a row of `total` numbers; nil if the row does not fit, or if more
  /// than one width remains unknown.
  func widths(of total: Int, known: [Column: Int]) -> [Column: Int]? {
    var widths: [Column: Int] = [:]
    var unknown: Column?
    var rest = total
    for group in groups {
      if let width = group.width ?? known[group] {
        widths[group] = width
        rest -= width
      } else {
        guard unknown == nil else { return nil }
        unknown = group
      }
    }
    guard let unknown else { return rest == 0 ? widths : nil }
    widths[unknown] = rest
    return rest > 0 ? widths : nil
  }
}

/// The number of rows in a tensor.
enum RowCount: Sendable, Hashable {
  /// So many for each cell of a grid.
  case cells(Int)
  /// One for each of the best objects, at most 1,000.
  case best
  /// One for each query; models in use have 100, 150, 200, 300, 500 or 900.
  case queries
  /// One for each of so many people.
  case people(Int)

  /// The numbers of queries that show the family.
  static let knownQueries: Set = [100, 150, 200, 300, 500, 900]
}

/// A tensor of rows, or one for each level of the grid.
struct RowTensor: ExpressibleByStringLiteral, Sendable, Hashable {
  var columns: Columns
  var isPerLevel = false

  init(stringLiteral text: String) { columns = Columns(stringLiteral: text) }

  init(_ columns: Columns, isPerLevel: Bool = false) {
    (self.columns, self.isPerLevel) = (columns, isPerLevel)
  }
}

/// A layout of the outputs of a family.
struct RowForm: Sendable {
  /// The evidence that a model needs besides its shapes to have this form.
  enum Evidence: Sendable {
    case shapes
    /// No family whose rows are others has a layout with these shapes.
    case noOther
    /// No family reads the 80 classes of COCO; long distributions also need them.
    case noOtherCOCO
    /// As many labels as classes; other models have the same shapes.
    case classCount
    /// The caller's name of the family.
    case name
  }

  var tensors: [RowTensor]
  var rows: RowCount
  var evidence = Evidence.shapes
  /// The sets of strides that the grid can have.
  var strides = YOLOGrid.knownStrides
  /// The orders of the dimensions, the usual first: whether rows lie along the last dimension.
  var isTransposed = [false]
  /// The numbers of distances in a distribution.
  var bins: [Int] = []
  /// A number of classes that shows another family's published models.
  var foreignClassCount: Int?
  /// A flag for any number of rows if the caller names the family.
  var allowsAnyRows = false
  /// A flag for boxes if the caller names the family, even if the declared task is points or angles.
  var isForAnyTask = false
  /// The family of the decoder, if it is another one than that which lists the form.
  var decodedAs: String?

  /// The words in the names of maps, in the projects that the family's source names.
  static let mapNames: KeyValuePairs<Column, Set<Substring>> = [
    .classes: ["hm", "heat", "heatmap", "heatmaps"], .size: ["wh", "size"],
    .offset: ["reg", "off", "offset"],
  ]

  /// The group after the classes.
  var extra: Column? {
    tensors[0].columns.groups.last.flatMap { $0.task == nil ? nil : $0 }
  }
  /// Whether the tensors hold a group.
  func has(_ column: Column) -> Bool { tensors.contains { $0.columns.groups.contains(column) } }
}
