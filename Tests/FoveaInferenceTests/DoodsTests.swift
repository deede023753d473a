// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaGeometry
import FoveaHTTP
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

  @Test(arguments: ["100.5", "-1", "1e3"])
  func `a confidence that is not a percentage is an error`(_ number: String) {
    for members in [
      #""detect": {"cat": \#(number)}"#, #""detect": {"*": \#(number)}"#,
      #""regions": [{"detect": {"*": 50, "cat": \#(number)}}]"#,
    ] {
      let refusal = #expect(throws: Refusal.self) {
        try DoodsRequest(Array(#"{"data": "aGVs", \#(members)}"#.utf8))
      }
      #expect(refusal?.message.contains("confidences are percentages of 0 to 100") == true)
    }
  }

  private static func detector(_ name: String) -> ModelEntry {
    ModelEntry(name: name, source: .embedded(.detector))
  }

  private static func classifier(_ name: String) -> ModelEntry {
    ModelEntry(name: name, source: .embedded(.classifier))
  }

  /// A server's models, and for each detector of a call the status: 200 only if a detector answers.
  private static var choices: [(models: [ModelEntry], statuses: [String: Int])] {
    var second = detector("b")
    second.aliases = ["default"]
    return [
      ([classifier("a"), detector("default")], ["default": 200, "": 200, "a": 400]),
      ([detector("a"), classifier("default")], ["default": 400, "": 400, "a": 200]),
      ([classifier("a"), second], ["default": 200, "b": 200]),
      ([detector("a"), classifier("b")], ["default": 200, "": 200, "b": 400, "c": 400]),
      ([classifier("a"), detector("b")], ["default": 400, "b": 200]),
    ]
  }

  @Test func `default is the model of that name, or else the first`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    for choice in Self.choices {
      try await RunningInference.run(choice.models) { server in
        for (name, status) in choice.statuses {
          let member = name.isEmpty ? "" : #""detector_name": "\#(name)", "#
          let answer = try server.post("/detect", #"{\#(member)"detect": {"*": 30}, "data": "\#(image)"}"#)
          #expect(answer.status == status, "\(choice.models.map(\.name)), '\(name)': \(answer.body)")
        }
      }
    }
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
