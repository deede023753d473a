// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@Suite struct ModelFilterTests {
  @Test(
    arguments: [
      ("displayName = m", [[.name("m")]]), ("displayName=m", [[.name("m")]]),
      ("display_name:pre*", [[.namePrefix("pre")]]),
      ("displayName:m", [[.name("m")]]), ("tags: a AND tags: b", [[.tag("a"), .tag("b")]]),
      ("tags:'a b'", [[.tag("a b")]]),
      ("tags:\"a\"", [[.tag("a")]]), ("state.published = true", [[.published(true)]]),
      ("state.published=false", [[.published(false)]]),
      ("displayName=a OR tags:b AND tags:c", [[.name("a")], [.tag("b"), .tag("c")]]),
      ("displayName=a or tags:b", [[.name("a")], [.tag("b")]]),
    ] as [(String, [[ModelFilter.Term]])])
  func `filters that Google documents`(text: String, expected: [[ModelFilter.Term]]) throws {
    #expect(try ModelFilter(text).alternatives == expected)
  }

  @Test(arguments: [
    "", " ", "InvalidFilterParam=123", "displayName", "displayName=", "displayName>3", "tags:'a",
    "tags:a AND",
    "tags:a XOR tags:b", "tags:a tags:b", "state.published=yes", "AND", "=", "*", "displayName=é",
    String(repeating: "tags:a AND ", count: 200) + "tags:a",
  ])
  func `text that is not a filter is an invalid argument`(text: String) {
    let error = #expect(throws: HostError.self) { try ModelFilter(text) }
    #expect(error?.code == .invalid)
    #expect(error?.wireText == "Request contains an invalid argument.")
  }

  @Test func `a filter matches the models that satisfy all terms of an alternative`() throws {
    var model = HostModel(
      project: "project", id: "1", name: "birds", created: Timestamp(milliseconds: 0), seed: "s")
    model.tags = ["a", "b"]
    for (text, isTaken) in [
      ("displayName=birds", true), ("displayName:bir*", true), ("displayName=bir", false),
      ("tags:a AND tags:b", true),
      ("tags:a AND tags:c", false), ("tags:c OR displayName=birds", true), ("state.published=true", false),
      ("state.published=false", true),
    ] {
      #expect(try ModelFilter(text).matches(model) == isTaken, "\(text)")
    }
  }
}
#endif
