// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaInference

@Suite struct DoodsTests {
  /// A call's labels and regions, and whether it accepts a cat of 0.6 at 0.2…0.6 of each side.
  struct Row: Sendable, CustomTestStringConvertible {
    let json: String
    let takes: Bool
    var lowest: Float = 0.5
    var testDescription: String { json }
  }

  /// By hand, following `filter_detections` of DOODS2.
  static let rows = [
    Row(json: "{}", takes: true, lowest: 0),
    Row(json: #"{"detect": {"cat": 50}}"#, takes: true),
    Row(json: #"{"detect": {"cat": 70}}"#, takes: false, lowest: 0.7),
    Row(json: #"{"detect": {"dog": 50}}"#, takes: false),
    Row(json: #"{"regions": [{"top": 0.9, "left": 0.9, "detect": {"*": 50}}]}"#, takes: false),
    Row(json: #"{"regions": [{"top": 0.5, "left": 0.5, "detect": {"*": 50}}]}"#, takes: true),
    Row(
      json: #"{"regions": [{"top": 0.5, "left": 0.5, "covers": true, "detect": {"*": 50}}]}"#, takes: false),
    Row(
      json: #"{"regions": [{"top": 0.1, "left": 0.1, "covers": true, "detect": {"cat": 50}}]}"#, takes: true
    ),
    Row(json: #"{"regions": [{"bottom": 0.1, "detect": {"*": 50}}, {"detect": {"*": 50}}]}"#, takes: true),
    Row(json: #"{"regions": [{"detect": {"cat": 70, "*": 50}}]}"#, takes: false),
    Row(json: #"{"regions": [{"detect": {}}]}"#, takes: false, lowest: 0),
    Row(json: #"{"detect": {"cat": 90}, "regions": [{"detect": {"cat": 50}}]}"#, takes: true),
    Row(json: #"{"detect": {"*": 50}, "regions": [{"top": 0.9, "detect": {"*": 99}}]}"#, takes: true),
    Row(json: #"{"detect": null, "regions": null}"#, takes: true, lowest: 0),
  ]

  @Test(arguments: rows)
  func `an object counts if the image or a region accepts it`(row: Row) throws {
    let members = row.json.dropFirst().dropLast()
    let body = #"{"data": "aGVs""# + (members.isEmpty ? "" : ", " + members) + "}"
    let asked = try DoodsRequest(Array(body.utf8))
    let box = BoundingBox(x: 0.2, y: 0.2, width: 0.4, height: 0.4)
    #expect(asked.takes("cat", 60, box) == row.takes)
    #expect(asked.lowest == row.lowest)
  }

  @Test func `regions exclude objects, and the image is returned with its boxes`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    try await RunningInference.run([.embedded]) { server in
      func detect(_ members: String) throws -> [String: Any] {
        let answer = try server.post("/detect", #"{"data": "\#(image)", \#(members)}"#)
        #expect(answer.status == 200, "\(members): \(answer.body.prefix(300))")
        return try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
      }
      func labels(_ members: String) throws -> [String] {
        (try detect(members)["detections"] as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
      }
      // The cup covers 0.28 to 0.7 of the width, and 0.04 to 0.61 of the height.
      #expect(try labels(#""regions": [{"top": 0.9, "left": 0.95, "detect": {"cup": 30}}]"#) == [])
      #expect(try labels(#""regions": [{"bottom": 0.5, "right": 0.5, "detect": {"cup": 30}}]"#) == ["cup"])
      for (name, type) in [("jpg", "/9j/"), ("png", "iVBOR")] {
        let drawn = try detect(#""image": "\#(name)", "detect": {"cup": 30}"#)
        #expect((drawn["image"] as? String)?.hasPrefix(type) == true, "\(name)")
      }
      #expect(try detect(#""detect": {"cup": 30}"#)["image"] == nil)
    }
  }
}
#endif
