// SPDX-License-Identifier: Apache-2.0

/// A tensor with checked shape, constant bytes, sparsity and quantisation.
struct CheckedTensor {
  /// The sizes of the dimensions; -1 for one known only when the model runs.
  let shape: [Int]
  let type: UInt8
  /// The number of bytes; nil if a dimension is unknown, or an element has no fixed size.
  let byteCount: Int?
  /// The number of elements; nil if a dimension is unknown.
  let elementCount: Int?
  /// The position of its numbers in the FlatBuffer; nil if they are stored elsewhere.
  let data: FlatVector?
  /// Whether the numbers are in the file.
  let isConstant: Bool
  /// Whether the file has only some of the numbers, with their positions.
  let isSparse: Bool
  /// Whether the tensor keeps its numbers between runs.
  let isVariable: Bool
  /// The scales; nil if it has none.
  private(set) var scales: Scales?

  /// The number and dimension of a tensor's scales, and the first scale.
  struct Scales {
    let count: Int
    let dimension: Int
    let first: Float
    let firstZeroPoint: Int64
    /// The position of the offset to the quantisation table.
    let slot: Int
  }

  /// Whether the numbers have 8 bits.
  var isByte: Bool { type == GraphSchema.ElementType.uint8 || type == GraphSchema.ElementType.int8 }

  /// The maximum size of a tensor, 512 MiB: damaged shapes need far more, but no image model does.
  static let maximumBytes = 512 << 20

  /// Returns the size in bytes and, for integers, the range of a tensor's numbers; nil for unchecked types.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, enum TensorType.
  private static func numbers(ofType type: UInt8) -> (byteCount: Int, range: ClosedRange<Int64>)? {
    let anyInt32 = Int64(Int32.min)...Int64(Int32.max)
    return switch type {
    case 0, 2, 15: (4, anyInt32)
    case 1, 7, 16: (2, -32768...32767)
    case 3: (1, 0...255)
    case 4, 8, 10, 12: (8, anyInt32)
    case 6: (1, anyInt32)
    case 9: (1, -128...127)
    default: nil
    }
  }

  /// Reads and checks a tensor.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, tables Tensor and QuantizationParameters.
  init(
    _ table: FlatTable, _ position: Int, buffers: [ModelBuffer], in bytes: Span<UInt8>,
    _ budget: inout FlatBudget
  ) throws(MetadataError) {
    typealias Field = GraphSchema.Tensor
    type = try table.uint8(Field.type, in: bytes)
    let numbers = Self.numbers(ofType: type)
    shape = try table.int32s(Field.shape, in: bytes, &budget)
    let elementBytes = numbers?.byteCount ?? 1
    var count = elementBytes
    for size in shape {
      // -1, and in old files 0, is a size known only when the model runs.
      guard size >= -1 else { throw .damaged("tensor \(position) has a side of \(size)") }
      count = count.multipliedReportingOverflow(by: max(1, size)).partialValue
      guard (0...Self.maximumBytes).contains(count) else {
        throw .damaged("tensor \(position) would need more than \(Self.maximumBytes) bytes")
      }
    }
    let open = try table.uint32s(Field.shapeSignature, in: bytes, &budget).contains {
      Int32(bitPattern: $0) < 0
    }
    elementCount = open || shape.contains { $0 < 0 } ? nil : shape.contains(0) ? 0 : count / elementBytes
    byteCount = numbers == nil ? nil : elementCount.map { $0 * elementBytes }
    isVariable = try table.uint8(Field.isVariable, in: bytes) != 0
    let buffer = Int(try table.uint32(Field.buffer, in: bytes))
    // Buffer 0 is the empty one, and may be omitted.
    guard buffer == 0 || buffer < buffers.count else {
      throw .damaged("tensor \(position) is in buffer \(buffer), but the model has \(buffers.count) buffers")
    }
    let constant = buffer < buffers.count ? buffers[buffer].byteCount : 0
    data = constant > 0 ? buffers[buffer].data : nil
    isConstant = constant > 0 || byteCount == 0
    let sparsity = try table.table(Field.sparsity, in: bytes, &budget)
    isSparse = sparsity != nil
    if let sparsity {
      let stored = try CheckedSparsity(sparsity, position, shape: shape, in: bytes, &budget).storedCount
      // Both factors are below 2^32.
      if let numbers, stored * numbers.byteCount != constant {
        throw .damaged(
          "tensor \(position) stores \(stored) numbers of \(numbers.byteCount) bytes, but its buffer has "
            + "\(constant) bytes")
      }
    } else if constant > 0, let byteCount, byteCount > constant {
      throw .damaged("tensor \(position) needs \(byteCount) bytes, but its buffer has \(constant)")
    }
    guard let quantization = try table.table(Field.quantization, in: bytes, &budget) else { return }
    scales = try checkQuantization(
      quantization, position, slot: try table.slot(Field.quantization, size: 4, in: bytes) ?? 0,
      zeroPoints: numbers?.range ?? Int64.min...Int64.max, in: bytes, &budget)
  }

  private func checkQuantization(
    _ table: FlatTable, _ position: Int, slot: Int, zeroPoints range: ClosedRange<Int64>,
    in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Scales? {
    typealias Field = GraphSchema.Quantization
    let zeroPoints = try table.vector(Field.zeroPoint, stride: 8, in: bytes) ?? .empty
    for index in 0..<zeroPoints.count {
      let value = Int64(bitPattern: try bytes.uint64(at: zeroPoints.start + index * 8, "a zero point"))
      guard range.contains(value) else {
        throw .damaged(
          "tensor \(position) has the zero point \(value), expected \(range.lowerBound)…\(range.upperBound)")
      }
    }
    let scales = try table.floats(Field.scale, in: bytes, &budget)
    guard scales.count == zeroPoints.count else {
      throw .damaged("tensor \(position) has \(scales.count) scales and \(zeroPoints.count) zero points")
    }
    // Numbers are divided by the scale.
    if let scale = scales.first(where: { !($0.isNormal && $0 > 0) }) {
      throw .damaged("tensor \(position) has the scale \(scale)")
    }
    let dimension = Int(Int32(bitPattern: try table.uint32(Field.dimension, in: bytes)))
    guard scales.count <= 1 || shape.indices.contains(dimension) && shape[dimension] == scales.count else {
      throw .damaged(
        "tensor \(position) has \(scales.count) scales along dimension \(dimension) of the shape \(shape)")
    }
    guard let first = scales.first else { return nil }
    return Scales(
      count: scales.count, dimension: dimension, first: first,
      firstZeroPoint: Int64(bitPattern: try bytes.uint64(at: zeroPoints.start, "a zero point")), slot: slot)
  }
}
