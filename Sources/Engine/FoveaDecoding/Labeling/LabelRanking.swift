// SPDX-License-Identifier: Apache-2.0

/// Picks the labels to report from a classifier's scores.
public struct LabelRanking: Sendable, Hashable {
  /// The lowest score that is reported; a score that equals it is kept.
  ///
  /// Raising it leaves fewer, surer labels.
  public var threshold: Float
  /// The most labels; raising it shows more of the less likely ones.
  public var limit: Int
  /// Which classes may be reported, one flag for each class; nil allows all.
  public var isAllowed: [Bool]?

  /// Makes a ranking rule.
  public init(threshold: Float, limit: Int, isAllowed: [Bool]? = nil) {
    self.threshold = threshold
    self.limit = limit
    self.isAllowed = isAllowed
  }

  /// Ranks scores.
  /// - Parameters:
  ///   - scores: One score for each class; one that is not a number is never reported.
  ///   - names: One name for each class; empty where the model names none.
  /// - Returns: At most `limit` labels, best first, equal scores in the order of the classes.
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
      // Behind all that are as good: equal scores keep the order of the classes.
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

/// One answer of a classifier: a class, its name where the model has one, and how sure the model is.
public struct Label: Sendable, Hashable {
  /// The class's name, in the locale asked for; nil where neither model nor options name the class.
  public var text: String?
  /// The position of the class in the model's output, from 0.
  public var index: Int
  /// How sure the model is, 0…1.
  public var confidence: Float

  /// Makes a label.
  public init(text: String?, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}
