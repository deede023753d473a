// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry

/// Decides which images of a fixed camera have motion, by comparing cells of 8 × 8 pixels with a background.
///
/// A cell is hot if it differs from the background by more than a few grey levels, and by more than it
/// usually does. Three hot cells that each have two hot neighbours are motion. The background follows the
/// image within seconds, and contains whatever has stopped. A change of the exposure shifts all cells alike,
/// and does not count.
///
/// If the longer side has more than 640 pixels, there are 80 to 160 cells in this direction, which can be
/// larger.
package struct MotionGate: Sendable {
  /// The least difference of a hot cell, in grey levels.
  private static let floor: Float = 4
  /// The least difference of a hot cell, in multiples of its usual one.
  private static let factor: Float = 5
  /// The usual difference before the first one, in grey levels.
  private static let firstSpread: Float = 1.5
  /// The number of cells that are motion.
  private static let leastCells = 3
  /// The time constant of the background, in seconds.
  private static let memory = 2.0
  /// The share of cells above which the image is another one, such as after a lamp goes on.
  private static let otherImage = 0.6

  private let isMasked: @Sendable (PixelPoint) -> Bool
  private var size = PixelSize(width: 0, height: 0)
  private var width = 0
  private var height = 0
  /// The number of cells that are not masked.
  private var countedCells = 0
  private var masked: [Bool] = []
  private var level: [Float] = []
  private var background: [Float] = []
  /// The usual difference of each cell from the background.
  private var spread: [Float] = []
  private var difference: [Float] = []
  private var sorted: [Float] = []
  private var isHot: [Bool] = []

  /// Creates a gate.
  /// - Parameter isMasked: Returns whether motion at a point does not count, in pixels of the stored image;
  ///   called once for the middle of each cell.
  package init(isMasked: @escaping @Sendable (PixelPoint) -> Bool = { _ in false }) {
    self.isMasked = isMasked
  }

  /// Compares the next image with the background.
  /// - Parameters:
  ///   - image: The image.
  ///   - elapsed: The seconds since the previous image; NaN and numbers below 0 are 0.
  /// - Returns: True if there is motion, or if nothing is known: for the first image, one of another size,
  ///   and an empty one.
  /// - Complexity: O(cells).
  package mutating func update(_ image: GreyPyramid, elapsed: Double) -> Bool {
    guard !image.isEmpty else { return true }
    guard image.size == size else {
      start(image)
      return true
    }
    image.copyCells(Self.levelIndex(of: image), into: &level)
    compare(leastDifference: Self.floor * image.contrast)
    let count = clusteredCount
    guard Double(count) <= Self.otherImage * Double(countedCells) else {
      background = level
      return true
    }
    learn(after: elapsed > 0 ? elapsed : 0)
    return count >= Self.leastCells
  }

  /// Returns the index of the level whose pixels are the cells.
  static func levelIndex(of image: GreyPyramid) -> Int {
    let last = image.levels.count - 1
    guard image.scale > 1 else { return last }
    return image.levels.lastIndex { max($0.width, $0.height) >= 80 } ?? last
  }

  private mutating func start(_ image: GreyPyramid) {
    let index = Self.levelIndex(of: image)
    let cells = image.levels[index]
    (size, width, height) = (image.size, cells.width, cells.height)
    let step = Double(image.scale << index)
    masked = (0..<width * height).map { cell in
      isMasked(
        PixelPoint(x: Double(cell % width) * step + 0.5, y: Double(cell / width) * step + 0.5))
    }
    countedCells = masked.count { !$0 }
    level = [Float](repeating: 0, count: masked.count)
    image.copyCells(index, into: &level)
    background = level
    spread = [Float](repeating: Self.firstSpread, count: masked.count)
    difference = level
    isHot = masked
    sorted = []
    sorted.reserveCapacity(masked.count)
  }

  /// Computes how much each cell differs, apart from a shift of all of them, and which are hot.
  private mutating func compare(leastDifference: Float) {
    sorted.removeAll(keepingCapacity: true)
    for cell in level.indices {
      difference[cell] = level[cell] - background[cell]
      if !masked[cell] { sorted.append(difference[cell]) }
    }
    let shift = sorted.isEmpty ? 0 : Median.selecting(&sorted)
    for cell in level.indices {
      difference[cell] = abs(difference[cell] - shift)
      isHot[cell] = !masked[cell] && difference[cell] > max(leastDifference, Self.factor * spread[cell])
    }
  }

  /// The number of hot cells with at least two hot ones among their eight neighbours.
  private var clusteredCount: Int {
    var count = 0
    for cell in isHot.indices where isHot[cell] {
      let (column, row) = (cell % width, cell / width)
      var near = -1
      for y in max(row - 1, 0)...min(row + 1, height - 1) {
        for x in max(column - 1, 0)...min(column + 1, width - 1) where isHot[y * width + x] { near += 1 }
      }
      if near >= 2 { count += 1 }
    }
    return count
  }

  /// Moves the background towards the image, and the usual differences towards those of cells that are not
  /// hot.
  private mutating func learn(after elapsed: Double) {
    let share = 1 - exp(-elapsed / Self.memory)
    let (quick, slow) = (Float(share), Float(min(share, 0.1)))
    for cell in level.indices {
      background[cell] += quick * (level[cell] - background[cell])
      if !isHot[cell] { spread[cell] += slow * (difference[cell] - spread[cell]) }
    }
  }
}

extension GreyPyramid {
  /// Copies the pixels of a level, without its margin.
  /// - Parameters:
  ///   - index: The level.
  ///   - cells: Receives the pixels, row by row; as many as the level has.
  fileprivate func copyCells(_ index: Int, into cells: inout [Float]) {
    let level = levels[index]
    _ = unsafe withPixels { pixels in
      for y in 0..<level.height {
        let row = unsafe pixels + level.origin + y * level.stride
        for x in 0..<level.width { unsafe cells[y * level.width + x] = Float(row[x]) }
      }
    }
  }
}
