// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCore

@Suite struct MemberNamesTests {
  private struct Limits {
    var count: Int?
    var isExact = false
  }

  private struct Settings {
    var maxObjects: Int?
    var limits = Limits()
    var labels: [String] = []
  }

  @Test(arguments: [
    ("maxObjects", "max-objects"), ("_maxObjects", "max-objects"), ("single", "single"),
    ("crossClassIou", "cross-class-iou"), ("", ""), ("_", ""),
  ])
  func `a member has the name of its option`(label: String, name: String) {
    #expect(MemberNames.name(label) == name)
  }

  @Test func `the members that differ are named in order`() {
    let usual = Settings()
    #expect(MemberNames.different(usual, usual) == [])
    #expect(MemberNames.different(1, 2) == [])
    var given = Settings(maxObjects: 3, labels: ["cat"])
    #expect(MemberNames.different(given, usual) == ["max-objects", "labels"])
    given.limits.isExact = true
    #expect(MemberNames.different(given, usual) == ["max-objects", "limits", "labels"])
    #expect(
      MemberNames.different(given, usual) { $0 as? Limits } == ["max-objects", "is-exact", "labels"])
  }
}
