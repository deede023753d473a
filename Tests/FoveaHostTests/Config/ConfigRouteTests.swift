// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

@Suite struct ConfigRouteTests {
  static let path = "/v1/projects/test-project/remoteConfig"
  static let fetch = "/v1/projects/test-project/namespaces/firebase:fetch?key=test-api-key"
  static let stream =
    "/v1/projects/test-project/namespaces/firebase:streamFetchInvalidations?key=test-api-key"
  static let native = "/v1/host/projects/test-project/config/firebase"

  static func template(_ value: String) -> String {
    #"{"parameters": {"model": {"defaultValue": {"value": "\#(value)"}}}}"#
  }

  @discardableResult
  static func publish(
    _ host: RunningHost, _ value: String, ifMatch: String? = "*", query: String = ""
  ) throws -> RunningHost.Answer {
    try host.send(
      as: .publisher, "PUT", path + query, headers: ifMatch.map { ["If-Match": $0] } ?? [:],
      body: template(value))
  }

  @Test func `a template is read, published for its version, or only validated`() async throws {
    try await RunningHost.run { host in
      let empty = try host.send(as: .viewer, "GET", Self.path)
      #expect(empty.status == 200)
      #expect(empty.body == "{}\n")
      let tag = empty.headers["etag"] ?? ""
      #expect(tag.wholeMatch(of: /etag-[0-9]{12}-0/) != nil)
      let checked = try Self.publish(host, "x", ifMatch: tag, query: "?validate_only=true")
      #expect(checked.status == 200)
      #expect(checked.headers["etag"] == tag)
      #expect(try host.send(as: .viewer, "GET", Self.path).body == "{}\n")
      let made = try Self.publish(host, "m1", ifMatch: tag)
      #expect(made.status == 200)
      #expect(made.headers["etag"]?.hasSuffix("-1") == true)
      #expect(
        made.body.contains(
          #""version": {"versionNumber": "1", "updateTime": "2027-01-15T08:00:00.000Z", "updateUser": {"email": "#
        ))
      #expect(made.body.contains(#""updateOrigin": "REST_API", "updateType": "INCREMENTAL_UPDATE"}}"#))
      let stale = try Self.publish(host, "m2", ifMatch: tag)
      #expect(stale.status == 400)
      #expect(stale.body.contains("FAILED_PRECONDITION"))
      // Java's Admin SDK reads the first word, a Python client searches it if the code is 400.
      #expect(
        stale.body.contains(
          #""code": 400, "message": "[VERSION_MISMATCH]: The template was changed: version 1 is"#))
      let staleCheck = try Self.publish(host, "m2", ifMatch: tag, query: "?validateOnly=true")
      #expect(staleCheck.status == 400)
      for header in [nil, "etag-1-1", "x", ""] {
        let refused = try Self.publish(host, "m2", ifMatch: header)
        #expect(refused.status == 400 && refused.body.contains("[VERSION_MISMATCH]: "), "\(refused.body)")
      }
      #expect(try Self.publish(host, "m2").body.contains("FORCED_UPDATE"))
      let namespace = "/v1/projects/test-project/namespaces/firebase/remoteConfig"
      #expect(try host.send(as: .viewer, "GET", namespace).body.contains("m2"))
      // The API with namespaces follows its discovery document.
      let named = try host.send(
        as: .publisher, "PUT", namespace, headers: ["If-Match": tag], body: Self.template("m3"))
      #expect(named.status == 412 && named.body.contains("[VERSION_MISMATCH]: "), "\(named.body)")
      let former = try host.send(as: .viewer, "GET", Self.path + "?versionNumber=1")
      #expect(former.body.contains("m1"))
      #expect(former.headers["etag"]?.hasSuffix("-1") == true)
      #expect(try host.send(as: .viewer, "GET", Self.path + "?versionNumber=9").status == 404)
      #expect(try host.send(as: .viewer, "GET", Self.path + "?versionNumber=x").status == 400)
      let unknown = "/v1/projects/test-project/namespaces/other/remoteConfig"
      #expect(try host.send(as: .viewer, "GET", unknown).status == 404)
    }
  }

