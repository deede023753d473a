// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension Timestamp {
  /// `2026-11-22T19:16:23.042Z`: always three digits, because Google's Android client parses nothing else.
  package var text: String { CivilDate.text(milliseconds: milliseconds) }

  /// Reads `2026-11-22T19:16:23Z`, or with a fraction of 1 to 9 digits, of which three count; nil for
  /// anything else.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == 0x2D, bytes[7] == 0x2D,
      bytes[10] == 0x54,
      bytes[13] == 0x3A, bytes[16] == 0x3A
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      let digits = bytes[range]
      guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60, second < 60,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == 0x2E, (22...30).contains(bytes.count), number(20..<(bytes.count - 1)) != nil else {
        return nil
      }
      for index in 20..<23 {
        fraction = fraction * 10 + (index < bytes.count - 1 ? Int64(bytes[index] - 0x30) : 0)
      }
    }
    let days = date.daysSince1970
    self.init(milliseconds: ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction)
  }

  /// The start of a day.
  init(day: Int64) { self.init(milliseconds: day * 86_400_000) }

  /// The date, as `2026-11-23`.
  var dayText: String { String(text.prefix(10)) }

  /// Returns a day, in days since 1970-01-01, as `2026-11-23`.
  package static func dayText(_ day: Int64) -> String { Timestamp(day: day).dayText }
}
#endif
