// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaModels
import FoveaTesting
import Testing

/// A host's log of a complete scenario at its most verbose level.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct LogTests {
  private static let api = "/v1/host/projects/\(RunningHost.project)"

  /// The texts between a mark and the next quote or `&`.
  private static func values(after mark: String, in text: String) -> [String] {
    text.split(separator: mark).dropFirst().map { String($0.prefix { !"\"&".contains($0) }) }
  }

  @Test func `the log contains no key, token or signature`() async throws {
    let folder = try TemporaryFolder()
    try await RunningHost.serving(at: ReservedPort()) { host in
      var secrets = Array(host.tokens.values) + [RunningHost.appKey]
      // Keys: one of each kind is created, used, and revoked.
      for role in ["publisher", "app"] {
        let made = try host.send(as: .admin, "POST", "\(Self.api)/keys", body: "{\"role\": \"\(role)\"}")
          .body
        secrets += Self.values(after: "\"key\": \"", in: made)
        secrets += Self.values(after: "\"private_key\": \"", in: made).flatMap {
          $0.split(separator: "\\n").map(String.init)
        }
      }
      // A device that assigns itself, and one of Google's with an installation.
      try host.publish(ModelServer.classifier)
      try host.publish(ModelServer.model("described_classify"), channel: "beta")
      try host.rollOut(2, percent: 50)
      let target = RunningHost.information(of: Device.model)
      let information = try host.send("GET", target).body
      secrets += Self.values(after: "sig=", in: information)
      let installation = try host.send(
        "POST", "/v1/projects/\(RunningHost.project)/installations?key=\(RunningHost.appKey)",
        body: Array("{\"fid\": \"installation-of-a-device\"}".utf8)
      ).body
      secrets += Self.values(after: "\"refreshToken\": \"", in: installation)
      secrets += Self.values(after: "\"token\": \"", in: installation) + ["installation-of-a-device"]
      _ = try host.send(
        "GET", target,
        headers: [
          "X-Goog-Firebase-Installations-Auth": Self.values(after: "\"token\": \"", in: installation)[0]
        ])
      for device in try Device.some(4, of: host, in: folder) {
        let model = try await device.models.update(Device.model)
        model.load { _ in }
        try await device.models.update(Device.model)
        secrets.append(device.id)
      }
      // Rejections are logged, too: keys in wrong places, and wrong ones.
      for (path, headers) in [
        ("/models/\(RunningHost.project)/birds.tflite", ["Authorization": "Basic OnRlc3QtYXBpLWtleQ=="]),
        ("/models/\(RunningHost.project)/none.tflite?key=\(RunningHost.appKey)", [:]),
        ("\(Self.api)/models?key=a-wrong-key-that-is-secret", ["Authorization": "Bearer a-wrong-token"]),
        ("/no/such/route?key=\(RunningHost.appKey)", ["X-Request-Id": "Bearer a-wrong-token"]),
        ("/files/\(RunningHost.project)/\(String(repeating: "a", count: 64))?sig=a-forged-signature", [:]),
        ("/token?assertion=a-wrong-assertion", [:]),
      ] { _ = try host.send("GET", path, headers: headers) }
      secrets += [
        "OnRlc3QtYXBpLWtleQ==", "a-wrong-key-that-is-secret", "a-wrong-token", "a-forged-signature",
        "a-wrong-assertion", "PRIVATE KEY", "Bearer", "key=", "sig=",
      ]
      let log = host.log.text
      #expect(log.split(separator: "\n").count > 20, "everything is logged")
      #expect(secrets.count > 40 && secrets.allSatisfy { !$0.isEmpty })
      for secret in secrets where log.contains(secret) { Issue.record("the log has '\(secret)'") }
    }
  }
}
#endif
