// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// An experiment on parameters, from the template to the apps' values at each step.
@Suite struct ParameterExperimentTests {
  private static let experiments = "/v1/host/projects/test-project/experiments"

  private static func start(_ host: RunningHost, _ extra: String = "") throws {
    try ConfigRouteTests.publish(host, "of the template")
    let draft =
      #"{"id": "names", "variants": [{"id": "a"}, {"id": "b", "parameters": {"model": "of b"}}], "#
      + #""metric": {"name": "seen"}\#(extra)}"#
    let answer = try host.send(as: .admin, "POST", experiments, body: draft)
    guard answer.status == 200 else { throw TestFailure("not started: \(answer.body)") }
  }

  private static func fetch(_ host: RunningHost, _ installation: String, user: String? = nil) throws
    -> String
  {
    let more = user.map { #", "user_id": "\#($0)""# } ?? ""
    let body =
      #"{"app_id": "1:1:ios:a", "app_instance_id": "\#(installation)", "country_code": "DE"\#(more)}"#
    let answer = try host.send("POST", ConfigRouteTests.fetch, body: Array(body.utf8))
    guard answer.status == 200 else { throw TestFailure("not fetched: \(answer.body)") }
    return answer.body
  }

  /// An installation assigned to each variant.
  private static func units(_ host: RunningHost) throws -> (a: String, b: String) {
    let experiment = try host.service.experiments.experiment("names")
    let ids = (0..<100).map { "device-\($0)" }
    return (
      try #require(ids.first { experiment.variant(of: $0)?.id == "a" }),
      try #require(ids.first { experiment.variant(of: $0)?.id == "b" })
    )
  }

  @Test func `a confirmation of a template names the parameters that an experiment sets`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      try Self.start(host)
      let (_, b) = try Self.units(host)
      let person = try Person(host)
      func asks(_ key: String) throws -> HTTPAnswer {
        let basis = host.service.config.board.current(.apps).number
        let template =
          #"{"parameters": {"model": {"defaultValue": {"value": "\#(key == "model" ? "new" : "of the template")"}}"#
          + (key == "model" ? "}}" : #", "other": {"defaultValue": {"value": "1"}}}}"#)
        return try person.sends(
          "/console/config/ask", [("basis", String(basis)), ("template", template)])
      }
      let kept = "While the experiment &#39;names&#39; runs, its units keep its values of model."
      let page = try asks("model")
      #expect(page.status == 200 && page.body.contains(kept), "\(page.body)")
      #expect(try !asks("other").body.contains("&#39;names&#39;"))
      let form = try Person.form(in: page, "ask")
      // The sentence is not true after a pause.
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/names:pause")
      let stale = try person.sends(form.action, form.fields)
      #expect(
        stale.status == 409 && stale.body.contains("Apps get it with their next fetch."), "\(stale.body)")
      #expect(try !asks("model").body.contains("&#39;names&#39;"))
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/names:resume")
      for _ in 0..<2 {
        let made = try person.sends(form.action, form.fields)
        #expect(made.status == 303, "\(made.body)")
      }
      #expect(try Self.fetch(host, b).contains(#""entries": {"model": "of b"}"#))
      let back = try person.opens("/console/config/versions/1/rollback").body
      #expect(back.contains(kept), "\(back)")
      _ = try host.send(
        as: .admin, "POST", "\(Self.experiments)/names:rollout", body: #"{"variant": "b"}"#)
      let rolledOut = "The experiment &#39;names&#39; is rolled out: apps keep its values of model until"
      let later = try person.opens("/console/config/versions/1/rollback").body
      #expect(later.contains(rolledOut), "\(later)")
      #expect(try Self.fetch(host, b).contains(#""entries": {"model": "of b"}"#))
    }
  }

