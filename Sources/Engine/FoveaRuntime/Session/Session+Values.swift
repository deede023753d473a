// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// A Swift type that tensors store bit for bit.
public protocol TensorScalar: BitwiseCopyable, Sendable {
  /// The element type of tensors with such values.
  static var elementType: ElementType { get }
}

extension Float: TensorScalar {
  /// float32.
  public static var elementType: ElementType { .float32 }
}
extension Double: TensorScalar {
  /// float64.
  public static var elementType: ElementType { .float64 }
}
extension UInt8: TensorScalar {
  /// uint8.
  public static var elementType: ElementType { .uint8 }
}
extension Int8: TensorScalar {
  /// int8.
  public static var elementType: ElementType { .int8 }
}
extension UInt16: TensorScalar {
  /// uint16.
  public static var elementType: ElementType { .uint16 }
}
extension Int16: TensorScalar {
  /// int16.
  public static var elementType: ElementType { .int16 }
}
extension UInt32: TensorScalar {
  /// uint32.
  public static var elementType: ElementType { .uint32 }
}
extension Int32: TensorScalar {
  /// int32.
  public static var elementType: ElementType { .int32 }
}
extension UInt64: TensorScalar {
  /// uint64.
  public static var elementType: ElementType { .uint64 }
}
extension Int64: TensorScalar {
  /// int64.
  public static var elementType: ElementType { .int64 }
}
extension Bool: TensorScalar {
  /// bool.
  public static var elementType: ElementType { .bool }
}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
extension Float16: TensorScalar {
  /// float16.
  public static var elementType: ElementType { .float16 }
}
#endif

extension Session {
  /// Writes all values of an input.
  /// - Parameters:
  ///   - values: One value per element, in row-major order, of exactly the input's element type.
  ///   - index: The index of the input, from 0.
  /// - Throws: `tensorMismatch` if type or count differ.
  public func write<T: TensorScalar>(_ values: [T], toInput index: Int) throws(RuntimeError) {
    try check(inputs, index, "Input", type: T.elementType, count: values.count)
    unsafe withUnsafeInputBytes(index) { bytes in
      unsafe values.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
    }
  }

  /// Returns a copy of an output.
  /// - Parameters:
  ///   - index: The index of the output, from 0.
  ///   - type: The type of the elements.
  /// - Returns: All elements in row-major order.
  /// - Throws: `tensorMismatch` if the output has another type.
  public func read<T: TensorScalar>(output index: Int, as type: T.Type) throws(RuntimeError) -> [T] {
    try check(outputs, index, "Output", type: T.elementType, count: nil)
    return unsafe withUnsafeOutputBytes(index) { bytes in
      unsafe Array(bytes.bindMemory(to: T.self))
    }
  }

