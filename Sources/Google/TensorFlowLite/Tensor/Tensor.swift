// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaRuntime

/// An input or output of a model: its name, its element type, and a copy of its elements.
public struct Tensor: Equatable, Hashable, Sendable {
  /// The name in the model's graph; may be empty.
  public let name: String

  /// The type of the elements.
  public let dataType: DataType

  /// The sizes of the dimensions, such as `[1, height, width, 3]` for an image.
  public let shape: Shape

  /// The elements in row-major order, in the machine's byte order.
  ///
  /// They are the tensor's content at the time of the call that returned it: later runs do not change them.
  /// Indices start at 0.
  public let data: Data

  /// The mapping of integers to real numbers; nil if the elements are the real numbers.
  ///
  /// Also nil for a tensor with a scale per channel, which only constants inside a model usually have.
  public let quantizationParameters: QuantizationParameters?

  init(_ description: TensorDescription, dataType: DataType, data: Data) {
    name = description.name
    self.dataType = dataType
    shape = Shape(description.shape)
    self.data = data
    if case .perTensor(let scale, let zeroPoint) = description.quantization, scale != 0 {
      quantizationParameters = QuantizationParameters(scale: scale, zeroPoint: zeroPoint)
    } else {
      quantizationParameters = nil
    }
  }
}
