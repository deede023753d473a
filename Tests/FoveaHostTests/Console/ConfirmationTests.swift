// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// Every change that affects devices is made by a form of a confirmation.
@Suite struct ConfirmationTests {
  /// The forms of the console that are sent by POST, with the route of the confirmation that has the form;
  /// nil for those that affect no device.
  private static let forms: [String: String?] = [
    "/console/sign-in": nil,
    "/console/sign-out": nil,
    "/console/keys": nil,
    "/console/keys/{key}/revoke": "GET /console/keys/{key}/revoke",
    "/console/publish": "GET /console/publish",
    "/console/models/{model}/channel": "GET /console/models/{model}/channel",
    "/console/models/{model}/finish": "GET /console/models/{model}/finish",
    "/console/models/{model}/halt": "GET /console/models/{model}/halt",
    "/console/models/{model}/rollback": "GET /console/models/{model}/rollback",
    "/console/models/{model}/rollout": "GET /console/models/{model}/rollout",
    "/console/models/{model}/withdraw": "GET /console/models/{model}/withdraw",
    "/console/config": "POST /console/config/ask",
    "/console/config/ask": nil,
    "/console/config/check": nil,
    "/console/config/versions/{version}/rollback": "GET /console/config/versions/{version}/rollback",
    "/console/experiments": "POST /console/experiment/ask",
    "/console/experiment/ask": nil,
    "/console/experiment/draft": nil,
    "/console/experiment/edit": nil,
    "/console/experiments/{experiment}/override": "GET /console/experiments/{experiment}/override",
    "/console/experiments/{experiment}/pause": "GET /console/experiments/{experiment}/pause",
    "/console/experiments/{experiment}/resume": "GET /console/experiments/{experiment}/resume",
    "/console/experiments/{experiment}/rollout": "GET /console/experiments/{experiment}/rollout",
    "/console/experiments/{experiment}/stop": "GET /console/experiments/{experiment}/stop",
    "/console/experiments/{experiment}/weights": "GET /console/experiments/{experiment}/weights",
  ]

