// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Samples rows for checks that would be slow on every row: all of up to 511 rows, 256 to 384 of more.
func sampledRows(of count: Int) -> StrideTo<Int> { stride(from: 0, to: count, by: max(1, count / 256)) }

/// Returns the number of rows in a sample of `count` for which a condition holds, and their number in all.
func countSample(of count: Int, where holds: (Int) -> Bool) -> (found: Int, sampled: Int) {
  sampledRows(of: count).reduce(into: (0, 0)) { counts, row in
    counts.1 += 1
    if holds(row) { counts.0 += 1 }
  }
}

/// Returns the probability of a logit.
func sigmoid(_ logit: Float) -> Float { 1 / (1 + exp(-logit)) }

/// Returns how much the sum of softmax scores may differ from 1: each may be off by half a step, and many
/// classes below half a step are 0.
///
/// LiteRT's quantised softmax has steps of 1/256, which a float output after it does not show.
/// - Parameters:
///   - columns: The number of scores.
///   - step: The quantisation step of the output; 0 if it is not quantised.
///   - least: The smallest tolerance, for few scores.
/// - Returns: The largest difference between the sum and 1.
func softmaxSlack(columns: Int, step: Float, least: Float) -> Float {
  max(least, 0.02 + Float(columns) * max(step, 1 / 256) / 2)
}

/// Returns whether a number can be a score: not NaN and not infinite, except for minus infinity as a logit,
/// of which the probability is 0.
func isScore(_ number: Float, areLogits: Bool) -> Bool {
  number < .infinity && number >= leastScore(areLogits)
}

/// Returns the smallest number that can be a score.
@inline(__always)
func leastScore(_ areLogits: Bool) -> Float { areLogits ? -.infinity : -.greatestFiniteMagnitude }

/// Returns the best score of a row of `columns` numbers and its column, the first of equal ones.
///
/// - Parameters:
///   - values: The numbers of all rows.
///   - start: The place of the row's first number.
///   - columns: The number of numbers in the row.
///   - first: The column of the first class: 1 if column 0 is the background's.
///   - areLogits: True if minus infinity is a score.
/// - Returns: The column and its score. If a number of the row cannot be a score, also that of the
///   background, this number. Nil if no class has a score above minus infinity.
func bestScore(
  _ values: [Float], from start: Int, columns: Int, first: Int = 0, areLogits: Bool
) -> (column: Int, score: Float)? {
  let most = largestNumber(in: values, from: start + first, count: columns - first, areLogits: areLogits)
  let row = values[start..<(start + columns)]
  if !(most < .infinity) || row.prefix(first).contains(where: { !isScore($0, areLogits: areLogits) }),
    let wrong = row.first(where: { !isScore($0, areLogits: areLogits) })
  {
    return (first, wrong)
  }
  guard most > -.infinity else { return nil }
  return (first..<columns).first { values[start + $0] == most }.map { ($0, most) }
}

/// Returns the largest of `count` numbers from `start` as `largestNumber(_:count:areLogits:)`.
/// - Precondition: The numbers lie within `values`.
func largestNumber(in values: [Float], from start: Int, count: Int, areLogits: Bool) -> Float {
  precondition(start >= 0 && count >= 0 && start + count <= values.count, "\(start), \(count)")
  // SAFETY: the numbers lie within the values, as just checked.
  return unsafe values.withUnsafeBufferPointer { values in
    unsafe values.baseAddress.map {
      unsafe largestNumber($0 + start, count: count, areLogits: areLogits)
    } ?? -.infinity
  }
}

/// Returns the largest of `count` numbers, or minus infinity without any.
///
/// It is NaN if one of them is NaN, or minus infinity and no logit.
///
/// Compares eight at a time, which the compiler does not do by itself: because of NaN, the order of
/// comparisons matters to it.
@inline(__always)
func largestNumber(_ values: UnsafePointer<Float>, count: Int, areLogits: Bool) -> Float {
  let least = leastScore(areLogits)
  var index = 0
  var most = -Float.infinity
  if count >= 8 {
    var lanes = SIMD8<Float>(repeating: -.infinity)
    var areWrong = SIMDMask<SIMD8<Int32>>(repeating: false)
    while index + 8 <= count {
      let next = unsafe UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
      lanes.replace(with: next, where: next .> lanes)
      areWrong .|= .!(next .>= least)
      index += 8
    }
    if any(areWrong) { return .nan }
    for lane in lanes.indices where lanes[lane] > most { most = lanes[lane] }
  }
  while index < count {
    let value = unsafe values[index]
    if !(value >= least) { return .nan }
    most = value > most ? value : most
    index += 1
  }
  return most
}
