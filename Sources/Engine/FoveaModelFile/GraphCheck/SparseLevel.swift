// SPDX-License-Identifier: Apache-2.0

/// One level of a sparse tensor: all positions of a dimension, or only the stored ones.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, table DimensionMetadata; `sparsity_format_converter.cc`,
/// Populate.
struct SparseLevel {
  /// The number of positions; nil if the level lists the stored ones.
  let denseSize: Int?
  /// The start of each segment, and the end of the last.
  private let segments: SparseIndexList
  /// The stored positions.
  private let indices: SparseIndexList

  init(
    _ table: FlatTable, _ name: String, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) {
    typealias Field = GraphSchema.SparseDimension
    let format = try table.uint8(Field.format, in: bytes)
    guard format <= 1 else {
      throw .damaged("\(name) has the format \(format), which is neither dense (0) nor sparse (1)")
    }
    guard format == 1 else {
      denseSize = Int(Int32(bitPattern: try table.uint32(Field.denseSize, in: bytes)))
      segments = .empty
      indices = .empty
      return
    }
    denseSize = nil
    segments = try SparseIndexList(
      table, Field.segmentsType, Field.segments, "the segments of \(name)", in: bytes, &budget)
    indices = try SparseIndexList(
      table, Field.indicesType, Field.indices, "the indices of \(name)", in: bytes, &budget)
  }

  /// Verifies the level and counts its positions.
  /// - Parameters:
  ///   - parents: The number of positions of the previous level; 1 for the first.
  ///   - side: The size of the level's dimension.
  ///   - name: The level's name in errors.
  ///   - bytes: The whole model file.
  /// - Returns: The number of positions.
  /// - Throws: `MetadataError` with `damagedModel`.
  func places(
    of parents: Int, side: Int, _ name: String, in bytes: Span<UInt8>
  ) throws(MetadataError) -> Int {
    if let denseSize {
      guard denseSize == side else {
        throw .damaged("\(name) has \(denseSize) places, but its dimension has \(side)")
      }
      let (count, isTooLarge) = parents.multipliedReportingOverflow(by: side)
      guard !isTooLarge, count <= CheckedTensor.maximumBytes else {
        throw .damaged("\(name) would have more than \(CheckedTensor.maximumBytes) places")
      }
      return count
    }
    guard segments.count == parents + 1 else {
      throw .damaged("\(name) bounds its segments by \(segments.count) numbers, expected \(parents + 1)")
    }
    var last = 0
    for index in 0..<segments.count {
      let bound = try segments.value(index, in: bytes)
      guard index == 0 ? bound == 0 : bound >= last else {
        throw .damaged(
          index == 0
            ? "\(name) begins its segments at \(bound), expected 0"
            : "\(name) ends segment \(index - 1) at \(bound), before its start at \(last)")
      }
      last = bound
    }
    guard last == indices.count else {
      throw .damaged("\(name) ends its segments at \(last), but has \(indices.count) indices")
    }
    for place in 0..<indices.count {
      let index = try indices.value(place, in: bytes)
      guard (0..<side).contains(index) else {
        throw .damaged("\(name) has the index \(index), but its dimension has \(side) places")
      }
    }
    return indices.count
  }
}
