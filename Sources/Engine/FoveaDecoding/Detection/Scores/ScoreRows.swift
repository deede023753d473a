// SPDX-License-Identifier: Apache-2.0

/// The rows of an answer that stand for all where each would cost too much: all of 256, and at most 511 of more.
func sampledRows(of count: Int) -> StrideTo<Int> { stride(from: 0, to: count, by: max(1, count / 256)) }

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

/// The largest of `count` numbers; minus infinity where none is a number.
///
/// Eight at a time, which the compiler does not do by itself: to it, the order of comparisons matters where something is
/// not a number.
@inline(__always)
func largestNumber(_ values: UnsafePointer<Float>, count: Int) -> Float {
  var index = 0
  var most = -Float.infinity
  if count >= 8 {
    var lanes = SIMD8<Float>(repeating: -.infinity)
    while index + 8 <= count {
      let next = unsafe UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
      lanes.replace(with: next, where: next .> lanes)
      index += 8
    }
    for lane in lanes.indices where lanes[lane] > most { most = lanes[lane] }
  }
  while index < count {
    let value = unsafe values[index]
    if value > most { most = value }
    index += 1
  }
  return most
}
