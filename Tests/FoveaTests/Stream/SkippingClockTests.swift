// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

@Suite struct SkippingClockTests {
  private func frame(_ number: Int, _ seconds: Double) throws -> VideoFrame {
    var frame = try Scripted.smallFrame(1)
    (frame.number, frame.seconds) = (number, seconds)
    return frame
  }

  @Test func `the time of skipped frames is left out`() throws {
    var clock = SkippingClock()
    #expect(clock.time(of: try frame(4, -0.0)) == FrameTime(number: 4, seconds: -0.0))
    for number in 5...9 { clock.skip(try frame(number, 10 * Double(number))) }
    // One frame and its own ten seconds after frame 4.
    #expect(clock.time(of: try frame(10, 100)) == FrameTime(number: 5, seconds: 10))
    #expect(clock.time(of: try frame(12, 120)) == FrameTime(number: 7, seconds: 30))
  }

  @Test(arguments: [.nan, .infinity, -1] as [Double])
  func `a wrong time is no time`(_ seconds: Double) throws {
    var clock = SkippingClock()
    _ = clock.time(of: try frame(1, 0))
    clock.skip(try frame(.min, seconds))
    clock.skip(try frame(.max, seconds))
    _ = clock.time(of: try frame(2, 5))
    #expect(clock.time(of: try frame(3, 6)).seconds == 6)
  }
}
