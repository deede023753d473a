// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct PercentTextTests {
  @Test(arguments: [
    ("a-._~Z9", "a-._~Z9"), ("a b/&=+%", "a%20b%2F%26%3D%2B%25"), ("ü", "%C3%BC"), ("", ""),
  ])
  func `percent encoding round-trips`(text: String, coded: String) {
    #expect(PercentText.encode(text) == coded)
    #expect(PercentText.decode(coded) == text)
  }

  @Test func `a plus is a space only in queries`() {
    #expect(PercentText.decode("a+b%2B") == "a+b+")
    #expect(PercentText.decode("a+b%2B", plusIsSpace: true) == "a b+")
    #expect(PercentText.encode("a/b c", keeping: "/") == "a/b%20c")
  }

  @Test(arguments: ["%", "%1", "%zz", "a%", "%ff", "%C3"]) func `bad encoding is rejected`(_ text: String) {
    #expect(PercentText.decode(text) == nil)
  }
}
