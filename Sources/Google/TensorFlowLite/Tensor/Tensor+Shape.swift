// SPDX-License-Identifier: Apache-2.0

extension Tensor {
  /// The sizes of a tensor's dimensions, outermost first.
  public struct Shape: Equatable, Hashable, Sendable {
    /// The number of dimensions; 0 for a single number.
    public let rank: Int

    /// The sizes.
    public let dimensions: [Int]

    /// Creates a shape from an array of sizes.
    ///
    /// All sizes are accepted; the interpreter refuses those that its model cannot have.
    /// - Parameter dimensions: The sizes, outermost first.
    public init(_ dimensions: [Int]) {
      rank = dimensions.count
      self.dimensions = dimensions
    }

    /// Creates a shape from sizes: `Tensor.Shape(1, 224, 224, 3)`.
    /// - Parameter elements: The sizes, outermost first.
    public init(_ elements: Int...) { self.init(elements) }
  }
}

extension Tensor.Shape: ExpressibleByArrayLiteral {
  /// Creates a shape from an array literal: `[1, 224, 224, 3]`.
  /// - Parameter arrayLiteral: The sizes, outermost first.
  public init(arrayLiteral: Int...) { self.init(arrayLiteral) }
}
