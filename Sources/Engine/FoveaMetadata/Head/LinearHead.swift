// SPDX-License-Identifier: Apache-2.0

/// A linear classifier of an embedding x: the activation of W x + b.
package struct LinearHead: Sendable {
  package enum Activation: Sendable {
    /// The classes exclude each other: scores add up to 1.
    case softmax
    /// Each class has a score of its own.
    case logistic
  }

  /// The arithmetic of the head in the file.
  package enum Form: String, Sendable {
    /// Quantised as the embedding is, float where the embedding is float.
    case auto
    case float
    /// For an int8 embedding; the scores are uint8.
    case int8
    /// For a uint8 embedding, AutoML's form; the scores are uint8.
    case uint8
  }

  /// Weights [K, d], row k those of class k.
  package var weights: [Float]
  /// One number for each class.
  package var bias: [Float]
  package var activation: Activation
  package var form: Form
  /// The least and the largest logit of training: what quantised logits can express.
  package var logitRange: ClosedRange<Float>
  /// The mean embedding of training, [d]; empty where it is not known.
  ///
  /// The bias of a quantised head makes up for what rounding the weights changes there. Without it, rounding keeps the sum
  /// of each class's weights, which is right for an embedding of equal numbers.
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

  /// The most classes that a head has.
  package static let maximumClasses = 10_000
  /// The largest weight, bias or logit: far beyond any that training gives, and far from the end of Float.
  private static let largest: Float = 0x1p40

  /// - Throws: `cannotWrite` for a head that does not fit an embedding of `count` numbers, or has numbers beyond 2^40.
  func check(count: Int) throws(MetadataError) {
    guard (1...Self.maximumClasses).contains(classCount) else {
      throw MetadataEncoder.cannotWrite(
        "The head has \(classCount) classes; expected 1 to \(Self.maximumClasses)")
    }
    guard weights.count == classCount * count else {
      throw MetadataEncoder.cannotWrite(
        "The head has \(weights.count) weights; \(classCount) classes of \(count) numbers need \(classCount * count)"
      )
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
