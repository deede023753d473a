// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

/// The answers to requests for addresses that the console does not have.
@Suite struct UnknownPageTests {
  @Test(
    arguments: [
      ("/console/nope", 404, "/console/models"), ("/console/nope/a/b?c=d", 404, "/console/models"),
      ("/console/%3Cb%3E", 404, "/console/models"),
      ("/console/models/bird/nope", 404, "/console/models/bird"),
      ("/console/config/versions", 404, "/console/config"), ("/console/sign-out", 405, "/console/models"),
      ("/console/experiment/ask", 405, "/console/experiments"),
    ])
  func `a person gets a page with a link back, and the sign-in without a session`(
    _ path: String, _ status: Int, _ back: String
  ) async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      let page = try person.opens(path)
      #expect(page.status == status && page.headers["content-type"] == "text/html; charset=utf-8")
      let message =
        status == 405 ? "This address accepts only the form of a page." : "The console has no such page."
      #expect(page.body.contains(message) && page.body.contains("Use the navigation."), "\(page.body)")
      #expect(page.body.contains(#"<a href="\#(back)">Back</a>"#), "\(page.body)")
      #expect(page.headers["allow"] == (status == 405 ? "POST" : nil))
      for method in ["GET", "HEAD"] {
        let anonymous = try host.send(method, path)
        #expect(anonymous.status == 303 && anonymous.headers["location"] == "/console/sign-in")
      }
      guard status == 404 else { return }
      let sent = try person.sends(path, [])
      #expect(sent.status == 404 && sent.body.contains(message), "\(sent.body)")
    }
  }

  @Test func `a form for a page that accepts none is refused with a page`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let refused = try Person(host).sends("/console/audit", [])
      #expect(refused.status == 405 && refused.headers["allow"] == "GET, HEAD")
      #expect(refused.body.contains("This address is a page, and accepts no form."), "\(refused.body)")
    }
  }

  @Test(
    arguments: [
      ("/console/experiments/nope/pause", "/console/experiments"),
      ("/console/experiments/nope", "/console/experiments"),
      ("/console/models/nope/halt", "/console/models"), ("/console/models/nope", "/console/models"),
      ("/console/models/bird/channel?channel=stable&version=9", "/console/models/bird"),
    ])
  func `an unknown model or experiment leads back to the list`(_ path: String, _ back: String) async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      try person.publishes("one", "All devices get")
      let page = try person.opens(path)
      #expect(page.status == 404 && page.body.contains(#"<a href="\#(back)">Back</a>"#), "\(page.body)")
    }
  }

  @Test func `other routes and methods are refused as JSON`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      var answers = try ["/v1/host/nope", "/consoles", "/console/assets/nope"].map { try person.opens($0) }
      answers.append(try host.send("PUT", "/console/nope"))
      for answer in answers {
        #expect(answer.status == 404 && answer.body.hasPrefix(#"{"error": {"#), "\(answer.body)")
        #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
      }
    }
  }
}
#endif
