// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Synchronization
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
      let publish = "/console/publish?name=bird&channel=stable&notes="
      for (form, version) in [
        (publish, "the new version"), (bird + "/channel?channel=stable&version=1", "version 1"),
        // The channel points there, but the rollout ends.
        (bird + "/channel?channel=stable&version=2", "version 2"),
      ] {
        let text = try person.opens(form).body
        #expect(
          text.contains(
            "Devices get version 2, and 20 % of the devices get version 1. With their next request, "
              + "all devices get \(version). The rollout of version 1 ends."), "\(text)")
      }
      #expect(
        try person.opens(bird + "/withdraw?version=1").body.contains(
          "is intact. With their next request, all devices get version 2. The rollout of version 1 ends."))
      try person.confirms(get: bird + "/halt", "Halt the rollout of bird?", "halted")
      #expect(try host.models.model("bird").rollout?.isHalted == true)
      try person.confirms(
        get: bird + "/rollout?version=1&percent=20", "Roll out version 1 of bird?", "rollout")
      try person.confirms(get: bird + "/finish", "Give version 1 of bird to all devices?", "finished")

      let text = "{\"parameters\": {\"a\": {\"defaultValue\": {\"value\": \"<'b'> & \\\"c\\\"\"}}}}\n"
      for basis in 0...1 {
        try person.confirms(
          post: "/console/config/ask", [("basis", String(basis)), ("template", text)],
          "Publish the template?", "config-published")
      }
      #expect(host.service.config.board.current(.apps).template.parameters.map(\.key) == ["a"])
      try person.confirms(
        get: "/console/config/versions/1/rollback", "Roll back to version 1?", "config-rolled-back")

      try person.confirms(post: "/console/experiment/ask", Person.experiment, "Start e1?", "started")
      let kept = "While the experiment &#39;e1&#39; runs, its units get its variants."
      for (form, effect) in [
        (publish, " With their next request, all other devices get the new version."),
        (
          bird + "/channel?channel=stable&version=2",
          " With their next request, all other devices get version 2."
        ),
        (bird + "/rollback", ""), (bird, ""),
      ] {
        let text = try person.opens(form).body
        #expect(text.contains(kept + effect), "\(form): \(text)")
      }
      let first = "/console/experiments/e1"
      try person.confirms(
        get: first + "/weights?weight-0=90&weight-1=10", "Change the weights of e1?", "weights")
      try person.confirms(
        get: first + "/override?unit=phone&variant=b", "Set the test device phone?", "override")
      try person.confirms(get: first + "/pause", "Pause e1?", "paused")
      let paused = try person.opens(publish).body
      #expect(paused.contains("All devices get version 1 now, and all of them get the new version"))
      #expect(try !person.opens(bird).body.contains("e1&#39; runs"))
      try person.confirms(get: first + "/resume", "Resume e1?", "resumed")
      let experiment = try host.service.experiments.experiment("e1")
      #expect(experiment.state == .running && experiment.rows.last?.weights == [90, 10])
      #expect(experiment.overrides == ["phone": "b"])
      try person.confirms(get: first + "/stop", "Stop e1?", "stopped")

      // A draft affects no device until it is started.
      let draft = try person.sends(
        "/console/experiment/draft", Person.experiment.map { $0 == "id" ? ($0, "e2") : ($0, $1) })
      #expect(draft.headers["location"] == "/console/experiments/e2?done=drafted", "\(draft.body)")
      try person.confirms(get: "/console/experiments/e2/resume", "Start e2?", "started")
      try person.confirms(
        get: "/console/experiments/e2/rollout?variant=b", "Roll out b to all?", "rolled-out")
      try person.confirms(get: bird + "/withdraw?version=1", "Withdraw version 1 of bird?", "withdrawn")
    }
  }

  @Test func `a confirmation that is sent twice makes one change, and after another change it is refused`()
    async throws
  {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two", "three"] { try person.publishes(text, "All devices get") }
      let bird = "/console/models/bird"
      let stale = try [
        "/rollout?version=1&percent=20", "/channel?channel=beta&version=1", "/withdraw?version=1",
      ].map { try person.form(bird + $0) }
      let (twin, back) = try (person.form(bird + "/rollback"), person.form(bird + "/rollback"))
      #expect(try person.sends(back.action, back.fields).status == 303)
      let after = try host.models.model("bird")
      #expect(after.channels == ["stable": 2] && after.rollout == nil)
      for form in stale { try person.isRefused(form.action, form.fields) }
      // A second window that shows the same question has the same form.
      for form in [back, twin] {
        try person.isRepeated(form.action, form.fields, bird + "?done=rolled-back")
      }
      // Another session has not sent the form.
      try Person(host).isRefused(back.action, back.fields)
      #expect(try host.models.model("bird") == after)
      // The same change again, from a new page, is another form.
      let again = try person.form(bird + "/rollback")
      #expect(try person.sends(again.action, again.fields).status == 303)
      #expect(try host.models.model("bird").channels == ["stable": 1])
      try person.isRepeated(again.action, again.fields, bird + "?done=rolled-back")
      let late = try person.sends(back.action, back.fields)
      #expect(late.status == 409, "\(late.body)")
      #expect(late.body.contains("was made when the form was sent for the first time"), "\(late.body)")
      #expect(try host.models.model("bird").channels == ["stable": 1])
    }
  }

  @Test func `a confirmation is not for another model of the same name, nor a form without one`()
    async throws
  {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      try person.publishes("one", "All devices get")
      let old = try host.models.model("bird")
      let form = try person.form("/console/models/bird/channel?channel=beta&version=1")
      let deleted = try host.send(as: .admin, "DELETE", "/v1/host/projects/test-project/models/bird")
      #expect(deleted.status < 300, "\(deleted.body)")
      try person.publishes("other", "All devices get no version now")
      let new = try host.models.model("bird")
      #expect(new.revision == old.revision && new.id != old.id)
      let bare = form.fields.filter { $0.0 != "revision" }
      for fields in [form.fields, bare, bare + [("revision", "")], bare + [("revision", "1")]] {
        try person.isRefused(form.action, fields)
      }
      #expect(try host.models.model("bird") == new)
    }
  }

  @Test func `a file is not published for a model that has changed since the form was opened`()
    async throws
  {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      let path = "/console/publish?name=bird&channel=stable&notes="
      let first = try person.form(path)
      try person.publishes("one", "All devices get no version now")
      let second = try person.form(path)
      try person.publishes("two", "All devices get version 1 now")
      let model = try host.models.model("bird")
      for form in [first, second] {
        let answer = try person.sendsFile("three", form.fields)
        #expect(answer.status == 409, "\(answer.body)")
        #expect(answer.body.contains("has changed since the page was opened"), "\(answer.body)")
      }
      #expect(try host.models.model("bird") == model)
    }
  }

  /// Accepts what ``MarkCheck`` accepts, and first points `beta` at version 1 of `bird`.
  private final class ChangingCheck: FileChecking {
    let models = Mutex<ModelService?>(nil)

    func check(_ blob: any Blob) async throws(HostError) -> Result<ModelFacts, FileProblem> {
      if let models = models.withLock({ $0 }) {
        try await models.deliver(models.model("bird").id, actor: "other", action: "channel.set") {
          (model) throws(HostError) in try model.point("beta", at: 1)
        }
      }
      return try await MarkCheck().check(blob)
    }
  }

  @Test func `a file is not published if its model changes while it is checked`() async throws {
    let check = ChangingCheck()
    try await RunningHost.run(checker: check, hasConsole: true) { host in
      let person = try Person(host)
      try person.publishes("one", "All devices get no version now")
      check.models.withLock { $0 = host.models }
      let form = try person.form("/console/publish?name=bird&channel=stable&notes=")
      let answer = try person.sendsFile("two", form.fields)
      #expect(answer.status == 409, "\(answer.body)")
      #expect(answer.body.contains("has changed since the page was opened"), "\(answer.body)")
      let model = try host.models.model("bird")
      #expect(model.versions.count == 1 && model.channels == ["stable": 1, "beta": 1])
    }
  }

  @Test func `a change of an experiment is for the experiment that its confirmation has shown`()
    async throws
  {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two"] { try person.publishes(text, "All devices get") }
      let drafted = try person.sends("/console/experiment/draft", Person.experiment)
      #expect(drafted.headers["location"] == "/console/experiments/e1?done=drafted", "\(drafted.body)")
      let page = "/console/experiments/e1"
      let experiments = host.service.experiments
      /// Opens forms, makes a change, and sends it and the forms again.
      func changes(_ target: String, before stale: [String]) throws -> Experiment {
        let forms = try stale.map { try person.form(page + $0) }
        let form = try person.form(page + target)
        let made = try person.sends(form.action, form.fields)
        #expect(made.status == 303, "\(target): \(made.body)")
        let after = try experiments.experiment("e1")
        for form in forms { try person.isRefused(form.action, form.fields) }
        try person.isRepeated(form.action, form.fields, made.headers["location"])
        #expect(try experiments.experiment("e1") == after, "\(target)")
        return after
      }
      let weights = "/weights?weight-0=80&weight-1=20"
      let override = "/override?unit=phone&variant=b"
      let stopped = ("Devices keep what they get now.", "All devices get the stable version again.")
      #expect(try person.opens(page + "/stop").body.contains(stopped.0))
      let draft = try changes("/weights?weight-0=1&weight-1=99", before: ["/resume", "/stop", weights])
      #expect(draft.state == .draft && draft.rows.last?.weights == [1, 99])
      #expect(try changes("/resume", before: ["/stop", override]).state == .running)
      #expect(try person.opens(page + "/stop").body.contains(stopped.1))
      let running = try changes(
        "/weights?weight-0=10&weight-1=90", before: ["/pause", weights, override, "/rollout?variant=b"])
      #expect(running.rows.last?.weights == [10, 90] && running.overrides.isEmpty)
      #expect(try changes("/pause", before: ["/stop", "/rollout?variant=b"]).state == .paused)
      #expect(try person.opens(page + "/stop").body.contains(stopped.0))
      #expect(try changes("/resume", before: ["/rollout?variant=b"]).state == .running)
      #expect(try changes("/rollout?variant=a", before: ["/pause", "/rollout?variant=b"]).winner == "a")
      #expect(try host.models.model("bird").channels == ["stable": 1])
    }
  }

  @Test func `a question whose button would be refused is refused, and has no link`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two"] { try person.publishes(text, "All devices get") }
      let page = "/console/experiments/e1"
      let links = ["/resume", "/pause", "/stop", "/rollout?variant=b"]
      let drafted = try person.sends("/console/experiment/draft", Person.experiment)
      #expect(drafted.status == 303, "\(drafted.body)")
      /// Checks that exactly these questions open, and that the page has a link to each.
      func offers(_ open: [String], _ state: String) throws {
        let body = try person.opens(page).body
        for link in links {
          let answer = try person.opens(page + link)
          #expect(answer.status == (open.contains(link) ? 200 : 400), "\(state), \(link): \(answer.body)")
          #expect(body.contains(#"href="\#(page)\#(link)""#) == open.contains(link), "\(state), \(link)")
          if !open.contains(link) {
            #expect(answer.body.contains("is \(state) and cannot be"), "\(link): \(answer.body)")
          }
        }
      }
      func makes(_ link: String) throws {
        let form = try person.form(page + link)
        #expect(try person.sends(form.action, form.fields).status == 303, "\(link)")
      }
      try offers(["/resume", "/stop"], "a draft")
      try makes("/resume")
      try offers(["/pause", "/stop", "/rollout?variant=b"], "running")
      #expect(try person.opens(page + "/rollout?variant=c").status == 404)
      try makes("/pause")
      try offers(["/resume", "/stop", "/rollout?variant=b"], "paused")
      try makes("/rollout?variant=b")
      try offers([], "rolled out")
      let changes = ["id": "e2", "unit": "user"]
      let next = Person.experiment.map { ($0, changes[$0] ?? $1) }
      #expect(try person.sends("/console/experiments", next).status == 303)
      let override = try person.opens("/console/experiments/e2/override?unit=ada&variant=b").body
      #expect(override.contains("<h1>Set the test user ada?</h1>"), "\(override)")
      #expect(try person.opens("/console/experiments/e2").body.contains("Test users are not counted."))
      let stop = try person.form("/console/experiments/e2/stop")
      #expect(try person.sends(stop.action, stop.fields).status == 303)
      for link in links {
        let answer = try person.opens("/console/experiments/e2" + link)
        #expect(answer.status == 400 && answer.body.contains("is stopped and cannot be"), "\(answer.body)")
      }
    }
  }

  @Test func `what was withdrawn or revoked is not asked about again`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two"] { try person.publishes(text, "All devices get") }
      let key = try person.form("/console/keys").fields + [("role", "viewer"), ("label", "ci")]
      // The form that is sent again leads to the page that revokes the key.
      let sent = try (0..<2).map { _ in try person.sends("/console/keys", key) }
      let revocation = try #require(sent[1].headers["location"], "\(sent[1].body)")
      for (page, problem) in [
        (
          "/console/models/bird/withdraw?version=1",
          "Version 1 of the model &#39;bird&#39; is already withdrawn."
        ),
        (revocation, " is already revoked."),
      ] {
        let form = try person.form(page)
        #expect(try person.sends(form.action, form.fields).status == 303, "\(page)")
        let again = try person.opens(page)
        #expect(again.status == 400 && again.body.contains(problem), "\(again.body)")
        #expect(again.body.contains("Nothing needs to be done."), "\(again.body)")
      }
    }
  }

  @Test(arguments: ["", "?namespace=firebase-server"])
  func `a template is rolled back from the version that the confirmation has shown`(
    _ query: String
  ) async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      let namespace = query.isEmpty ? ConfigNamespace.apps : .servers
      let board = host.service.config.board
      func publishes(_ basis: Int) throws {
        let form = [
          ("namespace", namespace.rawValue), ("basis", String(basis)),
          ("template", #"{"parameters": {"a": {"defaultValue": {"value": "\#(basis)"}}}}"#),
        ]
        let made = try person.sends("/console/config", form)
        #expect(made.status == 303, "\(made.body)")
      }
      for basis in 0...2 { try publishes(basis) }
      let path = "/console/config/versions/1/rollback" + query
      let stale = try person.form(path)
      try publishes(3)
      try person.isRefused(stale.action, stale.fields)
      #expect(board.current(namespace).number == 4)
      let form = try person.form(path)
      let made = try person.sends(form.action, form.fields)
      #expect(made.status == 303, "\(made.body)")
      try person.isRepeated(form.action, form.fields, made.headers["location"])
      #expect(board.current(namespace).number == 5)
      // There is no way back to the version in force.
      for (number, status) in [(4, 200), (5, 400), (6, 404)] {
        let page = try person.opens("/console/config/versions/\(number)/rollback" + query)
        #expect(page.status == status, "\(number): \(page.body)")
      }
    }
  }

  @Test func `a text that cannot be published is not confirmed, and Cancel keeps it`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      let wrong = try person.sends("/console/config/ask", [("basis", "0"), ("template", "{\"x\": 1}")])
      #expect(wrong.status == 400 && wrong.body.contains(#"<textarea class="code" id="template""#))
      // A question keeps its mark.
      let misspelt = [("basis", "0"), ("template", #"{"paramters": {}}"#)]
      for path in ["/console/config/ask", "/console/config/check", "/console/config"] {
        let body = try person.sends(path, misspelt).body
        #expect(body.contains("did you mean &#39;parameters&#39;? Correct the template"), "\(path): \(body)")
      }
      let right = try person.sends("/console/config/ask", [("basis", "0"), ("template", "{}")])
      #expect(right.body.contains(#"<button formaction="/console/config/check">Cancel</button>"#))
      let fields = [("id", "e1"), ("model", "bird"), ("variants", "1:50"), ("metric", "seen")]
      let alone = try person.sends("/console/experiment/ask", fields)
      #expect(alone.status == 400 && alone.body.contains(#"value="1:50""#), "\(alone.body)")
      let again = try person.sends("/console/experiment/edit", fields)
      #expect(again.status == 200 && again.body.contains(#"value="1:50""#), "\(again.body)")
      let condition = [
        ("id", "e1"), ("model", ""), ("variants", "a:1,b:1"), ("metric", "seen"),
        ("condition", "device.oss == 'ios'"),
      ]
      let unknown = try person.sends("/console/experiment/ask", condition)
      #expect(
        unknown.status == 400 && unknown.body.contains("&#39;device.os&#39;? Correct it"), "\(unknown.body)")
      let unnamed = try person.opens("/console/publish")
      #expect(unnamed.headers["location"] == "/console/models")
    }
  }
}

