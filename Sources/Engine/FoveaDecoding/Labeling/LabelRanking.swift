// SPDX-License-Identifier: Apache-2.0

/// Selects the labels to report from a classifier's scores.
public struct LabelRanking: Sendable, Hashable {
  /// The lowest score to report, inclusive.
  ///
  /// Raising it reports fewer, more certain labels.
  public var threshold: Float
  /// The largest number of labels; raising it reports more of the less likely ones.
  public var limit: Int
  /// The classes that may be reported, one flag per class; nil allows all.
  public var isAllowed: [Bool]?

  /// Creates a ranking rule.
  public init(threshold: Float, limit: Int, isAllowed: [Bool]? = nil) {
    self.threshold = threshold
    self.limit = limit
    self.isAllowed = isAllowed
  }

  /// Ranks scores.
  /// - Parameters:
  ///   - scores: One score per class; NaN is never reported.
  ///   - names: One name per class; empty if the model has none.
  /// - Returns: At most `limit` labels, best first, equal scores in class order.
  /// - Complexity: O(classes · log limit) on average.
  public func labels(scores: [Float], names: [String]) -> [Label] {
    guard limit > 0 else { return [] }
    var best: [(index: Int, score: Float)] = []
    best.reserveCapacity(min(limit, scores.count))
    for index in scores.indices {
      let score = scores[index]
      guard score >= threshold else { continue }
      if let isAllowed, index >= isAllowed.count || !isAllowed[index] { continue }
      if best.count == limit, let last = best.last, last.score >= score { continue }
      // After all that are at least as good, so that equal scores keep the order of the classes.
      var low = 0
      var high = best.count
      while low < high {
        let middle = (low + high) / 2
        if best[middle].score >= score { low = middle + 1 } else { high = middle }
      }
      if best.count == limit { best.removeLast() }
      best.insert((index, score), at: low)
    }
    return best.map { entry in
      Label(
        text: names.indices.contains(entry.index) ? names[entry.index] : nil, index: entry.index,
        confidence: entry.score)
    }
  }
}

/// A label from a classifier: a class, its name if the model has one, and its confidence.
public struct Label: Sendable, Hashable {
  /// The class's name, in the requested locale; nil if neither the model nor the options name the class.
  public var text: String?
  /// The position of the class in the model's output, from 0.
  public var index: Int
  /// The confidence, 0…1.
  public var confidence: Float

  /// Creates a label.
  public init(text: String?, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}