  @Test func `apps get their variant's values, until it pauses, and the winner's once it is for all`()
    async throws
  {
    try await RunningHost.run { host in
      try Self.start(host)
      let (a, b) = try Self.units(host)
      #expect(try Self.fetch(host, a).contains(#""entries": {"model": "of the template"}"#))
      #expect(try Self.fetch(host, a).contains(#""experimentId": "names", "variantId": "a""#))
      #expect(try Self.fetch(host, b).contains(#""entries": {"model": "of b"}"#))
      #expect(try Self.fetch(host, b).contains(#""experimentId": "names", "variantId": "b""#))
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/names:pause")
      #expect(try Self.fetch(host, b).contains(#""entries": {"model": "of the template"}"#))
      #expect(try !Self.fetch(host, b).contains("experimentId"))
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/names:resume")
      #expect(try Self.fetch(host, b).contains(#""entries": {"model": "of b"}"#))
      let done = try host.send(
        as: .admin, "POST", "\(Self.experiments)/names:rollout", body: #"{"variant": "b"}"#)
      #expect(done.status == 200, "\(done.body)")
      #expect(try Self.fetch(host, a).contains(#""entries": {"model": "of b"}"#))
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/names:stop")
      #expect(try Self.fetch(host, a).contains(#""entries": {"model": "of the template"}"#))
    }
  }

  @Test func `the user is the unit on all of the user's devices, and no one without a user takes part`()
    async throws
  {
    try await RunningHost.run { host in
      try Self.start(host, #", "unit": "user""#)
      let (a, b) = try Self.units(host)
      for device in ["one", "two", a] {
        #expect(try Self.fetch(host, device, user: b).contains(#""entries": {"model": "of b"}"#))
        #expect(try Self.fetch(host, device, user: a).contains(#""variantId": "a""#))
      }
      #expect(try !Self.fetch(host, b).contains("experimentId"))
    }
  }

  @Test(arguments: [("device.country in ['DE']", true), ("device.country in ['US']", false)])
  func `a condition selects the apps that take part`(_ condition: String, _ takesPart: Bool) async throws {
    try await RunningHost.run { host in
      try Self.start(host, #", "condition": "\#(condition)""#)
      let (_, b) = try Self.units(host)
      #expect(try Self.fetch(host, b).contains("experimentId") == takesPart)
      #expect(try Self.fetch(host, b).contains("of b") == takesPart)
    }
  }

  @Test func `a test device gets its variant, and is not counted`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host in
      try Self.start(host)
      let (a, _) = try Self.units(host)
      _ = try host.send(
        as: .admin, "PUT", "\(Self.experiments)/names/overrides",
        body: #"{"unit": "\#(a)", "variant": "b"}"#)
      #expect(try Self.fetch(host, a).contains(#""entries": {"model": "of b"}"#))
      clock.advance(seconds: 60)
      let event =
        #"{"id": "exposure-of-the-device", "kind": "exposure", "experiment": "names", "unit": "\#(a)", "#
        + #""variant": "b", "time": "\#(clock.now().text)"}"#
      let answer = try host.send(
        "POST", "/v1/projects/test-project/events:batch?key=\(RunningHost.appKey)",
        body: Array(#"{"events": [\#(event)]}"#.utf8))
      #expect(answer.body.contains(#""reason": "test-device""#), "\(answer.body)")
      _ = try host.send(
        as: .admin, "PUT", "\(Self.experiments)/names/overrides", body: #"{"unit": "\#(a)"}"#)
      #expect(try Self.fetch(host, a).contains(#""variantId": "a""#))
    }
  }

  @Test func `two experiments cannot set one parameter, unless they share a layer`() async throws {
    try await RunningHost.run { host in
      try Self.start(host, #", "layer": "l", "share": 50"#)
      let other =
        #"{"id": "other", "variants": [{"parameters": {"model": "x"}}, {}], "metric": {"name": "seen"}"#
      let refused = try host.send(as: .admin, "POST", Self.experiments, body: other + "}")
      #expect(refused.status == 400 || refused.status == 409 || refused.status == 412, "\(refused.body)")
      #expect(refused.body.contains("variants[0].parameters.model"))
      let taken = try host.send(
        as: .admin, "POST", Self.experiments, body: other + #", "layer": "l", "share": 50}"#)
      #expect(taken.status == 200, "\(taken.body)")
    }
  }

  /// Starts an experiment with a variant that sets `model`, in the layer `l`.
  private static func startInLayer(
    _ host: RunningHost, _ id: String, _ extra: String = ""
  ) throws -> RunningHost.Answer {
    try host.send(
      as: .admin, "POST", experiments,
      body: #"{"id": "\#(id)", "variants": [{}, {"parameters": {"model": "of \#(id)"}}], "#
        + #""metric": {"name": "seen"}, "layer": "l", "share": 30\#(extra)}"#)
  }

  private static func rollOut(_ host: RunningHost, _ id: String, _ variant: String) throws
    -> RunningHost.Answer
  {
    try host.send(as: .admin, "POST", "\(experiments)/\(id):rollout", body: #"{"variant": "\#(variant)"}"#)
  }

  private static func setTest(
    _ host: RunningHost, _ id: String, _ variant: String?, unit: String = "x"
  ) throws -> RunningHost.Answer {
    let variant = variant.map { #", "variant": "\#($0)""# } ?? ""
    return try host.send(
      as: .admin, "PUT", "\(experiments)/\(id)/overrides", body: #"{"unit": "\#(unit)"\#(variant)}"#)
  }

  @Test(arguments: ["", #", "draft": true"#])
  func `one experiment of a layer decides what a test device gets`(_ extra: String) async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      #expect(try Self.startInLayer(host, "one").status == 200)
      #expect(try Self.startInLayer(host, "two", extra).status == 200)
      let page = "/console/experiments/two/override?unit=x&variant=b"
      let form = try person.form(page)
      #expect(try Self.setTest(host, "one", "b").status == 200)
      let problem =
        "The experiment 'one' of the same layer has the test device 'x', too, and sets the parameter 'model'"
      let refused = try Self.setTest(host, "two", "b")
      #expect(refused.status == 409 && refused.body.contains(problem), "\(refused.body)")
      let question = try person.opens(page)
      #expect(
        question.status == 409 && question.body.contains(problem.replacing("'", with: "&#39;")),
        "\(question.body)")
      #expect(try person.sends(form.action, form.fields).status == 409)
      #expect(try host.service.experiments.experiment("two").overrides.isEmpty)
      #expect(try Self.setTest(host, "two", "b", unit: "y").status == 200)
      #expect(try Self.fetch(host, "x").contains(#""entries": {"model": "of one"}"#))
      // Another variant of the same experiment.
      #expect(try Self.setTest(host, "one", "a").status == 200)
      #expect(try Self.setTest(host, "one", nil).status == 200)
      #expect(try Self.setTest(host, "two", "b").status == 200)
      #expect(try Self.setTest(host, "one", "b").status == 409)
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/two:stop")
      #expect(try Self.setTest(host, "one", "b").status == 200)
    }
  }

  @Test func `a test device is assigned by chance to no other experiment of its layer`() async throws {
    try await RunningHost.run { host in
      for id in ["one", "two"] { #expect(try Self.startInLayer(host, id).status == 200) }
      let one = try host.service.experiments.experiment("one")
      let unit = try #require((0..<1_000).map { "u\($0)" }.first { one.variant(of: $0)?.id == "b" })
      #expect(try Self.fetch(host, unit).contains(#""entries": {"model": "of one"}"#))
      #expect(try Self.setTest(host, "two", "b", unit: unit).status == 200)
      let tested = try Self.fetch(host, unit)
      #expect(tested.contains(#""entries": {"model": "of two"}"#) && !tested.contains("of one"), "\(tested)")
      #expect(!tested.contains(#""experimentId": "one""#), "\(tested)")
      // Until its experiment assigns no variants.
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/two:pause")
      #expect(try Self.fetch(host, unit).contains(#""entries": {"model": "of one"}"#))
    }
  }

  @Test func `no experiment begins behind one of its layer that is rolled out to all`() async throws {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      #expect(try Self.startInLayer(host, "one").status == 200)
      #expect(try Self.startInLayer(host, "two", #", "draft": true"#).status == 200)
      #expect(try Self.rollOut(host, "one", "b").status == 200)
      for extra in ["", #", "draft": true"#] {
        let late = try Self.startInLayer(host, "three", extra)
        let problem = "variants[1].parameters.model: the experiment 'one' already sets this parameter"
        #expect(late.status == 400 && late.body.contains(problem), "\(late.body)")
        #expect(!late.body.contains("in one layer"), "\(late.body)")
      }
      let resumed = try host.send(as: .admin, "POST", "\(Self.experiments)/two:resume")
      let problem = "The experiment 'one' is rolled out and sets the parameter 'model', too"
      #expect(resumed.status == 400 && resumed.body.contains(problem), "\(resumed.body)")
      let page = try person.opens("/console/experiments/two/resume")
      #expect(page.status == 400 && page.body.contains("&#39;one&#39; is rolled out"), "\(page.body)")
      #expect(try host.service.experiments.experiment("two").state == .draft)
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/one:stop")
      #expect(try host.send(as: .admin, "POST", "\(Self.experiments)/two:resume").status == 200)
      // Its winner sets no parameter.
      #expect(try Self.rollOut(host, "two", "a").status == 200)
      #expect(try Self.startInLayer(host, "four").status == 200)
    }
  }

  @Test func `questions name the experiment whose values apps keep, and it is not rolled out over`()
    async throws
  {
    try await RunningHost.run(hasConsole: true) { host in
      let person = try Person(host)
      for id in ["one", "two"] { #expect(try Self.startInLayer(host, id).status == 200) }
      let refused = try Self.rollOut(host, "two", "b")
      let problem = "The experiment 'one' is running and sets the parameter 'model', too"
      #expect(refused.status == 400 && refused.body.contains(problem), "\(refused.body)")
      let one = "/console/experiments/one"
      #expect(try person.opens(one + "/rollout?variant=b").status == 400)
      let kept = "While the experiment &#39;two&#39; runs, its units keep its values of model."
      for (page, text) in [
        (
          "/rollout?variant=a",
          "Every app gets the values of the template, until the experiment is stopped. \(kept)"
        ),
        (
          "/pause",
          "Apps get the values that they get without it until the experiment is resumed. \(kept) Exposures"
        ),
        ("/stop", "Apps get the values that they get without it. \(kept) The report is kept."),
      ] {
        let body = try person.opens(one + page).body
        #expect(body.contains(text), "\(page): \(body)")
      }
      let forms = try ["/pause", "/stop", "/rollout?variant=a"].map { try person.form(one + $0) }
      _ = try host.send(as: .admin, "POST", "\(Self.experiments)/two:pause")
      let other = "Another experiment on the parameters of the experiment &#39;one&#39; has changed since"
      for form in forms {
        let stale = try person.sends(form.action, form.fields)
        #expect(stale.status == 409 && stale.body.contains(other), "\(form.action): \(stale.body)")
      }
      let pause = try person.opens(one + "/pause").body
      #expect(pause.contains("Apps get the values of the template again until the experiment is"), "\(pause)")
      #expect(try Self.rollOut(host, "one", "b").status == 200)
      let second = try Self.rollOut(host, "two", "b")
      let behind = "The experiment 'one' is rolled out and sets the parameter 'model', too"
      #expect(second.status == 400 && second.body.contains(behind), "\(second.body)")
    }
  }

  @Test func `the conditions of all experiments share the steps of a fetch`() async throws {
    try await RunningHost.run { host in
      func start(_ id: String, patterns: Int) throws -> RunningHost.Answer {
        let list = Array(repeating: "'a{1000}'", count: patterns).joined(separator: ",")
        return try host.send(
          as: .admin, "POST", Self.experiments,
          body: #"{"id": "\#(id)", "variants": [{}, {"parameters": {"\#(id)": "x"}}], "#
            + #""metric": {"name": "seen"}, "condition": "app.version.matches([\#(list)])"}"#)
      }
      let large = try start("one", patterns: 41)
      #expect(
        large.status == 400 && large.body.contains("condition: with the other experiments, a fetch takes"))
      #expect(try start("one", patterns: 39).status == 200)
      let work = host.service.experiments.assignmentWork
      #expect(work.perCharacter == [.version: 39 * 1_003])
      let second = try start("two", patterns: 2)
      #expect(second.status == 400 && second.body.contains("at most 20,000,000 are allowed"))
      #expect(host.service.experiments.assignmentWork == work)
      #expect(try host.send(as: .admin, "POST", "\(Self.experiments)/one:stop").status == 200)
      #expect(host.service.experiments.assignmentWork == FetchWork())
      #expect(try start("two", patterns: 2).status == 200)
    }
  }

  @Test func `after a change of weights the shares of each day stay known`() async throws {
    let clock = TestClock()
    try await RunningHost.serving(now: clock.now) { host in
      try await onOwnThread {
        try Self.start(host)
        for (part, weights) in [nil, [90, 10]].enumerated() {
          if let weights {
            let answer = try host.send(
              as: .admin, "PUT", "\(Self.experiments)/names/weights", body: #"{"weights": \#(weights)}"#)
            guard answer.status == 200 else { throw TestFailure("not changed: \(answer.body)") }
          }
          let experiment = try host.service.experiments.experiment("names")
          clock.advance(seconds: 60)
          let rows = try (part * 2_000..<part * 2_000 + 2_000).map { number in
            let variant = try #require(experiment.variant(of: "unit-\(number)")).id
            return #"{"id": "exposure-of-unit-\#(number)", "kind": "exposure", "experiment": "names", "#
              + #""unit": "unit-\#(number)", "variant": "\#(variant)", "time": "\#(clock.now().text)"}"#
          }
          for start in stride(from: 0, to: rows.count, by: 500) {
            let batch = rows[start..<start + 500].joined(separator: ",")
            let answer = try host.send(
              "POST", "/v1/projects/test-project/events:batch?key=\(RunningHost.appKey)",
              body: Array(#"{"events": [\#(batch)]}"#.utf8))
            guard answer.body.contains("\"counted\": 500") else { throw TestFailure("\(answer.body)") }
          }
        }
      }
      clock.advance(seconds: 3 * 86_400)
      let report = try await host.service.experiments.report("names")
      // Both parts fell on one day, and are separate looks, since the shares differ.
      #expect(report.counts.looks.count == 2)
      #expect(report.counts.weights == [1, 1])
      #expect(report.counts.looks.map(\.weights) == [nil, [90, 10]])
      #expect(report.exposed.reduce(0, +) == 4_000)
      #expect(!report.analysis.isHidden, "p is \(report.analysis.sampleRatio)")
    }
  }
}
#endif
