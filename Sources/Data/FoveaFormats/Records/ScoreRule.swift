// SPDX-License-Identifier: Apache-2.0

/// The scores that a reader of boxes accepts, whatever the format; lines of MOTChallenge, whose scores need
/// not be probabilities, are not read with it.
package enum ScoreRule: Sendable {
  /// Any finite number, and 1 for an object without a score: labelled photos, which need no scores, and
  /// frames of `fovea track`, whose scores may be those of MOTChallenge.
  case optional
  /// Any finite number; an object without a score is an error: metrics, which use the order of the scores.
  case needed
  /// A probability, and 1 for an object without a score: trackers, whose limits are probabilities.
  case probability

  /// The rounding tolerance of probabilities outside 0…1, as in the outputs of models.
  private static let rounding = 0.011

  /// Returns the problem with a score; nil if there is none.
  /// - Parameters:
  ///   - score: The score.
  ///   - name: The format's word for it.
  /// - Returns: The problem, without a full stop.
  func problem(_ score: Double, name: String = "score") -> String? {
    guard score.isFinite else { return "the \(name) is \(score), not a finite number" }
    let range = -Self.rounding...(1 + Self.rounding)
    // Some readers store less digits.
    let isStorable = Float(score).isFinite
    guard self != .probability || range.contains(score) else {
      return "the \(name) is \(isStorable ? "\(Float(score))" : "\(score)"); expected 0 to 1"
    }
    return isStorable ? nil : "the \(name) is too large: \(score)"
  }
}
