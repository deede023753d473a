// SPDX-License-Identifier: Apache-2.0

extension ModelGraphCheck {
  private enum Field {
    static let shape = FlatField(0, "tensors.shape")
    static let type = FlatField(1, "tensors.type")
    static let quantization = FlatField(4, "tensors.quantization")
    static let zeroPoints = FlatField(3, "quantization.zero_point")
  }

  /// The most bytes that one tensor may need, 1 GiB: damaged shapes ask for far more, no model for pictures does.
  private static let maximumTensorBytes = 1 << 30

  /// Size in bytes and, for integers, range of a tensor's numbers; nil for kinds that are not checked.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, enum TensorType.
  private static func numbers(ofType type: UInt8) -> (byteCount: Int, range: ClosedRange<Int64>)? {
    let anyInt32 = Int64(Int32.min)...Int64(Int32.max)
    return switch type {
    case 0, 2: (4, anyInt32)
    case 1, 7: (2, -32768...32767)
    case 3: (1, 0...255)
    case 4: (8, anyInt32)
    case 9: (1, -128...127)
    default: nil
    }
  }

  /// Checks the shape and the zero points of a tensor, with which the runtime computes without a look.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, tables Tensor and QuantizationParameters.
  static func checkTensor(
    _ tensor: FlatTable, _ position: Int, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) {
    guard let numbers = numbers(ofType: try tensor.uint8(Field.type, in: bytes)) else { return }
    var byteCount = numbers.byteCount
    for size in try tensor.uint32s(Field.shape, in: bytes, &budget).map(Int32.init(bitPattern:)) {
      // -1, and in old files 0, is a size that is known only when the model runs.
      guard size >= -1 else { throw .damaged("tensor \(position) has a side of \(size)") }
      byteCount = byteCount.multipliedReportingOverflow(by: max(1, Int(size))).partialValue
      guard (0...maximumTensorBytes).contains(byteCount) else {
        throw .damaged("tensor \(position) would need more than \(maximumTensorBytes) bytes")
      }
    }
    guard let quantization = try tensor.table(Field.quantization, in: bytes, &budget),
      let zeroPoints = try quantization.vector(Field.zeroPoints, stride: 8, in: bytes)
    else { return }
    for index in 0..<zeroPoints.count {
      let value = Int64(bitPattern: try bytes.uint64(at: zeroPoints.start + index * 8, "a zero point"))
      guard numbers.range.contains(value) else {
        throw .damaged(
          "tensor \(position) has the zero point \(value), its numbers are"
            + " \(numbers.range.lowerBound)…\(numbers.range.upperBound)")
      }
    }
  }
}
