// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels
import FoveaCore
import FoveaTesting
import Testing

/// A version that ends the process of a device.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct LeftVersionTests {
  @Test func `a crashing version is rolled back at the third start, and the host counts it`() async throws {
    let folder = try TemporaryFolder()
    try await RunningHost.serving(at: ReservedPort()) { host in
      let models = try HostedModels(host: HostAddress(host.modelHost), folder: folder.path)
      try host.publish(ModelServer.classifier)
      let first = try await models.update(Device.model)
      #expect(first.load { $0 } == first.path)
      try host.publish(ModelServer.model("described_classify"))
      let second = try await models.update(Device.model)
      #expect(second.version == "2")
      for _ in 0..<2 {
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder.path as String] in
          let models = try HostedModels(folder: folder)
          _ = try models.model(named: "birds")?.load { _ in kill(getpid(), SIGKILL) }
        }
      }
      #expect(second.load { $0 } == first.path)
      #expect(try models.model(named: Device.model)?.sha256 == first.sha256)
      #expect(try await models.update(Device.model).version == "1", "it does not return")

      let counts = try host.send("GET", "/metrics").body
      let family = "fovea_host_reported_loads_total"
      for (version, outcome) in [("1", "loaded"), ("2", "left")] {
        let labels = "model=\"birds\",version=\"\(version)\",outcome=\"\(outcome)\""
        #expect(counts.contains("\(family){\(labels)} 1\n"), "\(counts)")
      }
      try host.publish(ModelServer.model("colors_unit"))
      #expect(try await models.update(Device.model).version == "3", "the next version does")
    }
  }
}
#endif
