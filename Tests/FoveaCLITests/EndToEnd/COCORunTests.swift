// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct COCORunTests {
  @Test func `Fovea's own reader agrees for any number of jobs`() async throws {
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

  @Test func `photos of two folders are not one image of the instances file`() async throws {
    let folder = try PhotoRunTests.album(["a/1.jpg", "b/1.jpg"])
    let categories = #""categories": [{"id": 3, "name": "Home good"}]"#
    try folder.write("out.json", "before")
    let arguments = [
      folder["in"], "--recursive", "--format", "coco", "--coco-ids", folder["ids.json"], "--output",
      folder["out.json"],
    ]
    try folder.write("ids.json", #"{"images": [{"id": 7, "file_name": "1.jpg"}], \#(categories)}"#)
    let refused = try await PhotoRunTests.run(arguments, in: folder)
    #expect(refused.code == ExitCodes.unfinished)
    #expect(
      refused.errors
        == "fovea: 'in/a/1.jpg' and 'in/b/1.jpg' may both be '1.jpg' in the instances file. "
        + "Name the images of one folder, or give each a file_name with its folder.\n")
    #expect(try folder.read("out.json") == "before")
    try folder.write("ids.json", #"{"images": [{"id": 7, "file_name": "/data/b/1.jpg"}], \#(categories)}"#)
    let outcome = try await PhotoRunTests.run(arguments, in: folder)
    #expect(outcome.code == 0)
    #expect(try folder.read("out.json").split(separator: "\n").count == 3)
    #expect(outcome.errors.contains("1 image is not in the instances file; its objects were left out"))
  }
}