  @Test func `only confirmations have the forms that affect devices`() throws {
    let folder = PackageRoot.path + "/Sources/C/CPages/console"
    for name in try Folder.names(in: folder) where name.hasSuffix(".html") && name != "confirm.html" {
      let text = String(decoding: try SmallFile.bytes(of: "\(folder)/\(name)", limit: 1 << 20), as: UTF8.self)
      var isReading = false
      for part in text.split(separator: "<").map(String.init) {
        if part.hasPrefix("form ") { isReading = part.contains(#"method="get""#) }
        for piece in part.split(separator: "action=\"").dropFirst() where !isReading {
          var action = String(piece.prefix { $0 != "\"" })
          if name == "model.html" { action.replace("{{link}}", with: "/console/models/{model}") }
          if name == "experiment.html" {
            action.replace("{{link}}", with: "/console/experiments/{experiment}")
          }
          let asks = try #require(Self.forms[action], "\(name): the form \(action) is not in the table")
          #expect(asks == nil, "\(name): the form \(action) is sent without a confirmation")
        }
      }
    }
  }

  @Test func `each change waits for its confirmation, and is made by it`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let posts = host.service.routes.filter { $0.hasPrefix("POST /console") }
      #expect(Set(posts) == Set(Self.forms.keys.map { "POST " + $0 }))
      for case let asks? in Self.forms.values { #expect(host.service.routes.contains(asks), "\(asks)") }

      let person = try Person(host)
      try person.publishes("one", "All devices get no version now, and all of them get the new version")
      try person.publishes("two", "All devices get version 1 now, and all of them get the new version")
      #expect(try host.models.model("bird").channels == ["stable": 2])
      let bird = "/console/models/bird"
      try person.confirms(
        get: bird + "/channel?channel=stable&version=1", "Point stable at version 1?", "pointed")
      try person.confirms(get: bird + "/rollback", "Roll back bird?", "rolled-back")
      try person.confirms(
        get: bird + "/rollout?version=1&percent=20", "Roll out version 1 of bird?", "rollout")
      try person.confirms(get: bird + "/halt", "Halt the rollout of bird?", "halted")
      #expect(try host.models.model("bird").rollout?.isHalted == true)
      try person.confirms(
        get: bird + "/rollout?version=1&percent=20", "Roll out version 1 of bird?", "rollout")
      try person.confirms(get: bird + "/finish", "Give version 1 of bird to all devices?", "finished")

      let text = "{\"parameters\": {\"a\": {\"defaultValue\": {\"value\": \"<'b'> & \\\"c\\\"\"}}}}\n"
      for basis in 0...1 {
        try person.confirms(
          post: "/console/config/ask", ["basis": String(basis), "template": text], "Publish the template?",
          "config-published")
      }
      #expect(host.service.config.board.current(.apps).template.parameters.map(\.key) == ["a"])
      try person.confirms(
        get: "/console/config/versions/1/rollback", "Roll back to version 1?", "config-rolled-back")

      let fields: KeyValuePairs = [
        "id": "e1", "model": "bird", "variants": "1:50,2:50", "metric": "seen", "hours": "24",
        "planned": "10", "kind": "conversion", "unit": "installation",
      ]
      try person.confirms(post: "/console/experiment/ask", fields, "Start e1?", "started")
      let first = "/console/experiments/e1"
      try person.confirms(
        get: first + "/weights?weight-0=90&weight-1=10", "Change the weights of e1?", "weights")
      try person.confirms(
        get: first + "/override?unit=phone&variant=b", "Set the test device phone?", "override")
      try person.confirms(get: first + "/pause", "Pause e1?", "paused")
      try person.confirms(get: first + "/resume", "Resume e1?", "resumed")
      let experiment = try host.service.experiments.experiment("e1")
      #expect(experiment.state == .running && experiment.rows.last?.weights == [90, 10])
      #expect(experiment.overrides == ["phone": "b"])
      try person.confirms(get: first + "/stop", "Stop e1?", "stopped")

      // A draft affects no device until it is started.
      let draft = try person.sends(
        "/console/experiment/draft", fields.map { $0 == "id" ? ($0, "e2") : ($0, $1) })
      #expect(draft.headers["location"] == "/console/experiments/e2?done=drafted", "\(draft.body)")
      try person.confirms(get: "/console/experiments/e2/resume", "Start e2?", "started")
      try person.confirms(
        get: "/console/experiments/e2/rollout?variant=b", "Roll out b to all?", "rolled-out")
      try person.confirms(get: bird + "/withdraw?version=1", "Withdraw version 1 of bird?", "withdrawn")
    }
  }

  @Test func `a confirmation that is sent twice, or after another change, is refused`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two", "three"] { try person.publishes(text, "All devices get") }
      let bird = "/console/models/bird"
      let stale = try [
        "/rollback", "/rollout?version=1&percent=20", "/channel?channel=beta&version=1",
        "/withdraw?version=1",
      ].map {
        try person.form(bird + $0)
      }
      let back = try person.form(bird + "/rollback")
      #expect(try person.sends(back.action, back.fields).status == 303)
      #expect(try host.models.model("bird").channels == ["stable": 2])
      for form in [back] + stale {
        let answer = try person.sends(form.action, form.fields)
        #expect(answer.status == 409, "\(form.action): \(answer.status)")
        #expect(answer.body.contains("has changed since the page was opened"), "\(answer.body)")
      }
      #expect(try host.models.model("bird").channels == ["stable": 2])
      #expect(try host.models.model("bird").rollout == nil)
    }
  }

  @Test func `a text that cannot be published is not confirmed, and Cancel keeps it`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      let wrong = try person.sends("/console/config/ask", [("basis", "0"), ("template", "{\"x\": 1}")])
      #expect(wrong.status == 400 && wrong.body.contains(#"<textarea class="code" id="template""#))
      let right = try person.sends("/console/config/ask", [("basis", "0"), ("template", "{}")])
      #expect(right.body.contains(#"<button formaction="/console/config/check">Cancel</button>"#))
      let fields = [("id", "e1"), ("model", "bird"), ("variants", "1:50"), ("metric", "seen")]
      let alone = try person.sends("/console/experiment/ask", fields)
      #expect(alone.status == 400 && alone.body.contains(#"value="1:50""#), "\(alone.body)")
      let again = try person.sends("/console/experiment/edit", fields)
      #expect(again.status == 200 && again.body.contains(#"value="1:50""#), "\(again.body)")
      let unnamed = try person.opens("/console/publish")
      #expect(unnamed.headers["location"] == "/console/models")
    }
  }
}

/// A person who is signed in to the console of a running host.
struct Person {
  private let host: RunningHost
  private let cookie: String
  private let form: String

