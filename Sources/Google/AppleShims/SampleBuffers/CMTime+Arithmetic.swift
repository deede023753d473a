// SPDX-License-Identifier: Apache-2.0

extension CMTime {
  /// Returns the sum of two times.
  public static func + (a: CMTime, b: CMTime) -> CMTime { a.combined(with: b, subtracting: false) }

  /// Returns the difference of two times.
  public static func - (a: CMTime, b: CMTime) -> CMTime { a.combined(with: b, subtracting: true) }

  /// Returns the sum or difference: exact if the numbers fit, else rounded to nanoseconds; not numeric if
  /// either time is not.
  private func combined(with other: CMTime, subtracting: Bool) -> CMTime {
    guard isValid, other.isValid else { return .invalid }
    guard isNumeric, other.isNumeric else { return combinedWithoutNumber(other, subtracting) }
    if let scale = commonScale(other), let a = scaled(to: scale), let b = other.scaled(to: scale) {
      let (sum, overflow) = subtracting ? a.subtractingReportingOverflow(b) : a.addingReportingOverflow(b)
      if !overflow {
        return CMTime(
          value: sum, timescale: scale, flags: flags.union(other.flags), epoch: max(epoch, other.epoch))
      }
    }
    let sum = subtracting ? seconds - other.seconds : seconds + other.seconds
    return CMTime(seconds: sum, preferredTimescale: 1_000_000_000)
  }

  private func combinedWithoutNumber(_ other: CMTime, _ subtracting: Bool) -> CMTime {
    guard !isIndefinite, !other.isIndefinite else { return .indefinite }
    let sum = subtracting ? seconds - other.seconds : seconds + other.seconds
    guard !sum.isNaN else { return .indefinite }
    return sum > 0 ? .positiveInfinity : .negativeInfinity
  }

  private func commonScale(_ other: CMTime) -> CMTimeScale? {
    var (a, b) = (timescale, other.timescale)
    while b != 0 { (a, b) = (b, a % b) }
    let (scale, overflow) = (timescale / a).multipliedReportingOverflow(by: other.timescale)
    return overflow ? nil : scale
  }

  private func scaled(to scale: CMTimeScale) -> Int64? {
    let (value, overflow) = value.multipliedReportingOverflow(by: Int64(scale / timescale))
    return overflow ? nil : value
  }
}

/// Returns the sum of two times.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// Returns the difference of two times.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }
