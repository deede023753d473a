// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
@testable import FoveaHost
import Testing

@Suite struct KeyPagesTests {
  private static let now = Timestamp(milliseconds: 1_795_424_046_306)

  private static func key(label: String?, role: HostKey.Role = .publisher) -> HostKey {
    HostKey(
      id: "0123456789abcdef", project: "birds", role: role,
      name: "publisher-1a2b@birds.iam.gserviceaccount.com", publicKey: nil, digest: nil, created: now,
      label: label)
  }

  @Test(
    arguments: [
      (nil, #"<td data-name="Name"></td>"#), ("ci of the app", #"<td data-name="Name">ci of the app</td>"#),
      ("<b>", #"<td data-name="Name">&lt;b&gt;</td>"#),
    ] as [(String?, String)])
  func `the list has the name of a key and its account`(label: String?, cell: String) throws {
    let row = KeyPages.row(Self.key(label: label), now: Self.now)
    let text = try PageTemplates().render("keys", ["keys": [row]])
    #expect(text.contains(cell), "\(text)")
    #expect(
      text.contains(
        #"<td data-name="Account"><span title="publisher-1a2b@birds.iam.gserviceaccount.com">publisher-1a2b<"#
      ), "\(text)")
    #expect(text.contains(#"<input id="label" name="label""#))
  }

  @Test func `the confirmation names the key, and what is not revoked`() {
    let name = "'ci' (publisher-1a2b@birds.iam.gserviceaccount.com)"
    let effect = "and everything that it has signed become invalid at once."
    #expect(
      KeyPages.question(Self.key(label: "ci"), isOwn: false) == "The publisher key \(name) \(effect)")
    #expect(
      KeyPages.question(Self.key(label: "ci", role: .admin), isOwn: true)
        == "The admin key \(name) \(effect) The last key of an administrator is not revoked."
        + " You are signed in with this key.")
  }

  @Test(arguments: [("CI", 1), ("1a2b", 1), ("publisher", 1), ("0123", 1), ("crab", 0)])
  func `a key is found by its name too`(text: String, count: Int) throws {
    let part = ListPart(
      [Self.key(label: "ci of the app")], try RequestQuery("q=\(text)"), path: "/l", texts: KeyPages.texts)
    #expect(part.elements.count == count)
  }

  @Test(
    arguments: [
      ("app", nil, nil, KeyProperties(.app)), ("viewer", "", "", KeyProperties(.viewer)),
      ("admin", "ci", nil, KeyProperties(.admin, label: "ci")),
      (
        "publisher", "ci", "2027-06-15",
        KeyProperties(.publisher, label: "ci", expires: Timestamp(text: "2027-06-15T23:59:59Z"))
      ),
    ] as [(String, String?, String?, KeyProperties)])
  func `the form creates the requested key`(
    role: String, label: String?, lastDay: String?, properties: KeyProperties
  ) throws {
    #expect(try KeyPages.properties(role: role, label: label, lastDay: lastDay, now: Self.now) == properties)
  }

  @Test(
    arguments: [
      ("root", nil, "'root' is not a role"),
      ("admin", "2026-11-22", "The last day '2026-11-22' is not a future day"),
      ("admin", "soon", "The last day 'soon' is not a future day"),
    ] as [(String, String?, String)])
  func `an invalid role or last day creates no key`(role: String, lastDay: String?, message: String) {
    let error = #expect(throws: HostError.self) {
      try KeyPages.properties(role: role, label: nil, lastDay: lastDay, now: Self.now)
    }
    #expect(error?.code == .invalid && error?.message == message)
  }
}
#endif
