// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The cells of a YOLO model's feature maps; each cell has one row, or one per anchor.
struct YOLOGrid: Sendable, Hashable {
  /// A cell's column and row, and its side in pixels of the input.
  struct Cell: Sendable, Hashable {
    var x: Float
    var y: Float
    var stride: Float
  }

  let width: Int
  let height: Int
  /// The sides of the cells in pixels, the finest map first, in the order of the rows.
  let strides: [Int]

  /// The known sets of strides: the usual three maps, with a fourth for large or for small objects, and two.
  static let knownStrides = [[8, 16, 32], [8, 16, 32, 64], [4, 8, 16, 32], [16, 32]]

  /// The number of cells in all maps.
  var count: Int {
    strides.reduce(0) { $0 + columns($1) * rows($1) }
  }

  /// All cells in the order of the rows: map by map, row-major.
  var cells: [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(count)
    for stride in strides {
      for y in 0..<rows(stride) {
        for x in 0..<columns(stride) { cells.append(Cell(x: Float(x), y: Float(y), stride: Float(stride))) }
      }
    }
    return cells
  }

  /// The number of rows and columns of the finest map.
  var sides: [Int] { [rows(strides[0]), columns(strides[0])] }

  private func columns(_ stride: Int) -> Int { (width + stride - 1) / stride }
  private func rows(_ stride: Int) -> Int { (height + stride - 1) / stride }

  /// Returns the size of the input; see `ImageShape`.
  static func inputSize(of signature: ModelSignature) -> (width: Int, height: Int)? {
    guard let shape = signature.inputs.first?.shape, shape.allSatisfy({ (1...1 << 15).contains($0) }),
      let image = ImageShape([1] + shape.dropFirst())
    else { return nil }
    return (image.width, image.height)
  }
}
