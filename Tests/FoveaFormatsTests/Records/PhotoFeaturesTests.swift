// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@testable import FoveaFormats

@Suite struct PhotoFeaturesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: ImageName = "a.jpg"
    var values: [Float] = [0.5]
    let json: String
    let csv: String
    var testDescription: String { csv }
  }

  static let rows = [
    Row(json: #"{"image": "a.jpg", "features": [0.5]}"#, csv: "a.jpg,0.5\n"),
    Row(values: [], json: #"{"image": "a.jpg", "features": []}"#, csv: "a.jpg\n"),
    Row(
      values: [0.1, -1, 3.4028235e+38, 1e-10],
      json: #"{"image": "a.jpg", "features": [0.1, -1.0, 3.4028235e+38, 1e-10]}"#,
      csv: "a.jpg,0.1,-1.0,3.4028235e+38,1e-10\n"),
    Row(
      name: #"a,"b".jpg"#, json: #"{"image": "a,\"b\".jpg", "features": [0.5]}"#,
      csv: "\"a,\"\"b\"\".jpg\",0.5\n"),
    Row(
      name: ImageName(FilePath(bytes: [0x61, 0xFF])),
      json: "{\"image\": \"a\u{FFFD}\", \"imageBytes\": \"Yf8=\", \"features\": [0.5]}",
      csv: "base64:Yf8=,0.5\n"),
  ]

  @Test(arguments: rows) func `a line has the name and all digits`(_ row: Row) {
    let photo = PhotoFeatures(name: row.name, values: row.values)
    #expect(photo.json == row.json && photo.csv == row.csv)
  }

  @Test func `the header numbers the columns`() {
    #expect(PhotoFeatures(name: "a", values: [1, 2, 3]).csvHeader == "image,0,1,2\n")
    #expect(PhotoFeatures(name: "a", values: []).csvHeader == "image\n")
  }
}
