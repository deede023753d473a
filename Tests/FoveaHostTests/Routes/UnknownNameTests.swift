// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaCore
import FoveaTesting
import Testing

/// Members, parameters and names that the host's own routes do not know.
@Suite struct UnknownNameTests {
  private static let native = "/v1/host/projects/test-project"

  /// Method and path, body, and the response's message.
  static let rows: [(request: String, body: String, said: String)] = [
    (
      "POST keys", #"{"role": "viewer", "expire": "2027-01-01T00:00:00Z"}"#,
      "The body has no member 'expire'; did you mean 'expires'?"
    ),
    ("POST keys", #"{"role": "viewer", "role": "admin"}"#, "'role' occurs twice"),
    (
      "POST models/bird:rollback", #"{"chanel": "beta"}"#,
      "The body has no member 'chanel'; did you mean 'channel'?"
    ),
    (
      "PUT models/bird/channels/beta", #"{"version": 1, "x": 2}"#,
      "The body has no member 'x'; known names: version"
    ),
    ("PUT models/bird/rollout", #"{"version": 1, "percnt": 5}"#, "did you mean 'percent'?"),
    (
      "POST models/bird/versions?chanel=beta", "",
      "The query has no parameter 'chanel'; did you mean 'channel'?"
    ),
    ("POST models/bird/versions?channel=a%20b", "", "'a b' is not a valid channel name"),
    (
      "POST models/bird/versions?notes=\(String(repeating: "n", count: 1_001))", "",
      "The notes have 1,001 bytes"
    ),
    ("DELETE keys/b%20d", "", "'b d' is not the id of a key, which has 40 lower-case hexadecimal digits"),
    (
      "GET operations/A%20b", "",
      "'A b' is not the id of an operation, which has 16 lower-case hexadecimal digits"
    ),
    ("POST operations/A%20b:cancel", "", "'A b' is not the id of an operation"),
    ("POST models/bird/versions?channel=a&channel=b", "", "The query has the parameter 'channel' twice"),
    ("GET models?limit=3", "", "The query has no parameter 'limit'; it has none"),
    ("GET models/bird/history?limt=3", "", "did you mean 'limit'?"),
    ("GET models/bird/history?limit=x", "", "'limit' is a whole number from 1 to 1,000"),
    ("GET models/bird/history?limit=0", "", "'limit' is a whole number from 1 to 1,000"),
    ("GET models/bird/history?limit=1001", "", "'limit' is a whole number from 1 to 1,000"),
    ("POST experiments", #"{"id": "e", "planed": 5}"#, "did you mean 'planned'?"),
    ("POST experiments", #"{"id": "e", "shre": 5}"#, "did you mean 'share'?"),
    (
      "POST experiments", #"{"id": "e", "metric": {"name": "m", "windw": 5}}"#,
      "'metric' has no member 'windw'; did you mean 'window'?"
    ),
    (
      "POST experiments", #"{"id": "e", "variants": [{}, {"wieght": 5}]}"#,
      "'variants[1]' has no member 'wieght'; did you mean 'weight'?"
    ),
    ("PUT experiments/e/weights", #"{"weight": [1, 1]}"#, "did you mean 'weights'?"),
    ("PUT experiments/e/overrides", #"{"unit": "u", "varint": "b"}"#, "did you mean 'variant'?"),
    ("POST experiments/e:rollout", #"{"varaint": "b"}"#, "did you mean 'variant'?"),
    ("PUT config/firebase?validateonly=true", "{}", "did you mean 'validateOnly'?"),
    ("PUT config/firebase?validateOnly=yes", "{}", "'validateOnly' is true or false"),
    ("POST config/firebase/rollback", #"{"versionNumber": 1}"#, "did you mean 'version'?"),
    ("GET config/firebase?versoin=1", "", "did you mean 'version'?"),
    ("GET config/firebase/defaults?fromat=XML", "", "did you mean 'format'?"),
    // Routes whose body has no members.
    ("DELETE models/bird", #"{"dryRun": true}"#, "The body has no member 'dryRun'; it has none"),
    ("POST models/bird/versions/1:withdraw", #"{"version": 2}"#, "has no member 'version'; it has none"),
    ("POST operations/0123456789abcdef:cancel", #"{"force": 1}"#, "has no member 'force'; it has none"),
    ("DELETE keys/\(String(repeating: "a", count: 40))", #"{"dryRun": true}"#, "has no member 'dryRun'"),
    ("POST keys:rotate", #"{"dryRun": true}"#, "has no member 'dryRun'; it has none"),
    ("POST keys:rotate", "[]", "The body is neither '{}' nor empty"),
    ("POST experiments/e:pause", #"{"until": 1}"#, "has no member 'until'; it has none"),
    ("POST experiments/e:resume", #"{"at": 1}"#, "has no member 'at'; it has none"),
    ("POST experiments/e:stop", #"{"variant": "b"}"#, "has no member 'variant'; it has none"),
    ("POST models/bird/versions/0:withdraw", "", "A version is a whole number from 1"),
    ("POST models/bird/versions/-1:withdraw", "{}", "A version is a whole number from 1"),
    ("POST models/bird/versions/x:withdraw", "", "A version is a whole number from 1"),
  ]

  @Test func `an unknown name in a route is rejected with the nearest one`() async throws {
    try await RunningHost.run { host throws in
      for row in Self.rows {
        let parts = row.request.split(separator: " ").map { String($0) }
        let answer = try host.send(as: .admin, parts[0], "\(Self.native)/\(parts[1])", body: row.body)
        #expect(
          answer.status == 400 && answer.body.contains("\"code\": \"invalid\"")
            && answer.body.contains(row.said), "\(row.request): \(answer.status) \(answer.body)")
      }
    }
  }

  /// Routes whose bodies come from apps, which may be newer than the host, and the status of the response.
  @Test(arguments: [
    (
      "/v1/projects/test-project/installations",
      #"{"fid": "device-1", "sdkVersion": "i:1", "new": {"a": [1]}}"#, 200
    ),
    ("/v1/projects/test-project/namespaces/firebase:fetch", #"{"appId": "a", "new": {"a": [1]}}"#, 200),
    (
      "/v1/host/projects/test-project/reports",
      #"{"model": "b", "version": "1", "outcome": "left", "new": 1}"#, 404
    ),
    ("/v1/projects/test-project/events:batch", #"{"events": [], "new": 1}"#, 400),
  ])
  func `members of Firebase's clients and of reports may be unknown, and those of events not`(
    route: String, body: String, status: Int
  ) async throws {
    try await RunningHost.run { host throws in
      let answer = try host.send("POST", "\(route)?key=\(RunningHost.appKey)", body: Array(body.utf8))
      #expect(answer.status == status, "\(answer.body)")
    }
  }

  @Test func `a route whose body has no members accepts an empty object`() async throws {
    try await RunningHost.run { host throws in
      let published = try host.send(
        as: .publisher, "POST", "\(Self.native)/models/birds/versions", body: markedModel("one"))
      #expect(published.status == 200, "\(published.body)")
      for (method, route) in [
        ("POST", "models/birds/versions/1:withdraw"), ("DELETE", "models/birds"), ("POST", "keys:rotate"),
      ] {
        let answer = try host.send(as: .admin, method, "\(Self.native)/\(route)", body: "{}")
        #expect(answer.status == 200, "\(route): \(answer.body)")
      }
    }
  }

  @Test(arguments: [
    ("reports?key=\(RunningHost.appKey)", #"{"model": "x"}"#, "the member 'version' is missing"),
    ("keys", "{}", "the member 'role' is missing"),
    (
      "experiments", #"{"id": "e", "metric": {"name": "m"}, "variants": [{"weight": "5"}]}"#,
      "'variants[0].weight' is invalid: expected a whole number, got a string"
    ),
  ])
  func `a missing or mistyped member is named in plain words`(
    _ route: String, _ body: String, _ said: String
  ) async throws {
    try await RunningHost.run { host throws in
      let answer = try host.send(as: .admin, "POST", "\(Self.native)/\(route)", body: body)
      #expect(answer.status == 400 && answer.body.contains(said), "\(answer.body)")
    }
  }

  @Test func `each member of an experiment that the commands send is known`() async throws {
    try await RunningHost.run { host throws in
      let variant = ExperimentDraft.Variant(id: "a", weight: 1, version: 1, parameters: ["any": "x"])
      var draft = ExperimentDraft(
        id: "e", variants: [variant],
        metric: ExperimentDraft.Metric(name: "m", kind: "conversion", window: 60))
      draft.unit = "installation"
      draft.model = "none"
      draft.condition = "true"
      draft.planned = 100
      draft.layer = "l"
      draft.share = 50
      draft.holdout = 10
      draft.draft = true
      var json = JSONText()
      json.object { $0.members(of: draft, hasNulls: false) }
      let answer = try host.send(as: .admin, "POST", "\(Self.native)/experiments", body: json.text)
      #expect(answer.status != 200 && !answer.body.contains("has no member"), "\(answer.body)")
    }
  }

  /// Requests to Google's routes for management: path, body, and the message; nil if it is accepted.
  static let google: [(request: String, body: String, said: String?)] = [
    ("GET v1beta2/projects/test-project/models?pagesize=3", "", "did you mean 'pageSize'?"),
    ("GET v1beta2/projects/test-project/models?page_size=3&alt=json&prettyPrint=false&$.xgafv=2", "", nil),
    (
      "GET v1beta2/projects/test-project/models?pageSize=3&pageSize=4", "",
      "has the parameter 'pageSize' twice"
    ),
    ("POST v1beta2/projects/test-project/models?validateOnly=true", "{}", "no parameter 'validateOnly'"),
    ("GET v1beta2/projects/test-project/models/bird?view=FULL", "", "no parameter 'view'; it has none"),
    ("PATCH v1beta2/projects/test-project/models/bird?mask=tags", "{}", "'mask'"),
    (
      "POST v1beta2/projects/test-project/models", #"{"displayNam": "x"}"#,
      "The body has no member 'displayNam'; did you mean 'displayName'?"
    ),
    ("POST v1beta2/projects/test-project/models", #"{"display_name": "x"}"#, "did you mean 'displayName'?"),
    ("POST v1beta2/projects/test-project/models", #"{"": 1, "name": "x"}"#, "The body has no member ''"),
    ("POST v1beta2/projects/test-project/models", #"{"tags": [], "tags": []}"#, "'tags' occurs twice"),
    (
      "POST v1beta2/projects/test-project/models", #"{"state": {"publishd": true}}"#,
      "'state' has no member 'publishd'; did you mean 'published'?"
    ),
    (
      "POST v1beta2/projects/test-project/models", #"{"displayName": "x", "state": {"published": true}}"#,
      "'state.published' is true, but a new model is not published before its file was checked"
    ),
    (
      "POST v1beta2/projects/test-project/models", #"{"tfliteModel": {"gcsTfliteUrl": "gs://b/o"}}"#,
      "'tfliteModel' has no member 'gcsTfliteUrl'; did you mean 'gcsTfliteUri'?"
    ),
    (
      "POST v1beta2/projects/test-project/models", #"{"tfliteModel": {"automlModel": "projects/p"}}"#,
      "'tfliteModel.automlModel' names a model of Google's service"
    ),
    (
      "PATCH v1beta2/projects/test-project/models/bird", #"{"tagss": ["x"]}"#,
      "The body has no member 'tagss'; did you mean 'tags'?"
    ),
    (
      "PATCH v1beta2/projects/test-project/models/bird?updateMask=state.publish", "{}",
      "'updateMask' cannot have 'state.publish'; did you mean 'state.published'?"
    ),
    ("PATCH v1beta2/projects/test-project/models/bird?update_mask=tags,", "{}", "cannot have ''"),
    ("PATCH v1beta2/projects/test-project/models/bird?updateMask=etag", "{}", "cannot have 'etag'"),
    (
      "PATCH v1beta2/projects/test-project/models/bird?updateMask=display_name", "{}",
      "'updateMask' names a member that the body does not have"
    ),
    ("DELETE v1beta2/projects/test-project/models/bird?force=true", "", "no parameter 'force'; it has none"),
    ("GET v1beta2/projects/test-project/operations/0?x=1", "", "no parameter 'x'; it has none"),
    ("GET v1/projects/test-project/remoteConfig?version=1", "", "did you mean 'versionNumber'?"),
    ("GET v1/projects/test-project/remoteConfig?key=x&quotaUser=y", "", nil),
    ("PUT v1/projects/test-project/remoteConfig?validateonly=true", "{}", "did you mean 'validateOnly'?"),
    (
      "PUT v1/projects/test-project/remoteConfig?validate_only=True", "{}",
      "'validate_only' is true or false"
    ),
    ("PUT v1/projects/test-project/remoteConfig?validate_only=", "{}", "'validate_only' is true or false"),
    ("GET v1/projects/test-project/remoteConfig:listVersions?limit=3", "", "no parameter 'limit'"),
    ("GET v1/projects/test-project/remoteConfig:listVersions?page_size=3", "", nil),
    (
      "POST v1/projects/test-project/remoteConfig:rollback?versionNumber=1", "{}",
      "'versionNumber'; it has none"
    ),
    (
      "POST v1/projects/test-project/remoteConfig:rollback", #"{"versionNumber": "1", "dryRun": true}"#,
      "The body has no member 'dryRun'"
    ),
    ("GET v1/projects/test-project/remoteConfig:downloadDefaults?fromat=XML", "", "did you mean 'format'?"),
    (
      "GET v1/projects/test-project/namespaces/firebase-server/serverRemoteConfig?versionNumber=1", "",
      "no parameter 'versionNumber'; it has none"
    ),
  ]

  @Test func `Google's routes reject unknown parameters and accept those of all Google APIs`() async throws {
    try await RunningHost.run { host throws in
      for row in Self.google {
        let parts = row.request.split(separator: " ").map { String($0) }
        let answer = try host.send(as: .admin, parts[0], "/" + parts[1], body: row.body)
        guard let said = row.said else {
          #expect(answer.status == 200, "\(row.request): \(answer.status) \(answer.body)")
          continue
        }
        #expect(
          answer.status == 400 && answer.body.contains("INVALID_ARGUMENT") && answer.body.contains(said),
          "\(row.request): \(answer.status) \(answer.body)")
      }
    }
  }

  @Test(arguments: [
    ("4", "loaded", "The model 'birds' has no version '4'"),
    ("", "left", "The model 'birds' has no version ''"),
    ("0x1", "failed", "The model 'birds' has no version '0x1'"),
    ("1", "lost", "The outcome of a report is 'loaded', 'failed' or 'left', not 'lost'"),
  ])
  func `a report that cannot be counted is refused by its reason`(
    _ version: String, _ outcome: String, _ reason: String
  ) async throws {
    try await RunningHost.run { host throws in
      let published = try host.send(
        as: .publisher, "POST", "\(Self.native)/models/birds/versions", body: markedModel("one"))
      #expect(published.status == 200, "\(published.body)")
      let body = #"{"model": "birds", "version": "\#(version)", "outcome": "\#(outcome)"}"#
      let answer = try host.send(
        "POST", "\(Self.native)/reports?key=\(RunningHost.appKey)", body: Array(body.utf8))
      #expect(answer.status == 400 && answer.body.contains(reason), "\(answer.body)")
    }
  }

  @Test func `a newer app's report is accepted with fields an older host does not know`() async throws {
    try await RunningHost.run { host throws in
      let body = #"{"model": "birds", "version": "1", "outcome": "loaded", "seconds": 3}"#
      let published = try host.send(
        as: .publisher, "POST", "\(Self.native)/models/birds/versions", body: markedModel("one"))
      #expect(published.status == 200, "\(published.body)")
      let answer = try host.send(
        "POST", "\(Self.native)/reports?key=\(RunningHost.appKey)&app=2", body: Array(body.utf8))
      #expect(answer.status == 200, "\(answer.body)")
    }
  }
}
#endif
