// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The layout of scores and distance distributions in the outputs of NanoDet and PicoDet.
struct DistanceLayout: Sendable, Hashable {
  /// The outputs for one feature map, or for all maps if they are joined.
  struct Part: Sendable, Hashable {
    /// The output with the scores, and the output with the distributions; equal if a row holds both.
    var scores: Int
    var distances: Int
    /// The number of rows.
    var count: Int
  }

  let family: DetectorFamily
  let classCount: Int
  /// The number of distances in a distribution: 8 for 0…7, or 11 for 0…10.
  let bins: Int
  let grid: YOLOGrid
  /// The parts, in the order of the cells.
  let parts: [Part]

  /// The sizes of distributions in the models' configurations: `reg_max` + 1.
  static let knownBins = [8, 11]
  /// The sets of strides in both families' configurations.
  static let knownStrides = [[8, 16, 32, 64], [8, 16, 32]]

  /// The number of values in a row of distributions.
  var width: Int { 4 * bins }

  /// The position of a cell's point, in cells from its left and top edge.
  ///
  /// **Source:** RangiLyu/nanodet (Apache-2.0), `nanodet_plus_head.py`, `get_single_level_center_priors` (the
  /// corner; four strides), `gfl_head.py`, `get_single_level_center_point` (the middle; three strides);
  /// PaddleDetection (Apache-2.0), `pico_head.py`, `cell_offset` 0.5 in all configurations.
  var offset: Float { family == .nanodet && grid.strides.count == 4 ? 0 : 0.5 }

  /// Returns all possible layouts of the outputs.
  static func all(for signature: ModelSignature) -> [DistanceLayout] {
    let outputs = signature.outputs
    guard !outputs.isEmpty, outputs.count <= 8, let size = YOLOGrid.inputSize(of: signature),
      outputs.allSatisfy({
        $0.shape.count == 3 && $0.shape[0] == 1 && $0.shape[1] > 0 && $0.shape[2] > 0
          && [.float32, .uint8, .int8].contains($0.elementType)
      })
    else { return [] }
    let grids = knownStrides.map { YOLOGrid(width: size.width, height: size.height, strides: $0) }
    return grids.flatMap { grid -> [DistanceLayout] in
      if outputs.count == 1 { return joined(outputs[0], grid) }
      if outputs.count == 2 { return pair(outputs, grid) }
      return outputs.count == grid.strides.count * 2 ? levels(outputs, grid) : []
    }
  }

  /// One output, [1, N, C + 4 · bins], as in NanoDet's own export.
  private static func joined(_ output: TensorDescription, _ grid: YOLOGrid) -> [DistanceLayout] {
    guard output.shape[1] == grid.count else { return [] }
    return knownBins.compactMap { bins in
      guard output.shape[2] > 4 * bins else { return nil }
      return DistanceLayout(
        family: .nanodet, classCount: output.shape[2] - 4 * bins, bins: bins, grid: grid,
        parts: [Part(scores: 0, distances: 0, count: grid.count)])
    }
  }

  /// Two outputs with all levels; either family.
  private static func pair(_ outputs: [TensorDescription], _ grid: YOLOGrid) -> [DistanceLayout] {
    guard outputs.allSatisfy({ $0.shape[1] == grid.count }) else { return [] }
    return readings(outputs, [[0, 1]], grid).flatMap { layout in
      [layout, DistanceLayout(layout, as: .picodet)]
    }
  }

  /// Two outputs per level: PicoDet's export with four strides; the original NanoDet has three.
  private static func levels(_ outputs: [TensorDescription], _ grid: YOLOGrid) -> [DistanceLayout] {
    var pairs: [[Int]] = []
    for stride in grid.strides {
      let count = YOLOGrid(width: grid.width, height: grid.height, strides: [stride]).count
      let indices = outputs.indices.filter { outputs[$0].shape[1] == count }
      guard indices.count == 2 else { return [] }
      pairs.append(indices)
    }
    return readings(outputs, pairs, grid).map {
      grid.strides.count == 4 ? DistanceLayout($0, as: .picodet) : $0
    }
  }

  /// Returns the layouts in which one output of each pair holds distributions and the other scores.
  private static func readings(
    _ outputs: [TensorDescription], _ pairs: [[Int]], _ grid: YOLOGrid
  ) -> [DistanceLayout] {
    var layouts: [DistanceLayout] = []
    for bins in knownBins {
      // If both have the width of distributions, the scores come first, as in both exports.
      for (scores, distances) in [(0, 1), (1, 0)] {
        let classes = outputs[pairs[0][scores]].shape[2]
        guard
          pairs.allSatisfy({
            outputs[$0[distances]].shape[2] == 4 * bins && outputs[$0[scores]].shape[2] == classes
          })
        else { continue }
        layouts.append(
          DistanceLayout(
            family: .nanodet, classCount: classes, bins: bins, grid: grid,
            parts: pairs.map {
              Part(scores: $0[scores], distances: $0[distances], count: outputs[$0[0]].shape[1])
            }))
        break
      }
    }
    return layouts
  }

  private init(family: DetectorFamily, classCount: Int, bins: Int, grid: YOLOGrid, parts: [Part]) {
    self.family = family
    self.classCount = classCount
    self.bins = bins
    self.grid = grid
    self.parts = parts
  }

  private init(_ layout: DistanceLayout, as family: DetectorFamily) {
    self.init(
      family: family, classCount: layout.classCount, bins: layout.bins, grid: layout.grid, parts: layout.parts
    )
  }
}
