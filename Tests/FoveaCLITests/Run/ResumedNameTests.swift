// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCLI

@Suite struct ResumedNameTests {
  @Test(arguments: ["jsonl", "csv"])
  func `a resumed run distinguishes such names`(_ format: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("in/c.jpg", "")
    for byte in [0xE8, 0xE9] as [UInt8] {
      let path = FilePath(bytes: Array(folder["in/caf"].utf8) + [byte] + Array(".jpg".utf8))
      close(unsafe open(path.cString, O_WRONLY | O_CREAT, 0o600))
    }
    let asked = Mutex(0)
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in
      asked.withLock { $0 += 1 }
      return Sample.findings
    }
    let arguments = [folder["in"], "--format", format, "--output", folder["out"], "--resume"]
    _ = try await PhotoRunTests.run(arguments, in: folder, jobs: 1, analyzer: analyzer)
    #expect(asked.withLock { $0 } == 3)
    let whole = try folder.read("out")
    // Without the last photo.
    let lines = whole.split(separator: "\n")
    try folder.write("out", lines.dropLast().joined(separator: "\n") + "\n")
    let outcome = try await PhotoRunTests.run(arguments, in: folder, jobs: 1, analyzer: analyzer)
    #expect(outcome.code == 0)
    #expect(asked.withLock { $0 } == 4)
    #expect(try folder.read("out") == whole)
  }
}
