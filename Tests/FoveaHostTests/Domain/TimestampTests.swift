// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [(0.0, 1_000), (1.5, 2_500), (-1, 0), (0.0004, 1_000), (0.0006, 1_001)])
  func `a moment some seconds later`(seconds: Double, milliseconds: Int64) {
    #expect(Timestamp(milliseconds: 1_000).advanced(seconds: seconds).milliseconds == milliseconds)
  }
}
#endif
