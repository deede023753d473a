// SPDX-License-Identifier: Apache-2.0

/// The classes and scores in one run's outputs of a post-processed SSD.
struct SSDRows {
  let count: Int
  private(set) var classes: [Float]
  private(set) var scores: [Float]

  /// The rounding tolerance of scores outside 0…1, and of classes around whole numbers.
  static let rounding: Float = 0.011

  /// Reads both from their outputs; if nothing identifies the outputs, the values decide.
  init(_ outputs: [[Float]], _ roles: SSDOutputRoles, count: Int) {
    self.count = count
    (classes, scores) = (outputs[roles.classes], outputs[roles.scores])
    guard roles.isGuess, Self.fit(classes: scores, scores: classes, count) else { return }
    // If all scores are 0 or 1, they could be classes too; the operator sorts by descending score.
    let isOther =
      !Self.fit(classes: classes, scores: scores, count)
      || Self.isFalling(classes, count) && !Self.isFalling(scores, count)
    if isOther { swap(&classes, &scores) }
  }

  static func isScore(_ value: Float) -> Bool { value >= -rounding && value <= 1 + rounding }

  static func isClass(_ value: Float) -> Bool {
    value >= 0 && value < 1_000_000 && abs(value - value.rounded()) <= rounding
  }

  private static func fit(classes: [Float], scores: [Float], _ count: Int) -> Bool {
    classes.prefix(count).allSatisfy(isClass) && scores.prefix(count).allSatisfy(isScore)
  }

  private static func isFalling(_ values: [Float], _ count: Int) -> Bool {
    zip(values.prefix(count), values.prefix(count).dropFirst()).allSatisfy { $0 >= $1 }
  }
}
