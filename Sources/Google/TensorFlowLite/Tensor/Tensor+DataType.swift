// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension Tensor {
  /// The element types that can be read and written.
  ///
  /// Google's class has the first eight; int8, which most quantised models use, and the unsigned integers are
  /// additions. Text, 4-bit integers and bfloat16 have no case: their tensors throw `invalidTensorDataType`.
  public enum DataType: Equatable, Hashable, Sendable {
    /// One byte, 0 or 1.
    case bool
    /// 8-bit unsigned integer.
    case uInt8
    /// 16-bit signed integer.
    case int16
    /// 32-bit signed integer.
    case int32
    /// 64-bit signed integer.
    case int64
    /// 16-bit floating point, IEEE 754 binary16.
    case float16
    /// 32-bit floating point.
    case float32
    /// 64-bit floating point.
    case float64
    /// 8-bit signed integer; not in Google's class.
    case int8
    /// 16-bit unsigned integer; not in Google's class.
    case uInt16
    /// 32-bit unsigned integer; not in Google's class.
    case uInt32
    /// 64-bit unsigned integer; not in Google's class.
    case uInt64

    /// Converts an element type; nil if it has no case.
    init?(_ type: ElementType) {
      switch type {
      case .bool: self = .bool
      case .uint8: self = .uInt8
      case .int16: self = .int16
      case .int32: self = .int32
      case .int64: self = .int64
      case .float16: self = .float16
      case .float32: self = .float32
      case .float64: self = .float64
      case .int8: self = .int8
      case .uint16: self = .uInt16
      case .uint32: self = .uInt32
      case .uint64: self = .uInt64
      default: return nil
      }
    }
  }
}
