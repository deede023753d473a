// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
@testable import FoveaHost
import FoveaTesting
import Testing

/// The number of files sent to devices.
@Suite struct DownloadCountTests {
  @Test func `a file sent in parts counts once, and counts survive a restart`() async throws {
    try await RunningHost.serving { host in
      try await onOwnThread {
        let answer = try host.send(
          as: .publisher, "POST", "/v1/host/projects/test-project/models/birds/versions",
          body: markedModel("one"))
        #expect(answer.status == 200)
      }
      let version = try #require(host.models.model("birds").versions.first)
      let downloads = host.service.loads.downloads
      let count = { @Sendable in downloads.count(of: version.sha256, size: version.size) }
      let path = "/models/test-project/birds.tflite?key=\(RunningHost.appKey)"
      try await onOwnThread {
        let first = version.size / 2
        for range in ["bytes=0-\(first - 1)", "bytes=\(first)-"] {
          #expect(count() == 0)
          let answer = try host.send("GET", path, headers: ["Range": range])
          #expect(answer.status == 206)
        }
      }
      // The last bytes are counted once the connection has taken them.
      try await waitUntil("a download is counted") { count() == 1 }
      try await onOwnThread { _ = try host.send("GET", path) }
      try await waitUntil("another one is counted") { count() == 2 }
      try await host.service.loads.write()
      let metadata = host.models.metadata
      let stored = try await metadata.sentBytes(project: "test-project")
      #expect(stored == [version.sha256: 2 * version.size])
      // Another host adds its own; what this one has not written yet is kept.
      try await metadata.addSentBytes(project: "test-project", [version.sha256: 3 * version.size])
      downloads.add(Int(version.size), of: version.sha256)
      try await host.service.loads.start()
      #expect(count() == 6)
    }
  }
}
#endif
