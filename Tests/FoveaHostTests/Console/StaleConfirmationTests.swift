// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// A confirmation is for the state that its sentences are made from: a model with its experiment, and an
/// experiment with its model.
@Suite struct StaleConfirmationTests {
  private static let bird = "/console/models/bird"
  private static let experiment = "/console/experiments/e1"

  /// Opens a confirmation, and sends its form.
  private static func makes(_ person: Person, _ path: String) throws {
    let form = try person.form(path)
    let made = try person.sends(form.action, form.fields)
    #expect(made.status == 303, "\(path): \(made.body)")
  }

  @Test func `a model's confirmations are refused after each change of its experiment`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two", "three"] { try person.publishes(text, "All devices get") }
      let drafted = try person.sends("/console/experiment/draft", Person.experiment)
      #expect(drafted.status == 303, "\(drafted.body)")
      let kept = "Devices get version 3. While the experiment &#39;e1&#39; runs, its units get its variants."
      for (change, state) in [
        ("/resume", kept), ("/weights?weight-0=10&weight-1=90", kept), ("/pause", "Devices get version 3."),
        ("/resume", kept), ("/override?unit=phone&variant=b", kept), ("/stop", "Devices get version 3."),
      ] {
        let forms = try [
          "/rollback", "/channel?channel=stable&version=1", "/channel?channel=beta&version=1",
          "/withdraw?version=3",
        ].map { try person.form(Self.bird + $0) }
        let publish = try person.form("/console/publish?name=bird&channel=stable&notes=")
        try Self.makes(person, Self.experiment + change)
        let model = try host.models.model("bird")
        var answers = try forms.map { try person.sends($0.action, $0.fields) }
        answers.append(try person.sendsFile("four", publish.fields))
        for answer in answers {
          #expect(answer.status == 409, "\(change): \(answer.body)")
          #expect(
            answer.body.contains("has changed since the page was opened. \(state)"),
            "\(change): \(answer.body)"
          )
        }
        #expect(try host.models.model("bird") == model, "\(change)")
      }
      try Self.makes(person, Self.bird + "/channel?channel=stable&version=1")
    }
  }

  @Test func `an experiment's confirmations are refused after each change of its model`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two", "three"] { try person.publishes(text, "All devices get") }
      let started = try person.sends("/console/experiments", Person.experiment)
      #expect(started.status == 303, "\(started.body)")
      for (change, pages) in [
        (
          "/channel?channel=stable&version=1",
          ["/pause", "/stop", "/weights?weight-0=1&weight-1=9", "/override?unit=x&variant=a"]
        ),
        ("/rollback", ["/pause", "/stop", "/rollout?variant=a"]),
        ("/withdraw?version=3", ["/pause", "/stop"]),
      ] {
        let forms = try pages.map { try person.form(Self.experiment + $0) }
        try Self.makes(person, Self.bird + change)
        let before = try host.service.experiments.experiment("e1")
        for form in forms { try person.isRefused(form.action, form.fields) }
        #expect(try host.service.experiments.experiment("e1") == before, "\(change)")
      }
      // The change of an experiment may change its model, too; sent twice, it is answered as before.
      let stop = try person.form(Self.experiment + "/stop")
      let made = try person.sends(stop.action, stop.fields)
      try person.isRepeated(stop.action, stop.fields, made.headers["location"])
      #expect(try host.models.model("bird").experiment == nil)
    }
  }

  @Test func `a parameter experiment's confirmations are refused after a change of what apps get without it`()
    async throws
  {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      /// Publishes a template with the value of `size`, which the experiment sets, and of `other`.
      func publishes(_ size: String, other: String = "0", extra: String = "") throws {
        let template =
          #"{"conditions": [{"name": "de", "expression": "device.country in ['DE']"}], "parameters": "#
          + #"{"size": {"defaultValue": {"value": "\#(size)"}\#(extra)}, "#
          + #""other": {"defaultValue": {"value": "\#(other)"}}}}"#
        let made = try host.send(
          as: .publisher, "PUT", ConfigRouteTests.path, headers: ["If-Match": "*"], body: template)
        guard made.status == 200 else { throw TestFailure("not published: \(made.body)") }
      }
      try publishes("0")
      let changes = [
        "model": "", "variants": "a:50,b:50", "parameters": #"{"a": {"size": "1"}, "b": {"size": "2"}}"#,
      ]
      let fields =
        Person.experiment.map { ($0, changes[$0] ?? $1) }
        + [("parameters", changes["parameters"] ?? "")]
      let drafted = try person.sends("/console/experiment/draft", fields)
      #expect(drafted.status == 303, "\(drafted.body)")
      let conditional = #", "conditionalValues": {"de": {"value": "3"}}"#
      for (change, pages) in [
        (nil, ["/resume", "/stop", "/override?unit=x&variant=a"]),
        ("/resume", ["/pause", "/stop", "/weights?weight-0=1&weight-1=9", "/rollout?variant=b"]),
        ("/pause", ["/resume", "/stop", "/rollout?variant=a"]),
        ("/rollout?variant=b", ["/stop"]),
      ] as [(String?, [String])] {
        if let change { try Self.makes(person, Self.experiment + change) }
        for extra in ["", conditional] {
          try publishes("0")
          let forms = try pages.map { try person.form(Self.experiment + $0) }
          try publishes("9", extra: extra)
          let before = try host.service.experiments.experiment("e1")
          for form in forms {
            try person.isRefused(form.action, form.fields)
            let answer = try person.sends(form.action, form.fields)
            #expect(
              answer.body.contains("The template that the experiment &#39;e1&#39; overrides has changed"),
              "\(form.action): \(answer.body)")
          }
          #expect(try host.service.experiments.experiment("e1") == before, "\(pages)")
        }
      }
      // Other values of the template are not what the page is about.
      let stop = try person.form(Self.experiment + "/stop")
      try publishes("9", other: "1", extra: conditional)
      #expect(try person.sends(stop.action, stop.fields).status == 303)
      #expect(try host.service.experiments.experiment("e1").state == .stopped)
    }
  }

  /// Opens the question before the start of an experiment.
  private static func asks(
    _ person: Person, _ fields: [(String, String)] = Person.experiment
  ) throws -> (action: String, fields: [(String, String)]) {
    try Person.form(in: person.sends("/console/experiment/ask", fields), "ask")
  }

  @Test func `a start is refused after a change of its model, and the form is shown again`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for text in ["one", "two", "three"] { try person.publishes(text, "All devices get") }
      let form = try Self.asks(person)
      try Self.makes(person, Self.bird + "/channel?channel=stable&version=1")
      try person.isRefused(form.action, form.fields)
      let answer = try person.sends(form.action, form.fields)
      #expect(answer.body.contains("The model of the experiment &#39;e1&#39; has changed"), "\(answer.body)")
      #expect(answer.body.contains(#"value="1:50,2:50""#), "\(answer.body)")
      #expect(host.service.experiments.all.isEmpty)
      let again = try Self.asks(person)
      let made = try person.sends(again.action, again.fields)
      #expect(made.status == 303, "\(made.body)")
      try person.isRepeated(again.action, again.fields, made.headers["location"])
    }
  }

  @Test func `a start is refused after a change of the values that apps get without it`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      func publishes(_ size: String, other: String) throws {
        let template =
          #"{"parameters": {"size": {"defaultValue": {"value": "\#(size)"}}, "#
          + #""other": {"defaultValue": {"value": "\#(other)"}}}}"#
        let made = try host.send(
          as: .publisher, "PUT", ConfigRouteTests.path, headers: ["If-Match": "*"], body: template)
        guard made.status == 200 else { throw TestFailure("not published: \(made.body)") }
      }
      try publishes("0", other: "0")
      let changes = ["model": "", "variants": "a:50,b:50"]
      let fields =
        Person.experiment.map { ($0, changes[$0] ?? $1) }
        + [("parameters", #"{"a": {"size": "1"}, "b": {"size": "2"}}"#)]
      let form = try Self.asks(person, fields)
      try publishes("9", other: "0")
      try person.isRefused(form.action, form.fields)
      let again = try Self.asks(person, fields)
      try publishes("9", other: "1")
      #expect(try person.sends(again.action, again.fields).status == 303)
      #expect(try host.service.experiments.experiment("e1").state == .running)
    }
  }

  @Test(
    arguments: [
      ([:], nil, true), (["size": "1"], nil, false), (["size": "1"], "e1", false), ([:], "e1", false),
      ([:], "e2", true),
    ] as [([String: String], String?, Bool)])
  func `the revision of an experiment covers the parameters that it decides`(
    _ parameters: [String: String], _ id: String?, _ isSame: Bool
  ) throws {
    var draft = ExperimentDraft(
      id: "e1",
      variants: [
        ExperimentDraft.Variant(id: "a", weight: 1),
        ExperimentDraft.Variant(id: "b", weight: 1, parameters: parameters.isEmpty ? nil : parameters),
      ], metric: ExperimentDraft.Metric(name: "seen"))
    draft.unit = "installation"
    let experiment = try draft.experiment(
      project: "p", among: [], model: nil, seed: "s", at: Timestamp(milliseconds: 0))
    func revision(_ value: String) throws -> SeenRevision {
      let conditional = id.map { id in
        #", "conditionalValues": {"c": {"experimentValue": {"experimentId": "\#(id)", "variantValue": "#
          + #"[{"variantId": "b", "value": "\#(value)"}]}}}"#
      }
      let template =
        #"{"conditions": [{"name": "c", "expression": "true"}], "parameters": {"size": "#
        + #"{"defaultValue": {"value": "\#(id == nil ? value : "0")"}\#(conditional ?? "")}}}"#
      return SeenRevision(
        ExperimentState(
          experiment, model: nil, template: try ConfigTemplate(Array(template.utf8), namespace: .apps),
          among: [experiment]))
    }
    #expect(try (revision("1") == revision("2")) == isSame)
    #expect(try revision("1") == revision("1"))
  }

  @Test(
    arguments: [
      ("0.1+12.3", "0.1+12.3", nil), ("12.4", "12.3", true), ("12.5", "12.3", false), ("13.4", "12.3", false),
      ("12.1", "0", true), ("12.4+e1.2", "12.3+e1.2", true), ("12.4+e1.3", "12.3+e1.2", false),
      ("12.4", "12.3+e1.2", false), ("12.3+e1.3", "12.3+e1.2", false), ("4", "3", true), ("5", "3", false),
      ("4+12.3", "3+12.3", true), ("4+12.4", "3+12.3", true), ("4+12.5", "3+12.3", false),
      ("3+12.4", "3+12.3", false), ("4+0", "3+12.3", false), ("4+values-1", "3+values-1", true),
      ("4+values-2", "3+values-1", false), ("3+values-2", "3+values-1", false), ("", "3", false),
      ("3", "", false),
    ] as [(String, String, Bool?)])
  func `a form is sent twice if its own object has changed once`(
    _ present: String, _ seen: String, _ isNext: Bool?
  ) {
    do throws(HostError) {
      try SeenRevision(form: seen).check(SeenRevision(form: present), "It")
      #expect(isNext == nil)
    } catch {
      #expect(error.code == .conflict && isNext == (error.cause is OneChangeSince))
    }
  }
}
#endif
