// SPDX-License-Identifier: Apache-2.0

/// How far the scores of a softmax may be from 1 together: each may be half a step off, and many classes below half a step
/// are 0 each.
///
/// LiteRT's softmax in bytes has steps of 1/256, which a real output behind it does not show.
/// - Parameters:
///   - columns: The number of scores.
///   - step: The step between two numbers of the output; 0 where it is not quantised.
///   - least: The slack of few scores.
/// - Returns: The largest distance of their sum from 1.
func softmaxSlack(columns: Int, step: Float, least: Float) -> Float {
  max(least, 0.02 + Float(columns) * max(step, 1 / 256) / 2)
}
