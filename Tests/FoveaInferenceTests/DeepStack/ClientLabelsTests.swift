// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaInference
import FoveaTesting
import Testing

@Suite struct ClientLabelsTests {
  private static func map(_ text: String) throws -> ClientLabels {
    let folder = try TemporaryFolder()
    return try ClientLabels(path: try folder.write("labels.json", text))
  }

  @Test(arguments: [
    (#"{}"#, ["cup": "cup", "car": "car"]),
    (#"{"cup": "mug"}"#, ["cup": "mug", "car": "car"]),
    (#"{"cup": null}"#, ["cup": nil, "car": "car"]),
    (#"{"cup": "mug", "*": null}"#, ["cup": "mug", "car": nil]),
    (#"{"*": null}"#, ["cup": nil, "car": nil]),
  ])
  func `a map renames, drops, and drops all others`(text: String, names: [String: String?]) throws {
    let map = try Self.map(text)
    for (label, name) in names { #expect(map.name(of: label) == name, "\(label)") }
  }

  @Test(arguments: [
    ("", "its text"), ("[]", "an object of labels"),
    (#"{"cup": 5}"#, "'cup' has neither a name in quotes nor null"),
    (#"{"cup": ["x"]}"#, "'cup' has neither a name in quotes nor null"),
    (#"{"cup": {}}"#, "neither a name in quotes nor null"), (#"{"cup": true}"#, "neither a name"),
    (#"{"cup": 1p","*":null}"#, "neither a name in quotes nor null"), (#"{"cup": nul}"#, ""),
    (#"{"cup": }"#, ""),
    (#"{"cup": ""}"#, "an empty name"),
    (#"{"*": "cup"}"#, "'*' can only be null"), (#"{"cup": "a", "cup": "b"}"#, "given twice"),
    (#"{"cup": "a"} x"#, ""), (#"{"cup": "a""#, ""),
  ])
  func `an invalid map is rejected with the place`(text: String, reason: String) throws {
    let error = try #require(throws: FoveaError.self) { try Self.map(text) }
    #expect(error.code.rawValue == "config-invalid" && error.message.contains(reason), "\(error)")
  }

  @Test func `a missing map is named`() throws {
    let error = try #require(throws: FoveaError.self) { try ClientLabels(path: "/nonexistent/labels.json") }
    #expect(error.message.contains("/nonexistent/labels.json"))
  }

  @Test func `DeepStack's clients get their own names, and nothing else changes`() async throws {
    let photo = try RunningInference.bytes()
    let map = try Self.map(#"{"cup": "mug", "*": null}"#)
    try await RunningInference.run([.embedded]) {
      $0.labels = map
    } _: { server in
      let form = try server.send(
        "POST", "/v1/vision/detection", headers: ["Content-Type": "image/jpeg"], photo)
      #expect(form.status == 200, "\(form.body)")
      #expect(form.body.contains(#""label": "mug""#) && form.body.contains(#""count": 1"#), "\(form.body)")
      #expect(try server.send("POST", "/v1/detect", photo).body.contains(#""cup""#))
    }
  }
}
#endif