/// A person who is signed in to the console of a running host.
struct Person {
  /// The fields of the form of a new experiment, `e1`, with the versions 1 and 2 of `bird`.
  static let experiment = [
    ("id", "e1"), ("model", "bird"), ("variants", "1:50,2:50"), ("metric", "seen"), ("hours", "24"),
    ("planned", "10"), ("kind", "conversion"), ("unit", "installation"),
  ]

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
    post path: String, _ fields: [(String, String)], _ title: String, _ notice: String
  ) throws {
    try confirms(title, notice) { try sends(path, fields) }
  }

  /// Publishes a version on the stable channel.
  func publishes(_ text: String, _ question: String) throws {
    let before = try changes()
    let page = try opens("/console/publish?name=bird&channel=stable&notes=")
    #expect(page.body.contains(question) && page.body.contains("<h1>Publish a version of bird?</h1>"))
    #expect(
      page.body.contains(#"<form method="post" action="/console/publish" enctype="multipart/form-data">"#))
    #expect(try changes() == before)
    let answer = try sendsFile(text, Self.fields(page.body))
    #expect(answer.headers["location"] == "/console/models/bird?done=published", "\(answer.body)")
  }

  /// Sends a form with a model.
  func sendsFile(_ text: String, _ fields: [(String, String)]) throws -> HTTPAnswer {
    var body = ""
    for (name, value) in fields {
      body += "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    body += "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.tflite\"\r\n\r\n"
    body += markedModel(text) + "\r\n--x--\r\n"
    return try host.send(
      "POST", "/console/publish",
      headers: ["Cookie": cookie, "Content-Type": "multipart/form-data; boundary=x"], body: Array(body.utf8))
  }

  /// Sends the form of a confirmation that does not show the present state.
  func isRefused(_ action: String, _ fields: [(String, String)]) throws {
    let answer = try sends(action, fields)
    #expect(answer.status == 409, "\(action): \(answer.status) \(answer.body)")
    #expect(answer.body.contains("has changed since the page was opened"), "\(action): \(answer.body)")
  }

  /// Sends the form of a confirmation again, whose change was the last one.
  func isRepeated(_ action: String, _ fields: [(String, String)], _ page: String?) throws {
    let before = try changes()
    let answer = try sends(action, fields)
    #expect(answer.status == 303, "\(action): \(answer.status) \(answer.body)")
    #expect(answer.headers["location"] == page && page != nil, "\(action)")
    #expect(try changes() == before, "\(action)")
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

  static func form(
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