  init(_ host: RunningHost) throws {
    self.host = host
    let account = try #require(try RunningHost.accounts.get()[.admin])
    let answer = try host.send(
      "POST", "/console/sign-in", body: Array("key=\(PercentText.encode(account.json))".utf8))
    let cookie = String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
    self.cookie = cookie
    let page = try host.send("GET", "/console/models", headers: ["Cookie": cookie])
    form = try #require(Self.fields(page.body).first { $0.0 == "form" }?.1)
  }

  func opens(_ path: String) throws -> HTTPAnswer { try host.send("GET", path, headers: ["Cookie": cookie]) }

  func sends(_ path: String, _ fields: [(String, String)]) throws -> HTTPAnswer {
    let items = [("form", form)] + fields.filter { $0.0 != "form" }
    let text = items.map { "\($0.0)=\(PercentText.encode($0.1))" }.joined(separator: "&")
    return try host.send("POST", path, headers: ["Cookie": cookie], body: Array(text.utf8))
  }

  func confirms(get path: String, _ title: String, _ notice: String) throws {
    try confirms(title, notice) { try opens(path) }
  }

  func confirms(
    post path: String, _ fields: KeyValuePairs<String, String>, _ title: String, _ notice: String
  ) throws {
    try confirms(title, notice) { try sends(path, fields.map { ($0.key, $0.value) }) }
  }

  /// Publishes a version on the stable channel.
  func publishes(_ text: String, _ question: String) throws {
    let before = try changes()
    let page = try opens("/console/publish?name=bird&channel=stable&notes=")
    #expect(page.body.contains(question) && page.body.contains("<h1>Publish a version of bird?</h1>"))
    #expect(
      page.body.contains(#"<form method="post" action="/console/publish" enctype="multipart/form-data">"#))
    #expect(try changes() == before)
    var body = ""
    for (name, value) in Self.fields(page.body) {
      body += "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    body += "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.tflite\"\r\n\r\n"
    body += markedModel(text) + "\r\n--x--\r\n"
    let answer = try host.send(
      "POST", "/console/publish",
      headers: ["Cookie": cookie, "Content-Type": "multipart/form-data; boundary=x"], body: Array(body.utf8))
    #expect(answer.headers["location"] == "/console/models/bird?done=published", "\(answer.body)")
  }

  /// Opens a confirmation, which changes nothing, and sends its form.
  private func confirms(_ title: String, _ notice: String, _ open: () throws -> HTTPAnswer) throws {
    let before = try changes()
    let page = try open()
    #expect(page.status == 200 && page.body.contains("<h1>\(title)</h1>"), "\(title): \(page.body)")
    #expect(try changes() == before, "\(title)")
    let form = try Self.form(in: page, title)
    let answer = try sends(form.action, form.fields)
    let location = answer.headers["location"] ?? ""
    #expect(location.hasSuffix("done=\(notice)"), "\(title): \(answer.status) \(location) \(answer.body)")
    #expect(try changes() == before + 1, "\(title)")
  }

  /// Returns the form of a confirmation, without sending it.
  func form(_ path: String) throws -> (action: String, fields: [(String, String)]) {
    try Self.form(in: opens(path), path)
  }

  private static func form(
    in page: HTTPAnswer, _ title: String
  ) throws -> (action: String, fields: [(String, String)]) {
    let main = page.body.split(separator: "<main").last.map(String.init) ?? ""
    return (try #require(value(of: #"method="post" action=""#, in: main), "\(title)"), fields(main))
  }

  /// The number of rows of the audit log.
  private func changes() throws -> Int {
    let page = try opens("/console/audit.csv")
    #expect(page.status == 200)
    return page.body.split(separator: "\n").count { $0.prefixMatch(of: /\d+,2/) != nil }
  }

  private static func value(of mark: String, in text: String) -> String? {
    text.firstRange(of: mark).map { plain(text[$0.upperBound...].prefix { $0 != "\"" }) }
  }

  /// Returns the hidden fields of a page.
  private static func fields(_ page: String) -> [(String, String)] {
    page.split(separator: #"<input type="hidden" "#).dropFirst().compactMap { part in
      guard let name = value(of: #"name=""#, in: String(part)),
        let value = value(of: #"value=""#, in: String(part))
      else { return nil }
      return (name, value)
    }
  }

  private static func plain(_ text: Substring) -> String {
    var text = String(text)
    for (mark, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    {
      text.replace(mark, with: character)
    }
    return text
  }
}
#endif
