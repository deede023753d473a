// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import Testing

@testable import FoveaFormats

@Suite struct ImageNameTests {
  @Test(
    arguments: [
      ("a.jpg", nil, "a.jpg"), ("ü\u{FFFD}.jpg", nil, "ü\u{FFFD}.jpg"),
      ("base64:x.jpg", nil, "base64:YmFzZTY0OnguanBn"), ("", nil, ""),
    ] as [(String, String?, String)])
  func `a text name is unchanged`(_ text: String, _ base64: String?, _ csv: String) {
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
  func `a name that is not UTF-8 keeps its bytes`(_ bytes: [UInt8], _ text: String, _ base64: String) {
    let name = ImageName(FilePath(bytes: bytes))
    #expect(name.text == text)
    #expect(name.base64 == base64)
    #expect(name.csv == "base64:" + base64)
  }

  @Test func `results store the bytes only if the text does not lead to the file`() {
    let name = ImageName(FilePath(bytes: [0x61, 0xFF]))
    let failed = DetectionRecord(name: name, result: .failure(Sample.error))
    #expect(
      RecordJSON.line(for: failed)
        == "{\"image\": \"a\u{FFFD}\", \"imageBytes\": \"Yf8=\", \"error\": {\"code\": \"image-truncated\", "
        + "\"message\": \"the file ends after 100 of 4096 bytes\", \"remedy\": \"Copy the file again\"}}")
    #expect(!RecordJSON.line(for: Sample.record("a\u{FFFD}", [])).contains("imageBytes"))
    var writer = CSVWriter(kind: .objects, writesHeader: false)
    let found = DetectionRecord(name: name, result: Sample.record("", []).result)
    #expect(writer.text(for: found) == "base64:Yf8=,4032,3024,right,stored,0,,,,,,,,,\n")
  }

  @Test(arguments: ["a.jpg", "base64:x.jpg", "base64:", ""])
  func `a CSV column holds a name`(_ name: String) {
    #expect(ImageName(csv: ImageName(name).csv) == ImageName(name))
    let bytes = ImageName(FilePath(bytes: Array(name.utf8) + [0xFF]))
    #expect(ImageName(csv: bytes.csv) == bytes)
  }
}
