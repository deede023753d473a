// SPDX-License-Identifier: Apache-2.0

/// The state of one merge of tiles, see `TileLayout.merged(_:)`.
struct TileMerge {
  /// The distance from an inner border within which a box counts as cut, as a part of the tile's side.
  static let borderShare = 0.03
  /// The IoU above which whole boxes of two tiles are one object.
  static let wholeIoU = 0.6
  /// The IoU, in the part that both tiles show, above which a cut box and another are one object.
  static let commonIoU = 0.5
  /// The part of a cut box's area inside another box above which it belongs to that object.
  static let insideShare = 0.8

  /// A detection with its derived facts.
  private struct Candidate {
    var detection: TileDetection
    var isCut: Bool
    var isTaken = false
  }

  private let tiles: [BoundingBox]
  /// The area of boxes that a tile can show: unlimited at the region's own borders.
  private let windows: [BoundingBox]
  /// All candidates by tile, best first in each.
  private var candidates: [Candidate] = []
  /// The range of each tile's candidates in `candidates`.
  private var ranges: [Range<Int>]

  init(layout: TileLayout, detections: [TileDetection]) {
    tiles = layout.tiles
    let region = layout.region
    let windows = layout.tiles.map { tile in
      BoundingBox(
        minX: tile.minX > region.minX ? tile.minX : -.infinity,
        minY: tile.minY > region.minY ? tile.minY : -.infinity,
        maxX: tile.maxX < region.maxX ? tile.maxX : .infinity,
        maxY: tile.maxY < region.maxY ? tile.maxY : .infinity)
    }
    self.windows = windows
    ranges = Array(repeating: 0..<0, count: layout.tiles.count)
    candidates.reserveCapacity(detections.count)
    for var detection in detections where windows.indices.contains(detection.tile) {
      let window = windows[detection.tile]
      guard !detection.box.isEmpty else { continue }
      detection.box = detection.box.intersection(window)
      guard detection.score.isFinite, !detection.box.isEmpty, detection.box.area.isFinite else { continue }
      candidates.append(
        Candidate(
          detection: detection,
          isCut: Self.isCut(detection.box, in: window, tile: layout.tiles[detection.tile])))
    }
    candidates.sort {
      $0.detection.tile != $1.detection.tile
        ? $0.detection.tile < $1.detection.tile : Self.precedes($0.detection, $1.detection)
    }
    var start = 0
    while start < candidates.count {
      let tile = candidates[start].detection.tile
      var end = start
      while end < candidates.count, candidates[end].detection.tile == tile { end += 1 }
      ranges[tile] = start..<end
      start = end
    }
  }

  private static func isCut(_ box: BoundingBox, in window: BoundingBox, tile: BoundingBox) -> Bool {
    let x = borderShare * tile.width
    let y = borderShare * tile.height
    return box.minX <= window.minX + x || box.minY <= window.minY + y || box.maxX >= window.maxX - x
      || box.maxY >= window.maxY - y
  }

  /// Returns whether `a` comes before `b` in a total order, so that the result does not depend on the order
  /// of the input.
  private static func precedes(_ a: TileDetection, _ b: TileDetection) -> Bool {
    if a.score != b.score { return a.score > b.score }
    if a.tile != b.tile { return a.tile < b.tile }
    if a.classIndex != b.classIndex { return (a.classIndex ?? -1) < (b.classIndex ?? -1) }
    if a.box.minY != b.box.minY { return a.box.minY < b.box.minY }
    if a.box.minX != b.box.minX { return a.box.minX < b.box.minX }
    return a.box.maxY != b.box.maxY ? a.box.maxY < b.box.maxY : a.box.maxX < b.box.maxX
  }

  mutating func run() -> [TileDetection] {
    var merged: [TileDetection] = []
    let order = candidates.indices.sorted {
      candidates[$0].isCut != candidates[$1].isCut
        ? !candidates[$0].isCut : Self.precedes(candidates[$0].detection, candidates[$1].detection)
    }
    for index in order where !candidates[index].isTaken {
      candidates[index].isTaken = true
      if candidates[index].isCut {
        if let joined = join(index) { merged.append(joined) }
      } else {
        merged.append(fuse(index))
      }
    }
    merged.sort(by: Self.precedes)
    return merged
  }

  /// Returns whether another tile than `tile` shows part of a box and has detections.
  private func shows(_ view: Int, _ box: BoundingBox, besides tile: Int) -> Bool {
    view != tile && !ranges[view].isEmpty && !windows[view].intersection(box).isEmpty
  }

  /// Applies rules 1 and 2: merges a whole box with its duplicates.
  private mutating func fuse(_ seed: Int) -> TileDetection {
    var result = candidates[seed].detection
    let tile = result.tile
    var sum = WeightedBox()
    sum.add(result.box, weight: weight(result))
    for view in tiles.indices where shows(view, result.box, besides: tile) {
      var best: Int?
      var bestIoU = Self.wholeIoU
      for index in ranges[view] where isFree(index, result.classIndex) && !candidates[index].isCut {
        let iou = candidates[index].detection.box.iou(with: result.box)
        if iou > bestIoU { (best, bestIoU) = (index, iou) }
      }
      guard let best else { continue }
      candidates[best].isTaken = true
      sum.add(candidates[best].detection.box, weight: weight(candidates[best].detection))
    }
    if let mean = sum.mean {
      result.box = mean
      result.mask = result.mask?.clipped(to: mean)
    }
    for view in tiles.indices where shows(view, result.box, besides: tile) {
      for index in ranges[view]
      where isFree(index, result.classIndex) && candidates[index].isCut
        && explains(result.box, windows[tile], candidates[index].detection)
      {
        candidates[index].isTaken = true
        result.score = max(result.score, candidates[index].detection.score)
      }
    }
    return result
  }

  /// Applies rule 3: joins a cut box with the boxes that continue it; nil if there are none.
  private mutating func join(_ seed: Int) -> TileDetection? {
    let tile = candidates[seed].detection.tile
    var result = candidates[seed].detection
    var masks = [result.mask]
    var window = windows[tile]
    var isConfirmed = false
    var grows = true
    while grows {
      grows = false
      for view in tiles.indices where shows(view, result.box, besides: tile) {
        for index in ranges[view] where isFree(index, result.classIndex) {
          let other = candidates[index].detection
          guard explains(result.box, window, other) else { continue }
          candidates[index].isTaken = true
          result.box = result.box.hull(with: other.box)
          result.score = min(result.score, other.score)
          masks.append(other.mask)
          window = window.hull(with: windows[view])
          isConfirmed = true
          grows = true
        }
      }
    }
    result.mask = ObjectMask(joining: masks.compactMap { $0 }) ?? result.mask
    return isConfirmed ? result : nil
  }

  private func isFree(_ index: Int, _ classIndex: Int?) -> Bool {
    !candidates[index].isTaken && candidates[index].detection.classIndex == classIndex
  }

  /// Returns whether a cut box shows part of the object that `box` shows in `window`.
  private func explains(_ box: BoundingBox, _ window: BoundingBox, _ cut: TileDetection) -> Bool {
    let common = cut.box.intersection(window).iou(with: box.intersection(windows[cut.tile]))
    return common > Self.commonIoU || cut.box.intersection(box).area > Self.insideShare * cut.box.area
  }

  /// Returns the score times the scale at which the tile is shown, up to a common factor.
  private func weight(_ detection: TileDetection) -> Double {
    Double(max(detection.score, 0)) / tiles[detection.tile].area.squareRoot()
  }
}
