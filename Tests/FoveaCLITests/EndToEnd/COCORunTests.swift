// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct COCORunTests {
  @Test func `our own reader and any number of jobs agree`() async throws {
    let folder = try PhotoRunTests.album((0..<30).map { "\($0).jpg" } + ["10bad.jpg"])
    var texts: Set<String> = []
    for jobs in [1, 2, 8] {
      let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
        for _ in 0..<(name.utf8.reduce(0) { $0 + Int($1) } % 7 * 20) { await Task.yield() }
        if name.contains("bad") { throw Sample.error }
        return Sample.findings
      }
      let outcome = try await PhotoRunTests.run(
        [folder["in"], "--format", "coco"], in: folder, jobs: jobs, analyzer: analyzer)
      #expect(outcome.code == 1)
      texts.insert(outcome.output)
    }
    #expect(texts.count == 1)
    let index = try COCOIndex(instances: Array(try #require(texts.first).utf8), name: "own.json")
    #expect(index.images.count == 30)
    #expect(index.imageID(of: folder["in/0.jpg"]) == 1)
    #expect(index.imageID(of: folder["in/11.jpg"]) == 13)
    #expect(index.category(of: "Home good") == 2)
  }
}
