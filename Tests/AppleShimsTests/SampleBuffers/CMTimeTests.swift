// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Testing

@Suite struct CMTimeTests {
  @Test(
    arguments: [
      (0.5, 600, 300, false), (0.334, 600, 200, true), (-2.25, 4, -9, false), (0, 1, 0, false),
      (1e10, 1_000_000_000, 4_882_812_500_000_000_000, false),
    ] as [(Double, Int32, Int64, Bool)])
  func `seconds are rounded to the nearest fraction`(
    _ seconds: Double, _ scale: Int32, _ value: Int64, _ isRounded: Bool
  ) {
    let time = CMTime(seconds: seconds, preferredTimescale: scale)
    #expect(time.isNumeric)
    if seconds < 1e9 {
      #expect(time.value == value)
      #expect(time.timescale == scale)
      #expect(time.hasBeenRounded == isRounded)
    }
    #expect(abs(time.seconds - seconds) <= 0.5 / Double(time.timescale))
    #expect(CMTimeMakeWithSeconds(seconds, preferredTimescale: scale) == time)
  }

  @Test func `a value that is not a number becomes an invalid time`() {
    #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
    #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
    #expect(!CMTime(seconds: 1, preferredTimescale: -600).isValid)
    #expect(!CMTime(value: 1, timescale: 0).isValid)
    #expect(CMTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
    #expect(CMTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
    #expect(CMTime(seconds: 1e300, preferredTimescale: 600).isPositiveInfinity)
    #expect(CMTime.invalid.seconds.isNaN)
    #expect(CMTime.indefinite.seconds.isNaN && CMTime.indefinite.isIndefinite)
    #expect(CMTimeGetSeconds(.positiveInfinity) == .infinity)
    #expect(CMTime.zero.seconds == 0)
    #expect(CMTime.zero.isValid && CMTime.zero.isNumeric)
  }

  @Test func `times are ordered, whatever their timescales`() {
    let ordered: [CMTime] = [
      .negativeInfinity, CMTimeMake(value: -1, timescale: 3), .zero, CMTimeMake(value: 1, timescale: 3),
      CMTimeMake(value: 334, timescale: 1000), CMTimeMake(value: .max, timescale: .max),
      CMTimeMake(value: .max, timescale: 1), .indefinite, .positiveInfinity, .invalid,
    ]
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        #expect(CMTimeCompare(a, b) == (i < j ? -1 : i == j ? 0 : 1), "\(i) and \(j)")
        #expect((a < b) == (i < j))
      }
    }
    let late = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 1)
    #expect(late > CMTimeMake(value: 1000, timescale: 1))
  }

  @Test func `equal times are one in a set`() {
    let times = [
      CMTimeMake(value: 1, timescale: 2), CMTimeMake(value: 300, timescale: 600),
      CMTimeMake(value: 0, timescale: 5), .zero, .invalid, CMTime(), CMTimeMake(value: -1, timescale: 2),
    ]
    #expect(Set(times).count == 4)
  }

  @Test func `times are added exactly if the sum fits`() {
    let third = CMTimeMake(value: 1, timescale: 3)
    let quarter = CMTimeMake(value: 1, timescale: 4)
    #expect(CMTimeAdd(third, quarter) == CMTimeMake(value: 7, timescale: 12))
    #expect(CMTimeSubtract(third, quarter) == CMTimeMake(value: 1, timescale: 12))
    let large = CMTimeMake(value: 1 << 61, timescale: 1)
    #expect((large + large).seconds == 2 * large.seconds)
    #expect((large + third).isNumeric)
    #expect((CMTimeMake(value: .max, timescale: 1) + large).isPositiveInfinity)
    #expect(
      (CMTimeMake(value: 1, timescale: 2_147_483_647) + CMTimeMake(value: 1, timescale: 2_147_483_646))
        .isNumeric)
    #expect(!(third + .invalid).isValid)
    #expect((third + .positiveInfinity).isPositiveInfinity)
    #expect((third - .positiveInfinity).isNegativeInfinity)
    #expect((CMTime.positiveInfinity - .positiveInfinity).isIndefinite)
    #expect((third + .indefinite).isIndefinite)
  }
}
