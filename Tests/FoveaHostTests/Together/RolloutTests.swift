// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

/// A rollout as seen by devices with Fovea's client: they assign themselves, as the host would.
@Suite(.onOwnThread, .timeLimit(.minutes(10))) struct RolloutTests {
  /// The devices to which the host would assign the rollout's version.
  private static func assigned(_ devices: [Device], _ host: RunningHost) throws -> Set<String> {
    let model = try host.models.model(Device.model)
    let assignment = try #require(VersionAssignment(model))
    return Set(
      devices.map(\.id).filter { assignment.choice(installation: $0).version.number == 2 })
  }

  @Test func `thirty percent of a thousand devices, none leaves at sixty, and a rollback moves all back`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await RunningHost.serving(at: ReservedPort()) { host in
      let devices = try Device.some(1_000, of: host, in: folder)
      try host.publish(ModelServer.classifier)
      try host.publish(ModelServer.model("described_classify"), channel: "beta")
      try host.rollOut(2, percent: 30)
      let thirty = try await devices.updated(to: "2")
      // The ids of devices are random: five standard deviations.
      #expect((228...372).contains(thirty.count), "\(thirty.count)")
      #expect(try thirty == Self.assigned(devices, host))

      try host.rollOut(2, percent: 60)
      let sixty = try await devices.updated(to: "2")
      #expect(thirty.isSubset(of: sixty) && sixty.count > thirty.count)
      #expect(try sixty == Self.assigned(devices, host))

      try host.rollBack()
      #expect(try await devices.updated(to: "1").count == 1_000)
    }
  }

  @Test func `the host's assignment for Google's SDKs equals a device's of that id`() async throws {
    let folder = try TemporaryFolder()
    try await RunningHost.serving(at: ReservedPort()) { host in
      let devices = try Device.some(40, of: host, in: folder)
      try host.publish(ModelServer.classifier)
      try host.publish(ModelServer.model("described_classify"), channel: "beta")
      try host.rollOut(2, percent: 50)
      let own = try await devices.updated(to: "2")
      let target = RunningHost.information(of: Device.model)
      for device in devices {
        let token = host.ring.token(
          for: Installation(project: RunningHost.project, id: device.id), now: host.models.now())
        let answer = try host.send("GET", target, headers: ["X-Goog-Firebase-Installations-Auth": token])
        #expect(answer.body.contains("\"version\": \"2\"") == own.contains(device.id), "\(device.id)")
      }
    }
  }
}
#endif
