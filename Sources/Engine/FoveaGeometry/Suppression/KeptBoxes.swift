// SPDX-License-Identifier: Apache-2.0

/// The boxes that suppression has kept so far, indexed so that a new box is compared with only few of them.
///
/// Boxes whose IoU is above t have widths (and heights, and longer sides) with a ratio above t, because the
/// shared part is at most as large as the smaller box. So kept boxes are grouped into levels by their longer
/// side, a power of two each, and only levels of similar size are searched. Within a level, a grid of squares
/// as large as the level's largest box holds the boxes by their centre, and only squares whose boxes can
/// reach the new one are searched. The grid is a hash table of chains: squares that share an entry cost
/// comparisons, but do not change results.
struct KeptBoxes {
  /// The kept boxes that a new one competes with.
  enum Rivals { case sameClass, otherClasses }

  /// A box with precomputed values for comparisons, and its links in the chains.
  private struct Entry {
    var box: BoundingBox
    var area: Double
    var classIndex: Int
    /// The next entry of the same hash table entry, and of the same level; −1 ends a chain.
    var nextInPlace: Int32
    var nextInLevel: Int32
  }

  /// The boxes whose longer side is at least `side` / 2 and below `side`.
  private struct Level {
    var exponent: Int
    var side: Double
    var first: Int32
    var count: Int
  }

  private(set) var indices: [Int] = []
  private let threshold: Double
  private let rivals: Rivals
  private var entries: [Entry] = []
  private var levels: [Level] = []
  private var places: [Int32] = []

  // Below this number of kept boxes, comparing with all of them is faster than a lookup.
  private static let indexedFrom = 48
  // Squares further out lose their fraction; boxes there are compared with their whole level.
  private static let farthestSquare = 1e6

  /// - Parameters:
  ///   - threshold: The largest IoU of two kept boxes.
  ///   - rivals: The kept boxes that a new one competes with.
  ///   - capacity: The maximum number of boxes to keep.
  init(threshold: Double, rivals: Rivals = .sameClass, capacity: Int) {
    self.threshold = threshold
    self.rivals = rivals
    let reserved = min(capacity, 1 << 16)
    indices.reserveCapacity(min(reserved, 1024))
    entries.reserveCapacity(min(reserved, 1024))
  }

  var count: Int { indices.count }

  /// Returns whether a box competes with a kept one.
  func suppresses(_ box: BoundingBox, classIndex: Int) -> Bool {
    let area = box.area
    // With a threshold below 0 even distant boxes compete, so a search by position would miss some.
    let isIndexed = !places.isEmpty && threshold >= 0
    return isIndexed ? searchIndex(box, area, classIndex) : searchAll(box, area, classIndex)
  }

  /// Keeps a box, whether or not it competes with a kept one.
  mutating func keep(_ box: BoundingBox, index: Int, classIndex: Int) {
    entries.append(Entry(box: box, area: box.area, classIndex: classIndex, nextInPlace: -1, nextInLevel: -1))
    indices.append(index)
    if !places.isEmpty {
      if entries.count * 2 > places.count { rebuild() } else { enter(entries.count - 1) }
    } else if entries.count == Self.indexedFrom {
      rebuild()
    }
  }

  // MARK: Comparing

  /// Returns whether `box.iou(with: other) > threshold`, without a division if the answer is clear.
  private func competes(_ entry: Entry, _ box: BoundingBox, _ area: Double, _ classIndex: Int) -> Bool {
    guard (entry.classIndex == classIndex) == (rivals == .sameClass) else { return false }
    let width = min(entry.box.maxX, box.maxX) - max(entry.box.minX, box.minX)
    let height = min(entry.box.maxY, box.maxY) - max(entry.box.minY, box.minY)
    guard width > 0, height > 0 else { return threshold < 0 }
    let shared = width * height
    guard shared > 0 else { return threshold < 0 }
    return shared / (area + entry.area - shared) > threshold
  }

  private func searchAll(_ box: BoundingBox, _ area: Double, _ classIndex: Int) -> Bool {
    for index in entries.indices where competes(entries[index], box, area, classIndex) { return true }
    return false
  }

  private func searchIndex(_ box: BoundingBox, _ area: Double, _ classIndex: Int) -> Bool {
    let side = max(box.width, box.height)
    for index in levels.indices {
      let level = levels[index]
      // Ratios slightly beyond the threshold are searched too, because quotients are rounded.
      guard level.side > threshold * side * 0.999, level.side * 0.5 * threshold < side * 1.001 else {
        continue
      }
      if search(level, box, area, classIndex) { return true }
    }
    return false
  }

