// SPDX-License-Identifier: Apache-2.0

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
