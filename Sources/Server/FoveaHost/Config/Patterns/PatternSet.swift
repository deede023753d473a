// SPDX-License-Identifier: Apache-2.0
#if Server
/// A set of characters: sorted ranges that do not touch.
struct PatternSet: Sendable, Hashable {
  private(set) var ranges: [ClosedRange<UInt32>] = []

  private static let last: UInt32 = 0x10FFFF

  init(_ ranges: [ClosedRange<UInt32>] = []) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let end = self.ranges.last, range.lowerBound <= end.upperBound &+ 1 {
        self.ranges[self.ranges.count - 1] = end.lowerBound...max(end.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  static let digits = PatternSet([0x30...0x39])
  static let words = PatternSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let blanks = PatternSet([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
  static let all = PatternSet([0...last])
  /// The characters that `.` matches: all except the end of a line.
  static let noLineEnd = PatternSet([0x0A...0x0A]).inverted

  /// The sets of names such as `[:alpha:]`.
  static let named: [String: PatternSet] = [
    "alnum": PatternSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A]),
    "alpha": PatternSet([0x41...0x5A, 0x61...0x7A]), "ascii": PatternSet([0...0x7F]),
    "blank": PatternSet([0x09...0x09, 0x20...0x20]), "cntrl": PatternSet([0...0x1F, 0x7F...0x7F]),
    "digit": digits, "graph": PatternSet([0x21...0x7E]), "lower": PatternSet([0x61...0x7A]),
    "print": PatternSet([0x20...0x7E]),
    "punct": PatternSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]),
    "space": PatternSet([0x09...0x0D, 0x20...0x20]), "upper": PatternSet([0x41...0x5A]),
    "word": words, "xdigit": PatternSet([0x30...0x39, 0x41...0x46, 0x61...0x66]),
  ]

  /// All other characters.
  var inverted: PatternSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= PatternSet.last { gaps.append(next...PatternSet.last) }
    return PatternSet(gaps)
  }

  func union(_ other: PatternSet) -> PatternSet { PatternSet(ranges + other.ranges) }

  /// The set with both cases of each ASCII letter.
  var inBothCases: PatternSet {
    var more = ranges
    for range in ranges {
      for (first, offset) in [(UInt32(0x41), 32), (UInt32(0x61), -32)] {
        let low = max(range.lowerBound, first)
        let high = min(range.upperBound, first + 25)
        guard low <= high else { continue }
        more.append(UInt32(Int(low) + offset)...UInt32(Int(high) + offset))
      }
    }
    return PatternSet(more)
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= scalar.value
  }
}
#endif