  private func search(_ level: Level, _ box: BoundingBox, _ area: Double, _ classIndex: Int) -> Bool {
    let reachX = reach(of: box.width, level)
    let reachY = reach(of: box.height, level)
    let scale = 1 / level.side
    guard let left = Self.square((box.midX - reachX) * scale),
      let top = Self.square((box.midY - reachY) * scale),
      let right = Self.square((box.midX + reachX) * scale),
      let bottom = Self.square((box.midY + reachY) * scale),
      (right - left + 1) * (bottom - top + 1) < level.count
    else {
      var next = level.first
      while next >= 0 {
        let entry = entries[Int(next)]
        if competes(entry, box, area, classIndex) { return true }
        next = entry.nextInLevel
      }
      return false
    }
    for row in top...bottom {
      for column in left...right {
        var next = places[place(level.exponent, column, row, classIndex)]
        while next >= 0 {
          let entry = entries[Int(next)]
          if competes(entry, box, area, classIndex) { return true }
          next = entry.nextInPlace
        }
      }
    }
    return false
  }

  /// Returns the largest distance, along one axis, between the centres of a box of `length` and a competing
  /// one of the level.
  ///
  /// If a and b overlap partly, they share (a + b) / 2 − distance, which must be above t · max(a, b). For b ≤
  /// a that leaves a distance below a · (1 − t); for b ≥ a one below a / 2 + b · (1 / 2 − t), with b at most
  /// a / t.
  private func reach(of length: Double, _ level: Level) -> Double {
    var reach = length * (1 - threshold)
    if threshold < 0.5 {
      let longest = min(level.side, length / threshold)
      reach = max(reach, length * 0.5 + longest * (0.5 - threshold))
    }
    // Slightly more, because quotients are rounded, and centres by as much as a square's 2⁻³³.
    return reach * 1.001 + level.side * 0.001
  }

  // MARK: The index

  /// Returns the number of the square with a coordinate; nil beyond the numbered squares.
  private static func square(_ coordinate: Double) -> Int? {
    guard abs(coordinate) < farthestSquare else { return nil }
    let whole = Int(coordinate)
    return Double(whole) > coordinate ? whole - 1 : whole
  }

  private func place(_ exponent: Int, _ column: Int, _ row: Int, _ classIndex: Int) -> Int {
    // Boxes of other classes are searched together, so they share an entry.
    let classIndex = rivals == .sameClass ? classIndex : 0
    // Multiplying by large odd numbers and using the upper bits scatters neighbours.
    var hash = UInt64(truncatingIfNeeded: column) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ UInt64(truncatingIfNeeded: row)) &* 0xc2b2_ae3d_27d4_eb4f
    hash = (hash ^ UInt64(truncatingIfNeeded: exponent &* 8191 &+ classIndex)) &* 0x1656_67b1_9e37_79f9
    return Int(truncatingIfNeeded: hash >> 32) & (places.count - 1)
  }

  /// Creates the hash table, at least four times as large as the number of boxes, and inserts all boxes.
  private mutating func rebuild() {
    var size = 256
    while size < entries.count * 4 { size *= 2 }
    places = Array(repeating: -1, count: size)
    levels.removeAll(keepingCapacity: true)
    for index in entries.indices { enter(index) }
  }

  private mutating func enter(_ index: Int) {
    let box = entries[index].box
    let side = max(box.width, box.height)
    // The shared area divided by an infinite one is 0 or not a number: such a box never competes.
    guard entries[index].area.isFinite, side.isNormal else { return }
    let exponent = Int(side.exponent)
    let number: Int
    if let found = levels.firstIndex(where: { $0.exponent == exponent }) {
      number = found
    } else {
      number = levels.count
      let upper = Double(sign: .plus, exponent: side.exponent + 1, significand: 1)
      levels.append(Level(exponent: exponent, side: upper, first: -1, count: 0))
    }
    entries[index].nextInLevel = levels[number].first
    levels[number].first = Int32(truncatingIfNeeded: index)
    levels[number].count += 1
    let scale = 1 / levels[number].side
    // Found only through its level: a search that reaches that far uses the whole level.
    guard let column = Self.square(box.midX * scale), let row = Self.square(box.midY * scale) else { return }
    let place = place(exponent, column, row, entries[index].classIndex)
    entries[index].nextInPlace = places[place]
    places[place] = Int32(truncatingIfNeeded: index)
  }
}
