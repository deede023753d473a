// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaSystem
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCLI

@Suite struct ImageNameTests {
  @Test(
    arguments: [
      ("a.jpg", nil, "a.jpg"), ("ü\u{FFFD}.jpg", nil, "ü\u{FFFD}.jpg"),
      ("base64:x.jpg", nil, "base64:YmFzZTY0OnguanBn"), ("", nil, ""),
    ] as [(String, String?, String)])
  func `a name that is text is itself`(_ text: String, _ base64: String?, _ csv: String) {
    let name = ImageName(FilePath(text))
    #expect(name.text == text)
    #expect(name.base64 == base64)
    #expect(name.csv == csv)
    #expect(name == ImageName(text))
  }

  @Test(
    arguments: [
      ([0x61, 0xFF], "a\u{FFFD}", "Yf8="), ([0xC3], "\u{FFFD}", "ww=="),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}", "7aCA"),
    ] as [([UInt8], String, String)])
  func `a name that is no UTF-8 has its bytes`(_ bytes: [UInt8], _ text: String, _ base64: String) {
    let name = ImageName(FilePath(bytes: bytes))
    #expect(name.text == text)
    #expect(name.base64 == base64)
    #expect(name.csv == "base64:" + base64)
  }

  @Test func `results hold the bytes only where the text does not lead to the file`() {
    let name = ImageName(FilePath(bytes: [0x61, 0xFF]))
    let failed = Record(name: name, result: .failure(Sample.error))
    #expect(
      RecordJSON.line(for: failed)
        == "{\"image\": \"a\u{FFFD}\", \"imageBytes\": \"Yf8=\", \"error\": {\"code\": \"image-truncated\", "
        + "\"message\": \"the file ends after 100 of 4096 bytes\", \"remedy\": \"Copy the file again\"}}")
    #expect(!RecordJSON.line(for: Sample.record("a\u{FFFD}", [])).contains("imageBytes"))
    var writer = CSVWriter(kind: .objects, writesHeader: false)
    let found = Record(name: name, result: Sample.record("", []).result)
    #expect(writer.text(for: found) == "base64:Yf8=,4032,3024,right,stored,0,,,,,,,,,\n")
  }

  @Test(arguments: ["jsonl", "csv"])
  func `a resumed run tells such names apart`(_ format: String) async throws {
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