  /// Reads an output as real numbers: floats unchanged, quantised integers by scale and zero point, other
  /// integers by value.
  ///
  /// Reuses the memory of `values`: a caller that keeps the array allocates nothing from the second run on.
  /// - Parameters:
  ///   - index: The index of the output, from 0.
  ///   - values: Receives all elements in row-major order.
  /// - Throws: `tensorMismatch` for types that are not numeric, or quantised per channel.
  public func readNumbers(output index: Int, into values: inout [Float]) throws(RuntimeError) {
    try check(outputs, index, "Output", type: nil, count: nil)
    let tensor = outputs[index]
    if [.uint8, .int8].contains(tensor.elementType),
      case .perTensor(let scale, let zeroPoint) = tensor.quantization
    {
      readBytes(index, tensor, scale: scale, offset: Float(zeroPoint), into: &values)
      guard values.count == tensor.elementCount else {
        throw mismatch("Output", index, tensor, "it is not numeric")
      }
      return
    }
    values.removeAll(keepingCapacity: true)
    unsafe withUnsafeOutputBytes(index) { bytes in
      switch tensor.elementType {
      case .float32: unsafe values.append(contentsOf: bytes.bindMemory(to: Float.self))
      case .float64: unsafe values.append(contentsOf: bytes.bindMemory(to: Double.self).lazy.map(Float.init))
      case .uint8: unsafe values.append(contentsOf: bytes.lazy.map(Float.init))
      case .int8: unsafe values.append(contentsOf: bytes.bindMemory(to: Int8.self).lazy.map(Float.init))
      case .uint16: unsafe values.append(contentsOf: bytes.bindMemory(to: UInt16.self).lazy.map(Float.init))
      case .int16: unsafe values.append(contentsOf: bytes.bindMemory(to: Int16.self).lazy.map(Float.init))
      case .uint32: unsafe values.append(contentsOf: bytes.bindMemory(to: UInt32.self).lazy.map(Float.init))
      case .int32: unsafe values.append(contentsOf: bytes.bindMemory(to: Int32.self).lazy.map(Float.init))
      case .uint64: unsafe values.append(contentsOf: bytes.bindMemory(to: UInt64.self).lazy.map(Float.init))
      case .int64: unsafe values.append(contentsOf: bytes.bindMemory(to: Int64.self).lazy.map(Float.init))
      case .bool: unsafe values.append(contentsOf: bytes.lazy.map { $0 == 0 ? 0 : 1 })
      case .float16:
        unsafe values.append(contentsOf: bytes.bindMemory(to: UInt16.self).lazy.map(Binary16.float))
      case .bfloat16:
        unsafe values.append(
          contentsOf: bytes.bindMemory(to: UInt16.self).lazy.map { Float(bitPattern: UInt32($0) << 16) })
      default: break
      }
    }
    guard values.count == tensor.elementCount else {
      throw mismatch("Output", index, tensor, "it is not numeric")
    }
    switch tensor.quantization {
    case .none: break
    case .perTensor(let scale, let zeroPoint):
      let offset = Float(zeroPoint)
      for position in values.indices { values[position] = (values[position] - offset) * scale }
    case .perChannel, .other:
      throw mismatch("Output", index, tensor, "only one scale for a whole output is supported")
    }
  }

  /// Reads quantised bytes, the usual type of large outputs, in one pass that the compiler vectorises.
  private func readBytes(
    _ index: Int, _ tensor: TensorDescription, scale: Float, offset: Float, into values: inout [Float]
  ) {
    let isSigned = tensor.elementType == .int8
    unsafe withUnsafeOutputBytes(index) { bytes in
      if values.count != bytes.count { values = Array(repeating: 0, count: bytes.count) }
      unsafe values.withUnsafeMutableBufferPointer { values in
        // SAFETY: both have as many elements.
        let count = values.count
        if isSigned {
          let source = unsafe bytes.bindMemory(to: Int8.self)
          for place in 0..<count { unsafe values[place] = (Float(source[place]) - offset) * scale }
        } else {
          for place in 0..<count { unsafe values[place] = (Float(bytes[place]) - offset) * scale }
        }
      }
    }
  }

  private func check(
    _ tensors: [TensorDescription], _ index: Int, _ role: String, type: ElementType?, count: Int?
  ) throws(RuntimeError) {
    guard tensors.indices.contains(index) else {
      throw RuntimeError(
        .tensorMismatch, "\(role) \(index) was requested; '\(model.name)' has \(tensors.count)",
        remedy: "Use an index below \(tensors.count)")
    }
    let tensor = tensors[index]
    if let type, type != tensor.elementType {
      throw mismatch(role, index, tensor, "\(type) values were given or requested")
    }
    if let count, count != tensor.elementCount {
      throw mismatch(role, index, tensor, "\(count) values were given")
    }
  }

  private func mismatch(_ role: String, _ index: Int, _ tensor: TensorDescription, _ what: String)
    -> RuntimeError
  {
    RuntimeError(
      .tensorMismatch, "\(role) \(index) of '\(model.name)' is \(tensor); \(what)",
      remedy: "Use the element type and the number of elements of the tensor")
  }
}
