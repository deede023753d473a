// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@Suite struct HostNameTests {
  static let hostile = [
    "", " ", "../a", "a/b", "a b", "a\u{0}", "a\n", "a:download", "a@@b", ".a", "%2e%2e", "ä", "日本", "а",
    "a\u{301}",
    "ａ", "a\u{202E}", String(repeating: "a", count: 10_000),
  ]

  @Test(arguments: hostile)
  func `a hostile name is rejected`(text: String) {
    #expect(!HostName.isName(text))
    #expect(text.isEmpty || !HostName.isProject(text + "bcdefg"))
    #expect(!text.isSHA256)
    #expect(HostName.shown(text).utf8.count < 400)
  }

  @Test(arguments: [
    ("a", true, true, false), ("con", true, true, true), ("A_b-9", true, false, false),
    ("my-project", true, true, true), ("a.b.c", false, false, true), ("aB", true, false, false),
    ("demo-x.appspot.com", false, false, true), ("Demo-project", true, false, false),
    (String(repeating: "a", count: 30), true, true, true),
    (String(repeating: "a", count: 32), true, false, true),
    (String(repeating: "a", count: 33), false, false, true),
  ])
  func `names, projects and buckets have Google's forms`(
    text: String, isName: Bool, isProject: Bool, isBucket: Bool
  ) {
    #expect(HostName.isName(text) == isName)
    #expect(HostName.isProject(text) == isProject)
    #expect(HostName.isBucket(text) == isBucket)
  }

  /// A domain with labels of some lengths.
  private static func domain(_ lengths: Int...) -> String {
    lengths.map { String(repeating: "a", count: $0) }.joined(separator: ".")
  }

  @Test(arguments: [
    ("my.domain", true), ("modelhost.local", true), ("localhost", true), ("xn--a.example", true),
    (domain(63, 63, 63, 61), true), (domain(63, 63, 63, 62), false), (domain(64, 3), false),
    ("1.2.3.4", false), ("4.domain", true), ("domain.4a", true), ("-a.b", false), ("a-.b", false),
    ("-", false),
    ("not a domain", false), ("https://evil.example/a?b", false), ("a_b", false), (".a", false),
    ("a.", false), ("a..b", false), (".", false), ("", false), ("ä.example", false), ("a:1", false),
  ])
  func `a domain has labels of letters, digits and hyphens`(text: String, isDomain: Bool) {
    #expect(HostName.isDomain(text) == isDomain)
  }

  @Test(arguments: [("demo", false), ("demos", false), ("demo-1", true), ("DEMO-1", false), ("", false)])
  func `Google's Python clients accept projects of at least 6 characters`(text: String, isTaken: Bool) {
    #expect(HostName.isProjectOfGoogle(text) == isTaken)
  }
}
#endif
