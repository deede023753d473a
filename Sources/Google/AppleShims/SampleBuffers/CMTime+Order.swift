// SPDX-License-Identifier: Apache-2.0

extension CMTime: Comparable {
  /// Returns whether two times are equal, regardless of their timescales.
  public static func == (a: CMTime, b: CMTime) -> Bool { a.order(b) == 0 }

  /// Returns whether a time is before another, in the order negative infinity, numbers, indefinite, positive
  /// infinity, invalid.
  ///
  /// A time of a higher epoch is later than all times of a lower one.
  public static func < (a: CMTime, b: CMTime) -> Bool { a.order(b) < 0 }

  /// Returns −1, 0 or 1.
  func order(_ other: CMTime) -> Int32 {
    let (a, b) = (rank, other.rank)
    guard a == b, a == Self.numericRank else { return a < b ? -1 : a > b ? 1 : 0 }
    guard epoch == other.epoch else { return epoch < other.epoch ? -1 : 1 }
    let left = value.multipliedFullWidth(by: Int64(other.timescale))
    let right = other.value.multipliedFullWidth(by: Int64(timescale))
    return left < right ? -1 : left == right ? 0 : 1
  }

  private static let numericRank = 1

  private var rank: Int {
    if isNumeric { return Self.numericRank }
    return isNegativeInfinity ? 0 : isIndefinite ? 2 : isPositiveInfinity ? 3 : 4
  }
}

extension CMTime: Hashable {
  /// Hashes the time independently of its timescale.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard isNumeric else { return }
    var (a, b) = (value.magnitude, UInt64(timescale))
    while b != 0 { (a, b) = (b, a % b) }
    hasher.combine(epoch)
    hasher.combine(value < 0)
    hasher.combine(value.magnitude / a)
    hasher.combine(UInt64(timescale) / a)
  }
}

/// Compares two times: −1 if the first is earlier, 0 if they are equal, 1 if it is later.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1.order(time2) }
