// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaHost

/// A form that is sent twice, as a browser without scripts does at a double click, makes one change, and both
/// answers are the first.
@Suite struct SentFormsTests {
  private static let made = "was made when the form was sent for the first time"

  /// Accepts what ``MarkCheck`` accepts, and counts the checks.
  private final class CountingCheck: FileChecking {
    let count = Mutex(0)

    func check(_ blob: any Blob) async throws(HostError) -> Result<ModelFacts, FileProblem> {
      count.withLock { $0 += 1 }
      return try await MarkCheck().check(blob)
    }
  }

  @Test(
    arguments: [
      ([], "new", 1, 1, "published"), (["one"], "new", 2, 2, "published"),
      (["one", "two"], "new", 3, 3, "published"),
      // The bytes of the version that the channel points at change nothing.
      (["one"], "one", 1, 1, "published-again"),
      // Those of another version move the channel.
      (["one", "two"], "one", 2, 1, "published-before"),
    ] as [([String], String, Int, Int, String)])
  func `a file that is sent twice is one version`(
    _ before: [String], _ text: String, _ versions: Int, _ stable: Int, _ notice: String
  ) async throws {
    let check = CountingCheck()
    try await RunningHost.run(checker: check, hasConsole: true) { host in
      let person = try Person(host)
      for text in before { try person.publishes(text, "All devices get") }
      let form = try person.form("/console/publish?name=bird&channel=stable&notes=")
      let first = try person.sendsFile(text, form.fields)
      #expect(first.status == 303, "\(first.body)")
      #expect(first.headers["location"] == "/console/models/bird?done=\(notice)")
      let (model, checks) = (try host.models.model("bird"), check.count.withLock { $0 })
      #expect(model.versions.count == versions && model.channels == ["stable": stable])
      let isNew = versions > before.count
      for _ in 0..<2 {
        let again = try person.sendsFile(text, form.fields)
        #expect(again.status == 303, "\(again.body)")
        #expect(again.headers["location"] == first.headers["location"])
      }
      #expect(try host.models.model("bird") == model)
      guard isNew else { return }
      // The same form with another file is another one.
      try refuses(person.sendsFile("other", form.fields))
      #expect(check.count.withLock { $0 } == checks)
      #expect(try host.models.model("bird") == model)
      try person.publishes("later", "All devices get")
      try refuses(person.sendsFile(text, form.fields))
      #expect(try host.models.model("bird").versions.count == versions + 1)
    }
  }

  private func refuses(_ answer: HTTPAnswer) throws {
    #expect(answer.status == 409, "\(answer.body)")
    #expect(answer.body.contains("has changed since the page was opened"), "\(answer.body)")
  }

  @Test(arguments: ConfigNamespace.allCases)
  func `a template that is sent twice is one version`(_ namespace: ConfigNamespace) async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      let board = host.service.config.board
      func form(_ basis: Int, _ value: String) -> [(String, String)] {
        [
          ("namespace", namespace.rawValue), ("basis", String(basis)),
          ("template", #"{"parameters": {"a": {"defaultValue": {"value": "\#(value)"}}}}"#),
        ]
      }
      for basis in 0...1 {
        let made = try person.sends("/console/config", form(basis, "first"))
        #expect(made.status == 303, "\(made.body)")
        for _ in 0..<2 {
          try person.isRepeated("/console/config", form(basis, "first"), made.headers["location"])
        }
        #expect(board.current(namespace).number == basis + 1)
      }
      // Another text for a former version, and one that was in force: the editor keeps both.
      for (form, status, message) in [
        (form(1, "other"), 412, "version 2 is in force, the request is for version 1"),
        (form(0, "first"), 409, Self.made),
      ] {
        let answer = try person.sends("/console/config", form)
        #expect(answer.status == status && answer.body.contains(message), "\(answer.body)")
        #expect(answer.body.contains("Open the template in force"), "\(answer.body)")
        #expect(answer.body.contains("&quot;parameters&quot;"), "\(answer.body)")
      }
      // Another session has not sent the form.
      let other = try Person(host).sends("/console/config", form(1, "first"))
      #expect(other.status == 412, "\(other.body)")
      #expect(board.current(namespace).number == 2)
    }
  }

  @Test(arguments: [("/console/experiment/draft", "/resume"), ("/console/experiments", "/pause")])
  func `an experiment whose form is sent twice starts once`(_ path: String, _ next: String) async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two"] { try person.publishes(text, "All devices get") }
      let fields = Person.experiment
      let made = try person.sends(path, fields)
      #expect(made.status == 303, "\(made.body)")
      for _ in 0..<2 { try person.isRepeated(path, fields, made.headers["location"]) }
      let other = try person.sends(path, fields.map { $0.0 == "planned" ? ($0.0, "20") : $0 })
      #expect(other.status == 409 && other.body.contains("already exists"), "\(other.body)")
      let form = try person.form("/console/experiments/e1" + next)
      #expect(try person.sends(form.action, form.fields).status == 303)
      let after = try host.service.experiments.experiment("e1")
      let late = try person.sends(path, fields)
      #expect(late.status == 409 && late.body.contains(Self.made), "\(late.body)")
      #expect(try host.service.experiments.experiment("e1") == after)
    }
  }

  @Test(arguments: ["app", "viewer", "admin"])
  func `a form that is sent twice creates one key, and the second answer offers to revoke it`(
    _ role: String
  ) async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      func count() throws -> Int {
        try person.opens("/console/keys").body.split(separator: #"aria-label="Revoke "#).count - 1
      }
      func form() throws -> [(String, String)] {
        try person.form("/console/keys").fields + [("role", role), ("label", "ci"), ("expires", "")]
      }
      let (before, fields) = (try count(), try form())
      let first = try person.sends("/console/keys", fields)
      #expect(first.status == 200 && first.body.contains("this page shows it once"), "\(first.body)")
      var pages: Set<String> = []
      for _ in 0..<2 {
        let again = try person.sends("/console/keys", fields)
        #expect(again.status == 303, "\(again.body)")
        pages.insert(again.headers["location"] ?? "")
      }
      #expect(try pages.count == 1 && count() == before + 1)
      let page = try person.opens(pages.first ?? "")
      #expect(page.body.contains("has made one key, this one"), "\(page.body)")
      #expect(page.body.contains("The \(role) key &#39;ci&#39;"), "\(page.body)")

      // Another page of the same key has another form.
      let second = try person.sends("/console/keys", form())
      #expect(second.status == 200 && second.body != first.body, "\(second.body)")
      #expect(try count() == before + 2)
      let revoke = try person.form(pages.first ?? "")
      #expect(
        try person.sends(revoke.action, revoke.fields).headers["location"] == "/console/keys?done=revoked")
      #expect(try count() == before + 1)
    }
  }
}
#endif
