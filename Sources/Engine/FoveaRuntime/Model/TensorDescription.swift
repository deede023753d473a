// SPDX-License-Identifier: Apache-2.0

/// The quantisation of a tensor, which stores real numbers as integers: real = scale × (stored − zero point).
public enum Quantization: Sendable, Hashable {
  /// Not quantised: elements are the numbers themselves.
  case none
  /// One scale and zero point for the whole tensor.
  case perTensor(scale: Float, zeroPoint: Int)
  /// One scale and zero point for each index along `axis`.
  case perChannel(scales: [Float], zeroPoints: [Int], axis: Int)
  /// A scheme that Fovea does not read, by LiteRT's number.
  case other(Int)
}

/// The name, type, shape and quantisation of an input or output tensor.
public struct TensorDescription: Sendable, Hashable, CustomStringConvertible {
  /// The tensor's name in its graph; may be empty.
  public var name: String
  /// The tensor's name in the signature; its own name if the model has no signatures.
  public var signatureName: String
  /// The type of the elements.
  public var elementType: ElementType
  /// The sizes of the dimensions, outermost first; −1 for a size known only when the model runs.
  ///
  /// Empty for a scalar, and for outputs whose shape is unknown until the model is compiled: a `Session` has
  /// the real shape.
  public var shape: [Int]
  /// The quantisation of the elements.
  public var quantization: Quantization

  /// Creates a description.
  public init(
    name: String, signatureName: String? = nil, elementType: ElementType, shape: [Int],
    quantization: Quantization = .none
  ) {
    self.name = name
    self.signatureName = signatureName ?? name
    self.elementType = elementType
    self.shape = shape
    self.quantization = quantization
  }

  /// The number of elements; nil if a dimension is unknown or the product overflows.
  public var elementCount: Int? {
    var count = 1
    for size in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: size)
      if size < 0 || overflow { return nil }
      count = product
    }
    return count
  }

  /// The size in bytes; nil if the number of elements is unknown or their size varies.
  public var byteCount: Int? {
    guard let elementCount, elementType.bits > 0 else { return nil }
    let (bits, overflow) = elementCount.multipliedReportingOverflow(by: elementType.bits)
    return overflow || bits > .max - 7 ? nil : (bits + 7) / 8
  }

  /// The name, type and shape, as error messages print them: "'image' uint8 [1, 300, 300, 3]".
  public var description: String { "'\(name)' \(elementType) \(shape)" }
}
