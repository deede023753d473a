// SPDX-License-Identifier: Apache-2.0

/// A linear classifier of an embedding x: the activation of W x + b.
package struct LinearHead: Sendable {
  package enum Activation: Sendable {
    /// The classes are mutually exclusive: scores add up to 1.
    case softmax
    /// Each class has an independent score.
    case logistic
  }

  /// The arithmetic of the head in the file.
  package enum Form: String, Sendable {
    /// Quantised like the embedding; float for a float embedding.
    case auto
    case float
    /// For an int8 embedding; the scores are uint8.
    case int8
    /// For a uint8 embedding, AutoML's form; the scores are uint8.
    case uint8
  }

  /// The weights [K, d]; row k has those of class k.
  package var weights: [Float]
  /// One number per class.
  package var bias: [Float]
  package var activation: Activation
  package var form: Form
  /// The smallest and largest logit of the training: the range of quantised logits.
  package var logitRange: ClosedRange<Float>
  /// The mean embedding of the training, [d]; empty if unknown.
  ///
  /// The bias of a quantised head compensates the rounding errors of the weights at this embedding. Without
  /// it, rounding keeps the sum of each class's weights, which is right for an embedding of equal numbers.
  package var mean: [Float]

  package init(
    weights: [Float], bias: [Float], activation: Activation = .softmax, form: Form = .auto,
    logitRange: ClosedRange<Float>, mean: [Float] = []
  ) {
    self.weights = weights
    self.bias = bias
    self.activation = activation
    self.form = form
    self.logitRange = logitRange
    self.mean = mean
  }

  /// The number of classes.
  package var classCount: Int { bias.count }

  /// The maximum number of classes of a head.
  package static let maximumClasses = 10_000
  /// The largest weight, bias or logit: far above any from training, and far below the limit of Float.
  private static let largest: Float = 0x1p40

  /// Verifies the head.
  /// - Throws: `cannotWrite` for a head that does not match an embedding of `count` numbers, or has numbers
  ///   beyond 2^40.
  func check(count: Int) throws(MetadataError) {
    guard (1...Self.maximumClasses).contains(classCount) else {
      throw MetadataEncoder.cannotWrite(
        "The head has \(classCount) classes; expected 1 to \(Self.maximumClasses)")
    }
    guard weights.count == classCount * count else {
      throw MetadataEncoder.cannotWrite(
        "The head has \(weights.count) weights; \(classCount) classes of \(count) numbers need "
          + "\(classCount * count)")
    }
    guard mean.isEmpty || mean.count == count else {
      throw MetadataEncoder.cannotWrite("The mean has \(mean.count) numbers, the embedding \(count)")
    }
    let numbers = weights + bias + mean + [logitRange.lowerBound, logitRange.upperBound]
    if let number = numbers.first(where: { !(abs($0) <= Self.largest) }) {
      throw MetadataEncoder.cannotWrite(
        "The head has \(number) among its weights, bias, logits and mean, expected numbers up to 2^40")
    }
  }
}
