// SPDX-License-Identifier: Apache-2.0

/// A list of 8-, 16- or 32-bit integers, read in place from the FlatBuffer.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, union SparseIndexVector: Int32Vector 1, Uint16Vector 2,
/// Uint8Vector 3.
struct SparseIndexList {
  private let vector: FlatVector
  /// The size of a number in bytes.
  private let width: Int

  static let empty = SparseIndexList(vector: .empty, width: 1)

  private init(vector: FlatVector, width: Int) {
    self.vector = vector
    self.width = width
  }

  init(
    _ table: FlatTable, _ type: FlatField, _ field: FlatField, _ name: String, in bytes: Span<UInt8>,
    _ budget: inout FlatBudget
  ) throws(MetadataError) {
    let kind = try table.uint8(type, in: bytes)
    guard (1...3).contains(kind), let list = try table.table(field, in: bytes, &budget) else {
      throw .damaged("\(name) are missing, or numbers of the unknown kind \(kind)")
    }
    width = kind == 1 ? 4 : kind == 2 ? 2 : 1
    vector = try list.vector(GraphSchema.SparseDimension.values, stride: width, in: bytes) ?? .empty
    // Tensors may share a list; reading it counts for each.
    try budget.spend(bytes: vector.count * width)
  }

  var count: Int { vector.count }

  /// Returns a number of the list; 32-bit ones may be negative.
  func value(_ index: Int, in bytes: Span<UInt8>) throws(MetadataError) -> Int {
    let place = vector.start + width * index
    return switch width {
    case 4: Int(Int32(bitPattern: try bytes.uint32(at: place, "a sparse index")))
    case 2: Int(try bytes.uint16(at: place, "a sparse index"))
    default: Int(try bytes.uint8(at: place, "a sparse index"))
    }
  }
}
