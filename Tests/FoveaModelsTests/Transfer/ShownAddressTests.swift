// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaModels

@Suite struct ShownAddressTests {
  @Test(arguments: [
    ("https://h/a", "https://h/a"), ("https://u:p@h/a?b=c", "https://…@h/a?b=c"),
    ("https://h/a?key=K", "https://h/a?key=…"), ("https://h/a?x=1&sig=S&y=2", "https://h/a?x=1&sig=…&y=2"),
    ("https://h/a?KEY=K", "https://h/a?KEY=…"), ("https://h/a?%6bey=K", "https://h/a?%6bey=…"),
    ("https://h/a?key=K=L&key=M", "https://h/a?key=…&key=…"),
    ("https://h/a?monkey=K", "https://h/a?monkey=K"),
    ("https://h/a?X-Goog-Signature=S&X-Amz-Signature=T", "https://h/a?X-Goog-Signature=…&X-Amz-Signature=…"),
    ("https://h/a?key", "https://h/a?key"), ("https://h/a?", "https://h/a?"), ("", ""), ("?key=K", "?key=…"),
    ("https://h/a?%", "https://h/a?%"), ("https://h/a?%=b", "https://h/a?%=b"),
  ])
  func `an address is shown without its secrets`(_ url: String, _ shown: String) {
    #expect(DownloadAddress.shown(url) == shown)
  }
}