  @Test func `an error has its path in the response`() async throws {
    try await RunningHost.run { host in
      let body = #"{"parameters": {"p": {"conditionalValues": {"none": {"value": "1"}}}}}"#
      let answer = try host.send(as: .publisher, "PUT", Self.path, headers: ["If-Match": "*"], body: body)
      #expect(answer.status == 400)
      #expect(answer.body.contains("INVALID_ARGUMENT"))
      #expect(
        answer.body.contains(
          #""message": "[VALIDATION_ERROR]: parameters.p.conditionalValues.none: there is no condition with that name"#
        ))
      let large = String(repeating: "a", count: 1_050_001)
      let tooLarge = try host.send(
        as: .publisher, "PUT", Self.path, headers: ["If-Match": "*"], body: Self.template(large))
      #expect(tooLarge.status == 400)
      let most = try host.send(
        as: .publisher, "PUT", Self.path, headers: ["If-Match": "*"],
        body: Self.template(String(large.dropLast())))
      #expect(most.status == 200)
    }
  }

  @Test func `versions are listed by page and time, and restored`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host in
      for number in 1...5 {
        try Self.publish(host, "m\(number)")
        clock.advance(seconds: 60)
      }
      func numbers(_ query: String) throws -> [String] {
        let body = try host.send(as: .viewer, "GET", Self.path + ":listVersions" + query).body
        return body.matches(of: /"versionNumber": "(\d+)"/).map { String($0.1) }
      }
      #expect(try numbers("") == ["5", "4", "3", "2", "1"])
      #expect(try numbers("?pageSize=2") == ["5", "4"])
      let page = try host.send(as: .viewer, "GET", Self.path + ":listVersions?pageSize=2").body
      #expect(page.contains(#""nextPageToken": "4""#))
      #expect(try numbers("?pageSize=2&pageToken=4") == ["3", "2"])
      #expect(try numbers("?endVersionNumber=3") == ["3", "2", "1"])
      #expect(try numbers("?startTime=2027-01-15T08:02:00Z") == ["5", "4", "3"])
      #expect(try numbers("?endTime=2027-01-15T08:02:00Z") == ["2", "1"])
      for query in ["?pageSize=x", "?pageToken=x", "?startTime=x", "?endVersionNumber=0"] {
        #expect(try host.send(as: .viewer, "GET", Self.path + ":listVersions" + query).status == 400)
      }
      func back(_ body: String) throws -> RunningHost.Answer {
        try host.send(as: .publisher, "POST", Self.path + ":rollback", body: body)
      }
      let made = try back(#"{"versionNumber": "2"}"#)
      #expect(made.status == 200)
      #expect(made.body.contains("\"m2\""))
      #expect(made.body.contains(#""versionNumber": "6""#))
      #expect(made.body.contains(#""updateType": "ROLLBACK""#))
      #expect(made.body.contains(#""rollbackSource": "2""#))
      #expect(try back(#"{"versionNumber": 99}"#).status == 404)
      #expect(try back(#"{"versionNumber": "6"}"#).status == 400)
      for body in ["{}", "", #"{"versionNumber": -1}"#, #"{"versionNumber": "x"}"#, "[1]"] {
        #expect(try back(body).status == 400, "\(body)")
      }
    }
  }

  @Test func `the defaults have three forms, and compressed responses keep the tag`() async throws {
    try await RunningHost.run { host in
      try Self.publish(host, String(repeating: "m", count: 1_000))
      for (format, start) in [("JSON", "{"), ("PLIST", "<?xml"), ("XML", "<?xml")] {
        let answer = try host.send(as: .viewer, "GET", Self.path + ":downloadDefaults?format=\(format)")
        #expect(answer.status == 200)
        #expect(answer.body.hasPrefix(start))
      }
      #expect(try host.send(as: .viewer, "GET", Self.path + ":downloadDefaults?format=YAML").status == 400)
      let plain = try host.send(as: .viewer, "GET", Self.path)
      let gzip = try host.send(as: .viewer, "GET", Self.path, headers: ["Accept-Encoding": "gzip"])
      #expect(gzip.headers["content-encoding"] == "gzip")
      #expect(gzip.headers["etag"] == plain.headers["etag"])
      #expect(plain.headers["content-encoding"] == nil)
      let refused = try host.send(as: .viewer, "GET", Self.path, headers: ["Accept-Encoding": "gzip;q=0"])
      #expect(refused.headers["content-encoding"] == nil)
    }
  }

  @Test func `a server's template is stored separately, and read without expressions`() async throws {
    try await RunningHost.run { host in
      let path = "/v1/projects/test-project/namespaces/firebase-server"
      let body =
        #"{"conditions": [{"name": "c", "expression": "percent <= 5"}], "parameters": {"p": {"defaultValue": {"value": "s"}}}}"#
      let made = try host.send(
        as: .publisher, "PUT", path + "/remoteConfig", headers: ["If-Match": "*"], body: body)
      #expect(made.status == 200)
      #expect(made.body.contains("expression"))
      let served = try host.send(as: .viewer, "GET", path + "/serverRemoteConfig")
      #expect(served.status == 200)
      #expect(served.headers["etag"] == made.headers["etag"])
      #expect(served.body.contains("microPercent") && !served.body.contains("expression"))
      let apps = "/v1/projects/test-project/namespaces/firebase/serverRemoteConfig"
      #expect(try host.send(as: .viewer, "GET", apps).status == 404)
      #expect(try host.send(as: .viewer, "GET", Self.path).body == "{}\n")
    }
  }

  @Test func `the host's own routes show what a publish changes`() async throws {
    try await RunningHost.run { host in
      let made = try host.send(
        as: .publisher, "PUT", Self.native, headers: ["If-Match": "*"], body: Self.template("m1"))
      #expect(made.status == 200)
      #expect(made.body.contains(#""parameters": {"added": ["model"], "removed": [], "changed": []}"#))
      let tag = made.headers["etag"] ?? ""
      let checked = try host.send(
        as: .publisher, "PUT", Self.native + "?validateOnly=true", headers: ["If-Match": tag],
        body: Self.template("m2"))
      #expect(checked.body.contains(#""version": 0"#))
      #expect(checked.body.contains(#""changed": ["model"]"#))
      let shown = try host.send(as: .viewer, "GET", Self.native)
      #expect(shown.body.contains("\"etag\": \"\(tag)\""))
      #expect(try host.send(as: .viewer, "GET", Self.native + "/versions").body.contains(#""version": 1"#))
      try Self.publish(host, "m3")
      let back = try host.send(as: .publisher, "POST", Self.native + "/rollback", body: #"{"version": 1}"#)
      #expect(back.body.contains(#""version": 3"#))
      let stale = try host.send(
        as: .publisher, "PUT", Self.native, headers: ["If-Match": tag], body: Self.template("m4"))
      #expect(stale.status == 412)
      #expect(stale.body.contains(#""code": "etag-mismatch""#))
    }
  }

  @Test func `templates survive a restart`() async throws {
    let folder = try TemporaryFolder()
    try await RunningHost.run(in: folder) { host in _ = try Self.publish(host, "kept") }
    try await RunningHost.run(in: folder) { host in
      let answer = try host.send(as: .viewer, "GET", Self.path)
      #expect(answer.body.contains("kept"))
    }
  }
}
#endif
