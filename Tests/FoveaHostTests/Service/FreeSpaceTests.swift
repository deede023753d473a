// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// The free space of a host's disks, which its readiness reports before a change fails.
@Suite struct FreeSpaceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The free bytes on the disks of `database` and `files`.
    let free: [String: Int]
    /// nil if the host is ready.
    let message: String?
  }

  private static func message(_ free: String) -> String {
    "There is hardly any space left on the host's disk: \(free) free, the host needs 1,048,576, and an upload "
      + "its size"
  }

  static let rows = [
    Row(testDescription: "enough", free: ["database": 1 << 20, "files": 1 << 40], message: nil),
    Row(
      testDescription: "one byte too few", free: ["database": 1 << 30, "files": (1 << 20) - 1],
      message: message("1,048,575 bytes are")),
    Row(
      testDescription: "a full disk", free: ["database": 0, "files": 1 << 30], message: message("0 bytes are")
    ),
    Row(
      testDescription: "the fuller of two", free: ["database": 1, "files": 2], message: message("1 byte is")),
    Row(testDescription: "one that is unknown", free: ["files": 1 << 20], message: nil),
    Row(testDescription: "none known", free: [:], message: nil),
  ]

  @Test(arguments: rows)
  func `a disk with little free space is a problem`(row: Row) async {
    let space = FreeSpace(places: ["database", "files"], least: FreeSpace.least) { row.free[$0] }
    let problem = await space.problem()
    #expect(problem?.message == row.message && (problem == nil || problem?.code == .diskFull))
  }

  @Test func `a host with little free space is ready for reading only, without a write`() async throws {
    try await RunningHost.run(leastSpace: .max) { host throws in
      for target in ["/readyz", "/readyz?for=write"] {
        let answer = try host.send("GET", target)
        #expect(answer.status == 503 && answer.headers["retry-after"] == "5", "\(answer.body)")
        #expect(answer.body.contains("\"code\": \"disk-full\""), "\(answer.body)")
        #expect(answer.body.contains("hardly any space left"), "\(answer.body)")
        #expect(
          answer.body.contains("/readyz?for=read returns 200") && !answer.body.contains(host.folder.path))
      }
      #expect(try host.send("GET", "/readyz?for=read").status == 200)
      #expect(try host.send("GET", "/livez").status == 200)
      // A change that fits succeeds all the same.
      let answer = try host.send(
        as: .publisher, "POST", "/v1/host/projects/test-project/models/birds/versions",
        body: markedModel("one"))
      #expect(answer.status == 200, "\(answer.body)")
    }
    try await RunningHost.run { host throws in #expect(try host.send("GET", "/readyz").status == 200) }
  }
}
#endif
